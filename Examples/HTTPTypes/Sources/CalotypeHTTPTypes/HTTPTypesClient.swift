public import CalotypeHTTPCache
public import Foundation
public import HTTPTypes

/// A client for requests of HTTPTypes over a transport, such as one with a cache.
public struct HTTPTypesClient: Sendable {
    private let transport: any Transport

    /// Creates a client over a transport.
    public init(_ transport: some Transport) {
        self.transport = transport
    }

    /// Sends a request, and returns the head of its response and the body, which is read once.
    ///
    /// - Parameters:
    ///   - request: The request, with scheme, authority and path.
    ///   - body: The content. `nil` (the default) for none.
    /// - Throws: `malformedURL` if the request has no URL, or the error of the transport.
    public func send(
        _ request: HTTPTypes.HTTPRequest, body: Data? = nil
    ) async throws(TransportError) -> (HTTPTypes.HTTPResponse, HTTPBody) {
        var sent = try CalotypeHTTP.HTTPRequest(request)
        sent.body = body
        let response = try await transport.send(sent)
        return (try HTTPTypes.HTTPResponse(response), response.body)
    }
}
