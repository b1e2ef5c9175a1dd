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

extension ByteString {
    /// The text after "local:", or `nil` if the URL of a source has another scheme.
    fileprivate var localPath: ByteString? {
        let parts = split(separator: UInt8(ascii: ":"), maxSplits: 1)
        return parts.count == 2 && CaselessString(parts[0]) == "local" ? parts[1] : nil
    }

    private var isWebSource: Bool {
        let parts = split(separator: UInt8(ascii: ":"), maxSplits: 1)
        return parts.count == 2 && ["http", "https"].contains(parts[0].lowercasedASCII)
    }

    /// Whether the URL of a source has the scheme of files below the server's root.
    var isLocalSource: Bool { localPath != nil }

    /// The URL of a source, in the one form of its cache key. A local path loses its query, its empty parts and its "."
    /// parts, as imgproxy removes them; "%" and "#" belong to the names of files. A URL of the web loses its fragment,
    /// and bytes that its path or its query may not have are percent-encoded. Other URLs stay as they are.
    var normalizedSource: ByteString {
        if isWebSource { return split(separator: UInt8(ascii: "#"), maxSplits: 1)[0].escapedAsURL }
        guard let path = localPath, path.hasPrefix("///") else { return self }
        let name = path.split(separator: UInt8(ascii: "?"), maxSplits: 1)[0]
        let parts = name.split(separator: UInt8(ascii: "/")).filter { !$0.isEmpty && $0 != "." }
        return "local:///\(parts.joined(separator: "/"))"
    }
}

extension RenditionRequest {
    /// Throws if the URL of the source or of the fallback image is invalid or not allowed.
    func checkSources(_ allowed: AllowedSources) throws(RenditionError) {
        _ = try RenditionSource(source, allowed: allowed)
        if let fallback = options.fallback { _ = try RenditionSource(fallback, allowed: allowed) }
    }
}

extension RenditionRequest {
    /// Whether the source is a file below the server's root.
    var isLocal: Bool { source.isLocalSource }
}
