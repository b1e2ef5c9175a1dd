package import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
package import CalotypeTransport
package import CalotypeURLs
package import Foundation

/// The sources that a server may load: prefixes of URLs, compared by their components.
package struct AllowedSources: Hashable, Sendable {
    private var prefixes: [SourceURL] = []
    /// The beginnings of paths below the root, in parts; none permits all of them.
    private var folders: [[ByteString]] = []
    /// The operator's fallback image, which is a source like a file below the root; `nil` by default.
    package var fallback: GivenImage?
    /// The permitted objects in buckets.
    package var objects = ObjectSources()

    package init() {}

    package var isEmpty: Bool { prefixes.isEmpty && objects.buckets.isEmpty && !objects.permitsAnyBucket }

    /// Whether sources of anybody's hosts are allowed: by "*", or by "*." and a top-level domain.
    package var includesAnyHost: Bool {
        objects.permitsAnyBucket
            || prefixes.contains { $0.host.hasPrefix("*") && !$0.host.dropFirst(2).contains(UInt8(ascii: ".")) }
    }

    /// Allows all sources with the scheme, host and port of a URL, at its path or below it. The host "*" stands for all
    /// hosts, "*.example.com" for those below example.com, and the port "*" for all ports. Of local sources, which need no permission, those alone
    /// are allowed then.
    ///
    /// - Throws: 400 if the prefix is not a valid http, https, s3 or local URL, or has a query.
    package mutating func allow(_ prefix: ByteString) throws(RenditionError) {
        if prefix.isObjectSource { return try objects.allow(prefix) }
        guard let path = prefix.localPath else {
            let url = try SourceURL(prefix.escapedAsURL, takesPattern: true)
            guard url.query == nil else { throw .malformed("an allowed source has no query") }
            return prefixes.append(url)
        }
        guard path.hasPrefix("///"), !path.hasDotParts, !path.contains(UInt8(ascii: "*")) else {
            throw .malformed("a folder of local sources is local:///path, without \"..\" and \"*\"")
        }
        folders.append(path.split(separator: UInt8(ascii: "/")).filter { !$0.isEmpty })
    }

    /// Returns whether a path below the root, which begins with a slash and has no ".." parts, is permitted.
    func containsLocal(_ path: ByteString) -> Bool {
        let parts = path.split(separator: UInt8(ascii: "/")).filter { !$0.isEmpty }
        return folders.isEmpty || folders.contains { parts.starts(with: $0) }
    }

    /// Returns the first host that is a refused address or "localhost", with its address; otherwise `nil`. Names are
    /// judged when they are looked up.
    package func refusedHost(_ rules: AddressRules) -> (host: ByteString, address: String)? {
        for prefix in prefixes {
            if let address = rules.refusedAddress(ofHost: prefix.host.string) { return (prefix.host, address) }
        }
        return nil
    }

    func contains(_ url: SourceURL) -> Bool {
        prefixes.contains { prefix in
            guard prefix.scheme == url.scheme, prefix.covers(url.host), prefix.covers(url.port) else { return false }
            return url.path == prefix.path
                || url.path.hasPrefix(prefix.path.hasSuffix("/") ? prefix.path : "\(prefix.path)/")
        }
    }

    /// Returns `true` if a redirect may lead to the URL.
    func contains(_ url: URL) -> Bool {
        (try? SourceURL(ByteString(url.absoluteString).normalizedSource)).map(contains) ?? false
    }
}

/// An image that the operator gives the server: its bytes, and the URL of a local source that stands for them.
package struct GivenImage: Hashable, Sendable {
    let data: Data
    let digest: String
    package let url: ByteString

    package init(_ data: Data) {
        self.data = data
        digest = data.withUnsafeBytes { KeyDigest.hex(of: $0) }
        url = "local:///fallback/\(digest)"
    }
}

/// A URL of the web in a strict subset of RFC 3986's syntax, so that every parser finds the same host in it.
struct SourceURL: Hashable, Sendable {
    /// The scheme in lower case.
    let scheme: ByteString
    let host: ByteString
    /// The port; 0 in a pattern for all of them.
    let port: Int
    /// The path, which is at least "/".
    let path: ByteString
    let query: ByteString?

