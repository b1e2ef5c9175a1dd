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
    /// - Parameters:
    ///   - limit: bytes of a body at most, after decoding.
    ///   - onBytes: Called with each part of a body as it comes, in order, and its URL: for a bar, or an image that is shown
    ///     as far as it is there. The next part waits until it returns.
    public static func networkDataSource(
        limit: Int = HTTPBody.standardLimit, onBytes: (@Sendable (Data, URL) -> Void)? = nil
    ) -> some AsyncProvider<URL, Data, TransportError> {
        let transport: SchemeTransport = .system()
        return networkDataSource(
            over: transport.withStandardLayers(retry: .twice, bodyLimit: limit, asksForPacked: true), limit: limit,
            onBytes: onBytes
        )
        .mapID { (url: URL) in HTTPRequest(url) }
    }

    /// The bytes behind a request, by a transport of your own with the layers that you want.
    ///
    /// For requests with fields, a method or timeouts of their own. Status and size are checked here.
    ///
    /// - Parameters:
    ///   - limit: bytes of a body at most, as the transport hands them over.
    ///   - onBytes: Called with each part of a body as it comes, in order, and the request's URL. The next part waits until
    ///     it returns.
    public static func networkDataSource(
        over transport: some Transport, limit: Int = HTTPBody.standardLimit,
        onBytes: (@Sendable (Data, URL) -> Void)? = nil
    ) -> some AsyncProvider<HTTPRequest, Data, TransportError> {
        let responses = networkResponseSource(over: transport, limit: limit)
        return AnyAsyncProvider { (request: HTTPRequest) async throws(TransportError) -> Data in
            let response = try await responses.value(for: request)
            guard let onBytes else { return try await response.body.collect(expected: response.contentLength) }
            var data = Data()
            for try await part in response.body {
                data.append(part)
                onBytes(part, request.url)
            }
            return data
        }
    }

    /// The response to a request, whose body is read as it comes and is never in memory as a whole.
    ///
    /// ```swift
    /// let response = try await responses.value(for: HTTPRequest(url))
    /// for try await part in response.body { file.write(part) }
    /// ```
    ///
    /// A body is read once: such a provider is neither cached nor coordinated. A status outside 200..<300 is an error,
    /// `badStatus`; a body above the limit throws `bodyTooLarge` while it is read. Letting go of the response ends the
    /// transfer.
    ///
    /// - Parameters:
    ///   - transport: The transport, with the layers that you want.
    ///   - limit: bytes of a body at most, as the transport hands them over.
    public static func networkResponseSource(
        over transport: some Transport, limit: Int = HTTPBody.standardLimit
    ) -> some AsyncProvider<HTTPRequest, HTTPResponse, TransportError> {
        let limited = transport.limitingBody(to: limit)
        return AnyAsyncProvider { (request: HTTPRequest) async throws(TransportError) -> HTTPResponse in
            let response = try await limited.send(request)
            guard (200..<300).contains(response.status) else { throw .badStatus(response.status) }
            return response
        }
    }
}

extension TransportError {
    fileprivate static func badStatus(_ status: Int) -> TransportError {
        TransportError(.badStatus, "the server answered with status \(status)", status: status)
    }
}
