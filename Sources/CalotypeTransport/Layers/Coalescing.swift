import CalotypeBase
package import CalotypeHTTP

extension Transport {
    /// Sends overlapping requests with equal keys once. All receive the response, with its whole body, or the error.
    ///
    /// For responses that are expensive to make and that an HTTP cache may not share.
    ///
    /// - Parameter key: Returns everything on which the response depends.
    package func coalesced(by key: @escaping @Sendable (HTTPRequest) -> ByteString) -> some Transport {
        CoalescingTransport(base: self, key: key)
    }
}

private struct CoalescingTransport<Base: Transport>: Transport {
    let base: Base
    let key: @Sendable (HTTPRequest) -> ByteString
    let flights = Coordinator<ByteString, Never, HTTPResponse, TransportError>(cancelled: .cancelled)

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        try await flights.value(for: key(request)) { [base] _ in
            await Result(awaiting: { () async throws(TransportError) in
                var response = try await base.send(request)
                // A streaming body has one reader.
                if response.body.whole == nil { response.body = HTTPBody(try await response.body.collect()) }
                return response
            })
        }
    }
}
