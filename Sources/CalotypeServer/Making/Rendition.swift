import CalotypeBase
import CalotypeURLs

/// A rendition that a client asks for: its options, its sources, and its key in the cache of results. Equal keys make
/// equal files.
///
/// Made once, when the request is understood; all that follows reads no text of a URL again.
final class Rendition: Hashable, Sendable {
    let request: RenditionRequest
    let source: RenditionSource
    let key: ByteString
    /// The rendition of the fallback image, or `nil` if the URL names none.
    let fallback: Rendition?
    private let logText = Locked<LoggedURL?>(nil)
    private let tagText = Locked<(field: TagField, value: ByteString)?>(nil)

    var options: RenditionOptions { request.options }

    /// - Parameters:
    ///   - mark: The digest of the server's watermark.
    ///   - allowed: The sources on the web that the server loads. By default it loads files alone.
    /// - Throws: An error if the URL of the source or of the fallback image is invalid or not allowed.
    init(
        _ request: RenditionRequest, mark: ByteString? = nil, allowed: AllowedSources = AllowedSources()
    ) throws(RenditionError) {
        self.request = request
        source = try RenditionSource(request.source, allowed: allowed)
        key = request.resultKey(mark: mark)
        if let other = request.ofFallback {
            fallback = try Rendition(other, mark: mark, allowed: allowed)
        } else {
            fallback = nil
        }
    }

    /// - Parameter mark: The digest of the server's watermark.
    init(of image: PostedImage, _ request: RenditionRequest, mark: ByteString?) {
        self.request = request
        source = RenditionSource(image)
        key = request.resultKey(mark: mark)
        fallback = nil
    }

    /// The URL for the log. Written once for all requests.
    var logged: LoggedURL {
        if let known = logText.withLock({ $0 }) { return known }
        let logged = LoggedURL(request)
        logText.withLock { $0 = logged }
        return logged
    }

    /// Returns the value of the field with the tags of the rendition: those of its source and its fallback image, and those of
    /// its URL. Written once for all requests.
    func tags(in field: TagField) -> ByteString {
        if let known = tagText.withLock({ $0 }), known.field == field { return known.value }
        let sources = [source.name.tag] + (fallback.map { [$0.source.name.tag] } ?? [])
        var seen: Set<ByteString> = []
        let value = field.value(of: (sources + options.tags).filter { seen.insert($0).inserted })
        tagText.withLock { $0 = (field, value) }
        return value
    }

    static func == (one: Rendition, other: Rendition) -> Bool { one.key == other.key }

    func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension RenditionRequest {
    /// The request for the fallback image, or `nil` if the URL names none.
    fileprivate var ofFallback: RenditionRequest? {
        guard let fallback = options.fallback else { return nil }
        var options = options
        (options.fallback, options.hashsum) = (nil, nil)
        return RenditionRequest(source: fallback, options: options, accepted: accepted)
    }
}