    /// - Parameter takesPattern: Whether the host may be "*" or begin with "*.", and the port be "*". The default is `false`.
    /// - Throws: 400 unless the text is a strictly valid http or https URL without a user, a fragment, or "." and ".."
    ///   in its path.
    init(_ text: ByteString, takesPattern: Bool = false) throws(RenditionError) {
        let parts = text.split(separator: UInt8(ascii: ":"), maxSplits: 1)
        scheme = parts[0].lowercasedASCII
        guard parts.count == 2, parts[1].hasPrefix("//") else {
            throw .malformed("the source is not an absolute URL, such as https://example.com/cat.jpg")
        }
        guard scheme == "http" || scheme == "https" else {
            throw .malformed("the scheme \(parts[0].quoted) is not supported (supported: http, https, s3, local)")
        }
        let rest = parts[1].dropFirst(2)
        let split = rest.split(separator: UInt8(ascii: "?"), maxSplits: 1)
        query = split.count == 2 ? split[1] : nil
        let segments = split[0].split(separator: UInt8(ascii: "/"), maxSplits: 1)
        (host, port) = try Self.authority(segments[0], isSecure: scheme == "https", takesPattern: takesPattern)
        guard rest.withBytes({ $0.allSatisfy(\.isURLCharacter) }), rest.percentDecoded != nil else {
            throw .malformed("the source has characters that a URL does not have: percent-encode them")
        }
        path = segments.count == 2 ? "/\(segments[1])" : "/"
        guard path.percentDecoded?.hasDotParts == false else {
            throw .malformed("the path of the source contains \".\" or \"..\"")
        }
    }

    private static func authority(
        _ text: ByteString, isSecure: Bool, takesPattern: Bool
    ) throws(RenditionError) -> (ByteString, Int) {
        guard !text.contains(UInt8(ascii: "@")) else {
            throw .malformed("the source names a user: give its server credentials by --source-header")
        }
        guard !text.hasPrefix("[") else {
            throw .malformed("the source names an IPv6 address: give its host a name")
        }
        let words = text.split(separator: UInt8(ascii: ":"), maxSplits: 1)
        guard !words[0].isEmpty else { throw .malformed("the source names no host") }
        let isPattern = takesPattern && (words[0] == "*" || words[0].hasPrefix("*.") && words[0].count > 2)
        let name = isPattern ? words[0].dropFirst() : words[0]
        guard name.withBytes({ $0.allSatisfy(\.isHostCharacter) }) else {
            throw .malformed("the host of the source has more than ASCII letters, digits, \"-\" and \".\" (see xn--)")
        }
        guard words.count == 2 else { return (words[0].lowercasedASCII, isSecure ? 443 : 80) }
        if takesPattern, words[1] == "*" { return (words[0].lowercasedASCII, 0) }
        guard let port = words[1].asDigits, (1...65_535).contains(port) else {
            throw .malformed("the port of the source is not a number from 1 to 65535")
        }
        return (words[0].lowercasedASCII, port)
    }

    /// Returns whether the host, which may be a pattern, stands for another host.
    func covers(_ other: ByteString) -> Bool {
        guard host.hasPrefix("*") else { return host == other }
        let end = host.dropFirst()
        return other.hasSuffix(end) && other.count > end.count
    }

    /// Returns whether the port, which may be a pattern, stands for another port.
    func covers(_ other: Int) -> Bool { port == 0 || port == other }

    /// The URL for the transport, or `nil` if Foundation parses a different host or port from its text.
    var url: URL? {
        let text = "\(scheme)://\(host):\(port)\(path)\(query.map { "?\($0)" } ?? "")"
        guard let url = URL(text: ByteString(text)), let origin = try? HTTPOrigin(url), origin.port == port,
            origin.host == CaselessString(host)
        else { return nil }
        return url
    }
}

extension ByteString {
    /// Whether a server may take a part of the path, which is percent-decoded, for "." or "..": some take "\" for "/", and
    /// some ignore what follows a ";" in a part.
    var hasDotParts: Bool {
        let slashed = ByteString(bytes: bytes.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 })
        return slashed.split(separator: UInt8(ascii: "/")).contains { part in
            [".", ".."].contains(part.split(separator: UInt8(ascii: ";"), maxSplits: 1)[0])
        }
    }
}

extension UInt8 {
    /// Whether the byte is unreserved, reserved or "%" (RFC 3986 §2), except "#", "[" and "]".
    fileprivate var isURLCharacter: Bool { isAlphanumeric || "-._~:/?@!$&'()*+,;=%".utf8.contains(self) }

    fileprivate var isHostCharacter: Bool { isAlphanumeric || "-.".utf8.contains(self) }
}
