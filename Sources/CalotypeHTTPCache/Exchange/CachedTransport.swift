public import CalotypeHTTP

extension Transport {
    /// Answers from the cache what it may answer by RFC 9111, and stores what passes.
    ///
    /// Belongs right above a transport that carries one exchange, below `decodingContent()`, `followingRedirects()` and
    /// `retried()`: it has to see answers as they went over the wire. Each response says in `Cache-Status` (RFC 9211) and
    /// `cacheOutcome` where it came from.
    ///
    /// Beyond the transport's own errors it throws `notInCache` (see `HTTPCachePolicy.storedOnly`), and
    /// `malformedResponse` for a 304 to a request without a condition and for a part that was not asked for.
    public func cached(in cache: HTTPCache) -> some Transport { CachedTransport(base: self, cache: cache) }
}

private struct CachedTransport<Base: Transport>: Transport {
    let base: Base
    let cache: HTTPCache

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        try await CacheExchange(cache, request, over: base).response()
    }
}
