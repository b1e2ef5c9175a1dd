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

extension SchemeTransport {
    /// `http` and `https` by `network`, and `file:` and `data:`, which need none.
    static func system(over network: some Transport) -> SchemeTransport {
        SchemeTransport([
            "http": network, "https": network, "file": FileTransport(), "data": DataURLTransport(),
        ])
    }
}
