import CalotypeCodecs
import CalotypeHTTP
import CalotypeMemory
import Foundation

/// What a request is known by, in the loader and in its caches.
///
/// Two keys: one for the bytes, which every size and step shares, and one for the finished image.
struct ImageKeys: Sendable {
    /// The source: URL and a digest of the header fields, or the caller's own key.
    let source: String
    /// The source, the size and the steps.
    let image: CacheKey
    /// The fields that say how fresh the answer has to be. They tell flights apart, not what flights bring.
    let directives: String
    /// Whether these fields let nothing answer before its origin has confirmed it.
    let needsConfirmation: Bool

    init(_ request: ImageRequest, fields: KeyFields) {
        source = ImageKeys.source(request, fields)
        image = ImageKeys.image(source, request.size, request.steps[...])
        directives = request.source.fields.map { fields.directives(of: $0) } ?? ""
        needsConfirmation =
            !directives.isEmpty && request.source.fields.map { KeyFields.needsConfirmation($0) } ?? false
    }

    /// Parts stand on lines of their own: a URL has no line ends, and what a user wrote carries its length in front.
    static func image(_ source: String, _ size: ResizeTarget?, _ steps: ArraySlice<any ImageStep>) -> CacheKey {
        guard size != nil || !steps.isEmpty else { return CacheKey(source) }
        var text = source
        if let size {
            text += "\nsize "
            text += size.key
        }
        for step in steps { text += "\nstep \(step.key.utf8.count) \(step.key)" }
        return CacheKey(text)
    }

    private static func source(_ request: ImageRequest, _ fields: KeyFields) -> String {
        if let key = request.cacheKey {
            let digest = request.source.fields.flatMap { fields.digest(of: $0, rangeOnly: true) }
            return "key \(key.utf8.count) \(key)" + (digest.map { "\nfields \($0)" } ?? "")
        }
        switch request.source.kind {
        case .custom(let id, _): return "custom \(id.utf8.count) \(id)"
        case .nowhere: return "nowhere"
        case .http(let http):
            var text = withoutFragment(http.url.absoluteString)
            if http.method != .get { text = "\(http.method.rawValue) \(text)" }
            if let body = http.body { text += "\nbody \(Digest.sha256(body))" }
            if let digest = fields.digest(of: http.fields, rangeOnly: false) { text += "\nfields \(digest)" }
            return text
        }
    }

    /// The part behind # never leaves the client (RFC 9110 §7.1).
    private static func withoutFragment(_ url: String) -> String {
        var url = url
        // Of the bytes at once: this is part of every look into memory.
        guard let hash = url.withUTF8({ $0.firstIndex(of: UInt8(ascii: "#")) }) else { return url }
        return String(decoding: url.utf8.prefix(hash), as: UTF8.self)
    }
}
