import CalotypeCodecs
import CalotypeHTTP
import CalotypeMemory
import Foundation

/// The keys of a request in the loader and in its caches.
///
/// The bytes have the key ``source``, which all sizes and steps share; the finished image has the key ``image``.
struct ImageKeys: Sendable {
    /// The source: URL and a digest of the header fields, or the caller's own key; and unusual accepted statuses.
    let source: ByteString
    /// The identity of the bytes that the image is made of, or `nil` for those of the source.
    private let bytes: ByteString?
    /// The key of the finished image: the base, the size and the steps.
    let image: CacheKey
    /// The header fields that require a certain freshness. Requests that differ here share cached images, but no load.
    let directives: ByteString
    /// `true` if an image in memory may be used only after the HTTP cache or the origin has confirmed it.
    let needsConfirmation: Bool

    init(_ request: ImageRequest, fields: KeyFields) {
        var reading = KeyFields.Reading()
        let http = request.source.http
        if let http, !http.fields.isEmpty {
            reading = fields.read(http.fields, rangeOnly: request.cacheKey != nil)
        }
        var text = request.cacheKey.map { "key \($0.utf8.count) \($0)" } ?? request.source.key
        if let digest = reading.digest {
            text += "\nfields "
            text += digest
        }
        if let statuses = request.accepted.key, http != nil {
            text += "\nstatuses "
            text += statuses
        }
        self.source = ByteString(text)
        bytes = nil
        image = ImageKeys.image(self.source, of: request, request.steps[...])
        directives = request.hasFallbacks ? request.adding(to: reading.directives) : reading.directives
        needsConfirmation = reading.needsConfirmation || request.rules.asksOrigin
    }

    /// Creates the keys of an image made of the bytes with this identity, even if the caches have newer bytes.
    init(_ keys: ImageKeys, madeOf bytes: ByteString, _ layout: (any ImageLayout)?, _ steps: [any ImageStep]) {
        source = keys.source
        self.bytes = bytes
        image = ImageKeys.image("made of \(bytes)", layout, steps[...])
        directives = keys.directives
        needsConfirmation = false
    }

    /// The first part of the key of images: ``source``, or the identity of the bytes that they are made of.
    var base: ByteString { bytes.map { "made of \($0)" } ?? source }

    /// Returns the keys of the images from which the request's image may be made: before each step, and at full size.
    func chain(of request: ImageRequest) -> [CacheKey] {
        [CacheKey(source)]
            + request.steps.indices.map { ImageKeys.image(source, of: request, request.steps.prefix($0)) }
    }

    private static func image(
        _ source: ByteString, of request: ImageRequest, _ steps: ArraySlice<any ImageStep>
    ) -> CacheKey {
        // The usual case without an existential: every memory lookup runs this.
        request.gamut == .sRGB ? key(source, request.size, steps) : image(source, request.layout, steps)
    }

    static func image(
        _ source: ByteString, _ layout: (any ImageLayout)?, _ steps: ArraySlice<any ImageStep>
    ) -> CacheKey {
        guard let layout else { return key(source, ResizeTarget?.none, steps) }
        return key(source, layout, steps)
    }

    /// Returns the key, one part per line. URLs contain no line breaks, and a length precedes any text of the caller.
    private static func key(
        _ source: ByteString, _ size: (some ImageLayout)?, _ steps: ArraySlice<any ImageStep>
    ) -> CacheKey {
        // Faster than `size == nil`, which compares two targets. Every memory lookup runs this.
        if case .none = size, steps.isEmpty { return CacheKey(source) }
        var key: [UInt8] = []
        key.reserveCapacity(source.string.utf8.count + 64)
        key += source.string.utf8
        if let size {
            key += "\nsize ".utf8
            size.appendKey(to: &key)
        }
        for step in steps { key += "\nstep \(step.key.utf8.count) \(step.key)".utf8 }
        return CacheKey(String(decoding: key, as: UTF8.self))
    }
}

extension HTTPRequest {
    /// - Parameter isFile: `true` for a source made by `file(_:)`. The key then differs from that of an equal `file:`
    ///   URL, so that a URL from elsewhere never finds the file's image in memory.
    func key(isFile: Bool) -> String {
        var text = url.absoluteString.withoutFragment
        if isFile { text = "file \(text)" }
        if method != .get { text = "\(method.rawValue) \(text)" }
        if let body { text += "\nbody \(Digest.sha256(body))" }
        return text
    }
}

extension String {
    /// The URL without its fragment, which never leaves the client (RFC 9110 §7.1).
    fileprivate var withoutFragment: String {
        var url = self
        // Searches all bytes at once: every memory lookup runs this.
        let length = url.withUTF8 { bytes -> Int? in
            guard let start = bytes.baseAddress, let hash = memchr(start, 0x23, bytes.count) else { return nil }
            return UnsafeRawPointer(hash) - UnsafeRawPointer(start)
        }
        guard let length else { return url }
        return String(decoding: url.utf8.prefix(length), as: UTF8.self)
    }
}

extension ImageRequest {
    /// Returns the directives with the request's network options: waiting for connectivity, a source for low data.
    fileprivate func adding(to directives: ByteString) -> ByteString {
        let network = (waitsForConnectivity ? "\nwaits" : "") + (lowDataSource == nil ? "" : "\nsaves data")
        return "\(directives)\(network)"
    }
}
