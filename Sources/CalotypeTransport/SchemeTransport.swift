public import CalotypeHTTP
import Foundation
import ResourceProvider

/// Hands each request to the transport for its URL's scheme.
public struct SchemeTransport: Transport {
    private let transports: [String: any Transport]

    /// - Parameter transports: by scheme; case does not count. For any other scheme a request fails with
    ///   `unsupportedScheme`.
    public init(_ transports: [String: any Transport]) {
        self.transports = Dictionary(
            transports.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard let scheme = request.url.scheme, !scheme.isEmpty else {
            throw TransportError(.malformedURL, "the URL has no scheme")
        }
        guard let transport = transports[scheme] ?? transports[scheme.lowercased()] else {
            throw .unsupportedScheme(scheme)
        }
        return try await transport.send(request)
    }
}

extension Transport where Self == SchemeTransport {
    /// What the system offers: `http` and `https`, `file:` and `data:`.
    ///
    /// The network is libcurl's on Linux. On Apple's platforms it is URLSession's, which of the options knows
    /// `connectionsPerHost`. Each call makes a transport with connections of its own: make one and share it.
    public static func system(_ options: CurlTransport.Options = CurlTransport.Options()) -> SchemeTransport {
        let network = systemNetwork(options)
        return SchemeTransport([
            "http": network, "https": network, "file": FileTransport(), "data": DataURLTransport(),
        ])
    }
}

#if canImport(Darwin)
    private func systemNetwork(_ options: CurlTransport.Options) -> any Transport {
        URLSessionTransport(connectionsPerHost: options.connectionsPerHost)
    }
#else
    private func systemNetwork(_ options: CurlTransport.Options) -> any Transport {
        CurlTransport(options: options)
    }
#endif
