package import CalotypeBase
import CalotypeHTTP

extension ByteString {
    /// The text after "local:", or `nil` if the URL of a source has another scheme.
    package var localPath: ByteString? {
        let parts = split(separator: UInt8(ascii: ":"), maxSplits: 1)
        return parts.count == 2 && CaselessString(parts[0]) == "local" ? parts[1] : nil
    }

    private var isWebSource: Bool {
        let parts = split(separator: UInt8(ascii: ":"), maxSplits: 1)
        return parts.count == 2 && ["http", "https"].contains(parts[0].lowercasedASCII)
    }

    /// Whether the URL of a source has the scheme of files below the server's root.
    package var isLocalSource: Bool { localPath != nil }

    /// The URL of a source, in the one form of its cache key. A local path loses its query, its empty parts and its "."
    /// parts, as imgproxy removes them; "%" and "#" belong to the names of files. A URL of the web loses its fragment,
    /// and bytes that its path or its query may not have are percent-encoded. Other URLs stay as they are.
    package var normalizedSource: ByteString {
        if isWebSource { return split(separator: UInt8(ascii: "#"), maxSplits: 1)[0].escapedAsURL }
        guard let path = localPath, path.hasPrefix("///") else { return self }
        let name = path.split(separator: UInt8(ascii: "?"), maxSplits: 1)[0]
        let parts = name.split(separator: UInt8(ascii: "/")).filter { !$0.isEmpty && $0 != "." }
        return "local:///\(parts.joined(separator: "/"))"
    }
}

extension RenditionRequest {
    /// Whether the source is a file below the server's root.
    package var isLocal: Bool { source.isLocalSource }
}
