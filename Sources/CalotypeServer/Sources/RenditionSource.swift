import CalotypeBase
import CalotypeHTTP
import Foundation

/// The parsed URL of a source.
enum RenditionSource: Hashable, Sendable {
    /// A path below the root.
    case local(ByteString)
    case web(URL)

    /// - Throws: 400 if the text is not a URL or its path leads out of the root, 403 if the source is not allowed.
    init(_ url: ByteString, allowed: AllowedSources) throws(RenditionError) {
        let parts = url.split(separator: UInt8(ascii: ":"), maxSplits: 1)
        guard parts.count == 2, CaselessString(parts[0]) == "local" else {
            let source = try SourceURL(url)
            guard allowed.contains(source), let url = source.url else {
                throw RenditionError(403, "the source is not one that the server loads")
            }
            self = .web(url)
            return
        }
        guard parts[1].hasPrefix("///"), !parts[1].contains(UInt8(ascii: "?")), !parts[1].contains(UInt8(ascii: "#")),
            let path = parts[1].dropFirst(3).percentDecoded
        else { throw .malformed("a local source is local:///path, with \"%\", \"?\" and \"#\" percent-encoded") }
        let components = path.split(separator: UInt8(ascii: "/"))
        guard !components.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }), !path.contains(0) else {
            throw .malformed("the path of a local source contains an empty part, \".\", \"..\" or NUL")
        }
        self = .local(path)
    }
}

extension RenditionRequest {
    /// Throws if the URL of the source or of the fallback image is invalid or not allowed.
    func checkSources(_ allowed: AllowedSources) throws(RenditionError) {
        _ = try RenditionSource(source, allowed: allowed)
        if let fallback = options.fallback { _ = try RenditionSource(fallback, allowed: allowed) }
    }
}
