import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import Foundation

/// A result in the far store: one object with its key, its head, the head of its source and its body.
///
///     calotype-far 2
///     4096 16000000 50000000 - key v7.1/rs:fit:400/plain/https://example.com/cat.jpg
///     6c7be0c5…
///     page 1767225600 412 18230
///     calotype-http 1
///     …
///
/// The lines are the format, the key, the SHA-256 digest of all that follows it, and the time of writing in seconds
/// since 1970 with the lengths of the heads and of the body. A page is read as a whole or not at all.
struct FarPage: Sendable {
    /// The version of the format, which the names of pages begin with.
    static let version = 2
    /// The maximum size of a page, in bytes.
    static let limit = 1 << 20
    /// The maximum size of the lines before the digest and of the heads, in bytes. A larger result stays near.
    static let headLimit = 64 << 10

    /// The time of writing, in seconds since 1970.
    let written: Int
    /// The result with its body.
    let result: StoredVariant
    /// The head of the source at that time, without its body; `nil` if the writer had none.
    let source: StoredVariant?

    /// The latest time in the page, in seconds since 1970: it is in the future if another node's clock is ahead.
    var latestTime: Double {
        let heads = [result.head, source?.head].compactMap(\.self)
        return heads.map { max($0.requestTime, $0.responseTime) }.reduce(Double(written), max)
    }

    private static let title: ByteString = "calotype-far \(version)"

    init(written: Int, result: StoredVariant, source: StoredVariant?) {
        (self.written, self.result, self.source) = (written, result.with(result.head.fields.withoutSource), source)
    }

    /// Returns the bytes of the object, or `nil` if they were too many or the result may not leave the node.
    func encoded(for key: ByteString) -> Data? {
        guard result.isFitForPage, let body = result.body, body.count == result.head.bodyLength else { return nil }
        let heads = ([result] + [source].compactMap(\.self)).encodedHeads
        guard heads.count + key.count <= Self.headLimit, body.count <= Self.limit - Self.headLimit else { return nil }
        var rest = Data("page \(written) \(heads.count) \(body.count)\n".utf8)
        rest.append(heads)
        rest.append(body)
        return Self.sealed(rest, key: key)
    }

    /// Returns a page with the lines up to the digest in front of the rest.
    static func sealed(_ rest: Data, key: ByteString) -> Data {
        var page = Data()
        for line in [title, key, digest(of: rest)] { page.appendLine(line) }
        page.append(rest)
        return page
    }

    /// Reads the bytes of an object.
    ///
    /// - Parameter key: The key that the page has to have.
    init(_ data: Data, key: ByteString) throws(FarPageFault) {
        var rest = data
        guard Self.line(&rest) == Self.title else { throw .version }
        guard let own = Self.line(&rest) else { throw .damaged }
        guard own == key else { throw .otherKey }
        guard let digest = Self.line(&rest), digest == Self.digest(of: rest) else { throw .damaged }
        guard let words = Self.line(&rest)?.split(separator: 0x20), words.count == 4, words[0] == "page",
            let written = words[1].asDigits, let heads = words[2].asDigits, let length = words[3].asDigits,
            heads <= rest.count, length == rest.count - heads,
            let variants = [StoredVariant](encodedHeads: Data(rest.prefix(heads))), (1...2).contains(variants.count),
            variants[0].head.bodyLength == length
        else { throw .damaged }
        guard variants[0].head.fields.areOfResult else { throw .otherFields }
        guard variants[0].isFitForPage else { throw .damaged }
        self.written = written
        // A body in a near store has its variant's identifier, which no writer of the far store may choose.
        result = StoredVariant(head: variants[0].head, body: Data(rest.suffix(length)))
        guard variants.count == 2 else {
            source = nil
            return
        }
        guard variants[1].lacksBody, let head = variants[1].ofWholeSource else { throw .damaged }
        source = head
    }

    /// Takes the bytes up to a line feed near the beginning, which it takes, too.
    private static func line(_ rest: inout Data) -> ByteString? {
        guard let end = rest.prefix(headLimit).firstIndex(of: 0x0A) else { return nil }
        defer { rest = rest[rest.index(after: end)...] }
        return ByteString(bytes: rest[..<end])
    }

    private static func digest(of rest: Data) -> ByteString {
        ByteString(rest.withUnsafeBytes { KeyDigest.hex(of: $0) })
    }
}

/// The reason why bytes are no page.
enum FarPageFault: Error, CustomStringConvertible {
    case version, damaged, otherKey, otherFields, tooLarge

    var description: String {
        switch self {
        case .version: "it has another format"
        case .damaged: "it is cut short or changed"
        case .otherKey: "it belongs to another key"
        case .otherFields: "it has other header fields than those that a server writes"
        case .tooLarge: "it has more than \(FarPage.limit) bytes"
        }
    }
}

extension StoredVariant {
    /// Whether a page may have the result: a whole 200 that is the same for all clients.
    var isFitForPage: Bool {
        head.status == 200 && head.method == .get && head.part == nil && head.varying.isEmpty && !lacksBody
            && head.fields.withoutSource.areOfResult && head.url == ByteString(RenditionAnswers.url.absoluteString)
    }

    /// The head of a source whose whole body had a digest, with the fields of a page and without that body; otherwise `nil`.
    var ofWholeSource: StoredVariant? {
        guard head.status == 200, head.method == .get, head.part == nil, head.varying.isEmpty, let digest,
            digest.utf8.count <= 64, digest.utf8.allSatisfy(\.isAlphanumeric)
        else { return nil }
        var source = StoredVariant(head: with(head.fields.ofSource).head, body: nil)
        source.digest = digest
        source.lacksBody = true
        return source
    }
}
