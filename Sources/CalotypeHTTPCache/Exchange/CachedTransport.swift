public import CalotypeHTTP

extension Transport {
    /// Answers requests from the cache where RFC 9111 allows it, and stores responses.
    ///
    /// Apply it directly to a transport that performs one exchange, below `decodingContent()`, `followingRedirects()`
    /// and `retried()`: the cache has to see responses as they were on the wire. `Cache-Status` (RFC 9211) and
    /// `cacheOutcome` record the source of each response.
    ///
    /// In addition to the transport's own errors it throws `notInCache` (see `HTTPCachePolicy.storedOnly`),
    /// `malformedResponse` for a 304 or a part that the request did not ask for, and `other` if the stored response is
    /// removed while the origin confirms it.
    public func cached(in cache: HTTPCache) -> some Transport { CachedTransport(base: self, cache: cache) }
}

private struct CachedTransport<Base: Transport>: Transport {
    let base: Base
    let cache: HTTPCache

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        try await CacheExchange(cache, request, over: base).response()
    }
}
