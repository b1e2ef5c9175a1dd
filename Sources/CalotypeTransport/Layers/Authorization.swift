import CalotypeBase
public import CalotypeHTTP

extension Transport {
    /// Passes each request to `prepare`, which may throw to reject it, and sends the request that `prepare` returns.
    ///
    /// Use this to fetch or renew tokens, or to sign each exchange. `prepare` runs once per exchange: below
    /// `followingRedirects()` and `retried()` it sees every attempt, so check the URL's origin before you add a secret.
    /// A request cancelled while `prepare` runs is not sent.
    public func authorized(
        _ prepare: @escaping @Sendable (HTTPRequest) async throws(TransportError) -> HTTPRequest
    ) -> some Transport {
        AuthorizedTransport(base: self, prepare: prepare)
    }
}

private struct AuthorizedTransport<Base: Transport>: Transport {
    let base: Base
    let prepare: @Sendable (HTTPRequest) async throws(TransportError) -> HTTPRequest

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let prepared = await Result(awaiting: { () async throws(TransportError) in try await prepare(request) })
        // After a cancellation, the request fails with `cancelled`, whatever `prepare` returned or threw.
        guard !Task.isCancelled else { throw .cancelled }
        return try await base.send(try prepared.get())
    }
}
