public import CalotypeHTTP
public import Foundation
public import ResourceProvider

extension Provider {
    /// The bytes behind a URL: over the network, from a file or from a `data:` URL.
    ///
    /// Redirects are followed, contents decoded, and what fails for the moment is tried twice more. A status outside
    /// 200..<300 is an error, `badStatus`, and so is a body above the limit. Cancelling the task ends the transfer.
    ///
    /// Each call opens connections of its own: make one provider and keep it.
    ///
    /// - Parameter limit: bytes of a body at most, after decoding.
    public static func networkDataSource(
        limit: Int = HTTPBody.standardLimit
    ) -> some AsyncProvider<URL, Data, TransportError> {
        let transport: SchemeTransport = .system()
        return networkDataSource(
            over: transport.withStandardLayers(retry: .twice, bodyLimit: limit, asksForPacked: true), limit: limit
        )
        .mapID { (url: URL) in HTTPRequest(url) }
    }

    /// The bytes behind a request, by a transport of your own with the layers that you want.
    ///
    /// For requests with fields, a method or timeouts of their own. Status and size are checked here.
    ///
    /// - Parameter limit: bytes of a body at most, as the transport hands them over.
    public static func networkDataSource(
        over transport: some Transport, limit: Int = HTTPBody.standardLimit
    ) -> some AsyncProvider<HTTPRequest, Data, TransportError> {
        let limited = transport.limitingBody(to: limit)
        return AnyAsyncProvider { (request: HTTPRequest) async throws(TransportError) -> Data in
            let response = try await limited.send(request)
            guard (200..<300).contains(response.status) else { throw .badStatus(response.status) }
            return try await response.body.collect(expected: response.contentLength)
        }
    }
}

extension TransportError {
    fileprivate static func badStatus(_ status: Int) -> TransportError {
        TransportError(.badStatus, "the server answered with status \(status)", status: status)
    }
}
