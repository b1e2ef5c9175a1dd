import CalotypeBase

/// The facts in the XML of an object store's error: its code, and for some errors the region and the key.
///
/// Reads the first 4 KiB alone, with a bounded scan and without a parser: only these elements count, with text and no
/// other element inside.
struct S3Failure: Hashable, Sendable {
    /// The code, such as "NoSuchKey".
    let code: ByteString?
    let region: ByteString?
    let key: ByteString?

    private static let limit = 4096

    init(_ body: some Sequence<UInt8>) {
        let text = Array(body.prefix(Self.limit))
        code = Self.text(of: "Code", in: text).flatMap { $0.isCode ? $0 : nil }
        region = Self.text(of: "Region", in: text).flatMap { $0.isCode ? $0 : nil }
        key = Self.text(of: "Key", in: text)
    }

    static func text(of name: String, in bytes: [UInt8]) -> ByteString? {
        let start = Array("<\(name)>".utf8), end = Array("</\(name)>".utf8)
        guard let opening = bytes.firstRange(of: start) else { return nil }
        let rest = bytes[opening.upperBound...]
        guard let closing = rest.firstIndex(of: UInt8(ascii: "<")), rest[closing...].starts(with: end) else {
            return nil
        }
        return ByteString(bytes: rest[..<closing]).unescapedXML
    }
}

extension ByteString {
    /// Whether the text is short, and has letters, digits, "-" and "." alone.
    fileprivate var isCode: Bool {
        (1...64).contains(count) && withBytes { $0.allSatisfy { $0.isAlphanumeric || "-.".utf8.contains($0) } }
    }

    /// The text with XML's five entities replaced. A number stays as it is.
    fileprivate var unescapedXML: ByteString {
        guard contains(UInt8(ascii: "&")) else { return self }
        var text = string
        // The ampersand last, so that no entity is replaced twice.
        for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")] {
            text = text.replacing(entity, with: character)
        }
        return ByteString(text)
    }
}
