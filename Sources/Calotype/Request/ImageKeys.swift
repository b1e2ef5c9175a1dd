import CalotypeCodecs
import CalotypeHTTP
import CalotypeMemory
import Foundation

/// The keys of a request, in the loader and in its caches.
///
/// Two keys: one for the bytes, which every size and step shares, and one for the finished image.
struct ImageKeys: Sendable {
    /// The source: URL and a digest of the header fields, or the caller's own key.
    let source: ByteString
    /// The source, the size and the steps.
    let image: CacheKey
    /// The fields that say how fresh the answer has to be. They tell flights apart, not what flights bring.
    let directives: ByteString
    /// A Boolean value indicating whether these fields or the policy let nothing answer before its origin has confirmed
    /// it.
    let needsConfirmation: Bool

    init(_ request: ImageRequest, fields: KeyFields) {
        var reading = KeyFields.Reading()
        if let http = request.source.http, !http.fields.isEmpty {
            reading = fields.read(http.fields, rangeOnly: request.cacheKey != nil)
        }
        var text = request.cacheKey.map { "key \($0.utf8.count) \($0)" } ?? request.source.key
        if let digest = reading.digest {
            text += "\nfields "
            text += digest
        }
        self.source = ByteString(text)
        image = ImageKeys.image(self.source, request.size, request.steps[...])
        directives = request.hasFallbacks ? request.adding(to: reading.directives) : reading.directives
        needsConfirmation = reading.needsConfirmation || request.rules.asksOrigin
    }

    /// The keys of the images that this one may be made from: those before its steps, and the whole image.
    func chain(of request: ImageRequest) -> [CacheKey] {
        [CacheKey(source)]
            + request.steps.indices.map { ImageKeys.image(source, request.size, request.steps.prefix($0)) }
    }

    /// Parts stand on lines of their own: a URL has no line ends, and what a user wrote carries its length in front.
    static func image(_ source: ByteString, _ size: ResizeTarget?, _ steps: ArraySlice<any ImageStep>) -> CacheKey {
        // Not `size == nil`, which compares two targets: this is part of every look into memory.
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
    /// - Parameter isFile: Apart from what a URL from elsewhere may find in memory.
    func key(isFile: Bool) -> String {
        var text = url.absoluteString.withoutFragment
        if isFile { text = "file \(text)" }
        if method != .get { text = "\(method.rawValue) \(text)" }
        if let body { text += "\nbody \(Digest.sha256(body))" }
        return text
    }
}

extension String {
    /// The part behind # never leaves the client (RFC 9110 §7.1).
    fileprivate var withoutFragment: String {
        var url = self
        // Of the bytes at once: this is part of every look into memory.
        let length = url.withUTF8 { bytes -> Int? in
            guard let start = bytes.baseAddress, let hash = memchr(start, 0x23, bytes.count) else { return nil }
            return UnsafeRawPointer(hash) - UnsafeRawPointer(start)
        }
        guard let length else { return url }
        return String(decoding: url.utf8.prefix(length), as: UTF8.self)
    }
}

extension ImageRequest {
    /// With what decides for how long a flight waits, and which networks it refuses: none of it changes what it brings.
    fileprivate func adding(to directives: ByteString) -> ByteString {
        let network = (waitsForConnectivity ? "\nwaits" : "") + (lowDataSource == nil ? "" : "\nsaves data")
        return "\(directives)\(network)"
    }
}
