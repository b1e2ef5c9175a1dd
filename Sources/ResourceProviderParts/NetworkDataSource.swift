public import CalotypeHTTP
public import CalotypeTransport
public import Foundation
public import ResourceProvider

extension Provider {
    /// Returns a provider of the bytes of a URL: from the network, a file or a `data:` URL.
    ///
    /// The provider follows redirects and decodes content codings. A status outside 200..<300 throws `badStatus`, a 304 or
    /// a part, neither of which the provider asks for, `malformedResponse`, and a body above the limit `bodyTooLarge`.
    /// Cancelling the task ends the transfer.
    ///
    /// The provider sends a request again, at most twice, if the host is not found, the connection fails or a timeout
    /// passes before the head of the response, and after a 408, 429, 500, 502, 503 or 504. It waits as long as Retry-After
    /// states (a minute at most), otherwise up to 0.5 s the first time and up to 1 s the second time. A body that breaks
    /// off is not requested again. For other retries, put `RetryPolicy` around a transport of your own.
    ///
    /// Each provider has its own connections, so create one and keep it.
    ///
    /// - Parameters:
    ///   - limit: The maximum size of a body, in bytes after decoding. The default is `HTTPBody.standardLimit`.
    ///   - onBytes: Called with each part of a body in order, and its URL, for example for a progress bar or a
    ///     progressive image. The next part waits until this returns.
    public static func networkDataSource(
        limit: Int = HTTPBody.standardLimit, onBytes: (@Sendable (Data, URL) -> Void)? = nil
    ) -> some AsyncProvider<URL, Data, TransportError> {
        let network = SystemTransport()
        let transport = network.besideLocalSchemes(others: network, bodyLimit: limit)
        return networkDataSource(
            over: transport.withStandardLayers(retry: .twice, bodyLimit: limit, asksForPacked: true), limit: limit,
            onBytes: onBytes
        )
        .mapID { (url: URL) in HTTPRequest(url) }
    }

    /// Returns a provider of the bytes for a request, over your own transport and layers.
    ///
    /// Use it for requests with special fields, methods or timeouts. The provider checks status and size.
    ///
    /// - Parameters:
    ///   - limit: The maximum size of a body, in bytes. The default is `HTTPBody.standardLimit`.
    ///   - onBytes: Called with each part of a body in order, and its URL. The next part waits until this returns.
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

    /// Returns a provider of the response to a request. The body streams, and is never in memory as a whole.
    ///
    /// ```swift
    /// let response = try await responses.value(for: HTTPRequest(url))
    /// for try await part in response.body { file.write(part) }
    /// ```
    ///
    /// Do not cache or coordinate this provider: a body can be read only once. A status outside 200..<300 throws
    /// `badStatus`; a 304 or a part that the request did not ask for, `malformedResponse`. A body above the limit throws `bodyTooLarge`: at once if Content-Length announces it, otherwise
    /// while it is read. Releasing the response ends the transfer.
    ///
    /// - Parameters:
    ///   - transport: The transport with its layers.
    ///   - limit: The maximum size of a body, in bytes. The default is `HTTPBody.standardLimit`.
    public static func networkResponseSource(
        over transport: some Transport, limit: Int = HTTPBody.standardLimit
    ) -> some AsyncProvider<HTTPRequest, HTTPResponse, TransportError> {
        let limited = transport.limitingBody(to: limit)
        return AnyAsyncProvider { (request: HTTPRequest) async throws(TransportError) -> HTTPResponse in
            let response = try await limited.send(request)
            let status = response.status
            try request.checkAsked(for: status)
            guard (200..<300).contains(status) else {
                throw TransportError(.badStatus, "the server answered with status \(status)", status: status)
            }
            return response
        }
    }
}
