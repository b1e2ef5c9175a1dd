package import CalotypeBase
package import Foundation

/// An origin: a scheme, a host and a port (RFC 9110 §4.3.1). Credentials for one origin must not reach another.
package struct HTTPOrigin: Hashable, Sendable, CustomStringConvertible {
    /// The scheme: "http" or "https".
    package let scheme: CaselessString
    /// The host, in lower case.
    package let host: CaselessString
    package let port: Int

    /// - Throws: `unsupportedScheme` unless the scheme is http or https; `malformedURL` if scheme or host is missing,
    ///   or the port is not between 1 and 65535.
    package init(_ url: URL) throws(TransportError) {
        guard let scheme = url.caselessScheme else {
            throw TransportError(.malformedURL, "the URL has no scheme")
        }
        guard scheme == "http" || scheme == "https" else { throw .unsupportedScheme(scheme.lowercased.string) }
        guard let host = url.host, !host.isEmpty else { throw TransportError(.malformedURL, "the URL has no host") }
        let port = url.port ?? (scheme == "https" ? 443 : 80)
        guard (1...65_535).contains(port) else { throw TransportError(.malformedURL, "the port \(port) is invalid") }
        self.scheme = CaselessString(scheme.lowercased)
        self.host = CaselessString(ByteString(host).lowercasedASCII)
        self.port = port
    }

    package var description: String {
        let isDefault = port == (scheme == "https" ? 443 : 80)
        return isDefault ? host.string : "\(host):\(port)"
    }
}
