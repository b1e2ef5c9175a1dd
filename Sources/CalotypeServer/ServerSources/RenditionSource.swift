import CalotypeBase
import CalotypeHTTP
import CalotypeURLs
import Foundation

/// The parsed URL of a source.
enum RenditionSource: Hashable, Sendable {
    /// A path below the root.
    case local(ByteString)
    case web(URL)
    case object(S3Object)

    /// - Throws: 400 if the text is not a URL or its path leads out of the root, 403 if the source is not allowed.
    init(_ url: ByteString, allowed: AllowedSources) throws(RenditionError) {
        if let object = try allowed.objects.object(of: url) {
            self = .object(object)
            return
        }
        guard let path = url.localPath else {
            let source = try SourceURL(url)
            guard allowed.contains(source), let url = source.url else {
                throw RenditionError(403, "the source is not one that the server loads")
            }
            self = .web(url)
            return
        }
        guard path.hasPrefix("///"), path.count > 3 else { throw .malformed("a local source is local:///path") }
        let components = path.dropFirst(3).split(separator: UInt8(ascii: "/"))
        guard !components.contains(".."), !path.contains(0) else {
            throw .malformed("the path of a local source contains \"..\" or NUL")
        }
        self = .local(path.dropFirst(3))
    }
}

extension RenditionRequest {
    /// Throws if the URL of the source or of the fallback image is invalid or not allowed.
    func checkSources(_ allowed: AllowedSources) throws(RenditionError) {
        _ = try RenditionSource(source, allowed: allowed)
        if let fallback = options.fallback { _ = try RenditionSource(fallback, allowed: allowed) }
    }
}
