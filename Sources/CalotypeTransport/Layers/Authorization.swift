public import CalotypeHTTP

extension Transport {
    /// Lets `prepare` rewrite each request before it goes out, or refuse it by throwing.
    ///
    /// For tokens that have to be fetched or renewed, and for signatures. It runs once for each exchange: below
    /// `followingRedirects()` and `retried()` it sees every try, so look at the URL's origin before giving a secret away.
    /// Work that is cancelled meanwhile sends nothing.
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
        let prepared = await outcome(of: request)
        // Whatever the hook made of the cancellation, it is one.
        guard !Task.isCancelled else { throw .cancelled }
        return try await base.send(try prepared.get())
    }

    private func outcome(of request: HTTPRequest) async -> Result<HTTPRequest, TransportError> {
        do throws(TransportError) {
            return .success(try await prepare(request))
        } catch {
            return .failure(error)
        }
    }
}
