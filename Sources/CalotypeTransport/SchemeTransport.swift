import CalotypeBase
package import CalotypeHTTP
import Foundation

/// Hands each request to the transport for its URL's scheme.
package struct SchemeTransport: Transport {
    private let transports: [CaselessString: any Transport]

    /// - Parameter transports: by scheme. For any other scheme a request fails with
    ///   `unsupportedScheme`.
    package init(_ transports: [CaselessString: any Transport]) {
        self.transports = transports
    }

    package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard let scheme = request.url.scheme, !scheme.isEmpty else {
            throw TransportError(.malformedURL, "the URL has no scheme")
        }
        guard let transport = transports[CaselessString(scheme)] else {
            throw .unsupportedScheme(scheme)
        }
        return try await transport.send(request)
    }
}

extension SchemeTransport {
    /// `http` and `https` by `network`, and `file:` and `data:`, which need none.
    static func system(over network: some Transport) -> SchemeTransport {
        SchemeTransport([
            "http": network, "https": network, "file": FileTransport(), "data": DataURLTransport(),
        ])
    }
}
