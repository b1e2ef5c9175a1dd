import CalotypeBase
import CalotypeURLs
import Foundation

/// The source of a rendition: its URL, parsed once when the request is understood.
struct RenditionSource: Hashable, Sendable {
    enum Place: Hashable, Sendable {
        /// A path below the root.
        case local(ByteString)
        case given(GivenImage)
        /// In the body of the request.
        case posted(PostedImage)
        case web(URL)
        case object(S3Object)
    }

    /// The URL as text.
    let url: ByteString
    let place: Place
    /// The name by which purges judge the source.
    let name: SourceName
    /// The host that is asked for the source, or `nil` for a local one.
    let host: ByteString?

    /// - Throws: 400 if the text is not a URL or its path leads out of the root, 403 if the source is not allowed.
    init(_ url: ByteString, allowed: AllowedSources) throws(RenditionError) {
        self.url = url
        if let object = try allowed.objects.object(of: url) {
            (place, host, name) = (.object(object), object.bucket.host, SourceName(object))
            return
        }
        guard let path = url.localPath else {
            let source = try SourceURL(url)
            guard allowed.contains(source), let url = source.url else {
                throw RenditionError(403, "the source is not one that the server loads")
            }
            (place, host, name) = (.web(url), source.host, SourceName(source))
            return
        }
        name = try SourceName(localPath: path)
        guard path.count > 3 else { throw .malformed("a local source is local:///path") }
        if let given = allowed.fallback, given.url == url {
            (place, host) = (.given(given), nil)
            return
        }
        guard allowed.containsLocal(path) else {
            throw RenditionError(403, "the source is not one that the server loads")
        }
        (place, host) = (.local(path.dropFirst(3)), nil)
    }

    init(_ image: PostedImage) {
        (url, place, host, name) = (image.url, .posted(image), nil, .posted)
    }

    var isLocal: Bool { host == nil }

    /// The value of Link that names the source on the web as the canonical URL; otherwise `nil`.
    var link: ByteString? {
        if case .web = place { "<\(url)>; rel=\"canonical\"" } else { nil }
    }
}
