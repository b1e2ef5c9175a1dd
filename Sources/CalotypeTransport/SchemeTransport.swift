import CalotypeBase
import CalotypeHTTP
import Foundation

/// Forwards each request to the transport for its URL's scheme.
struct SchemeTransport: Transport {
    private let transports: [CaselessString: any Transport]

    /// - Parameter transports: The transports by scheme. A request for another scheme fails with `unsupportedScheme`.
    init(_ transports: [CaselessString: any Transport]) {
        self.transports = transports
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
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
    /// Returns a transport that uses `network` for `http` and `https`, and also supports `file:` and `data:`.
    static func system(over network: some Transport) -> SchemeTransport {
        SchemeTransport([
            "http": network, "https": network, "file": FileTransport(), "data": DataURLTransport(),
        ])
    }
}
