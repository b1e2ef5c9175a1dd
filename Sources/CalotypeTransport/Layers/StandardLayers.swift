package import CalotypeHTTP

extension Transport {
    /// Adds the standard layers to a transport or an HTTP cache. Each retry begins with the original URL, and the cache
    /// sees responses as they were on the wire.
    ///
    ///     retry ▸ body limit ▸ redirects ▸ content decoding ▸ this transport
    ///
    /// - Parameters:
    ///   - asksForPacked: Whether to request gzip or deflate. The default is `false`: images are compressed already.
    ///   - redirectLimit: The maximum number of consecutive redirects. The default is 10.
    ///   - decide: Decides on each redirect. If `nil` (the default), all redirects are followed.
    package func withStandardLayers(
        retry: RetryPolicy, bodyLimit: Int, clock: any Clock<Duration> = ContinuousClock(), asksForPacked: Bool = false,
        redirectLimit: Int = 10,
        redirect decide: (@Sendable (HTTPRequest, HTTPResponse) async -> HTTPRequest?)? = nil
    ) -> some Transport {
        decodingContent(asksForPacked: asksForPacked).followingRedirects(limit: redirectLimit, decide: decide)
            .limitingBody(to: bodyLimit).retried(retry, clock: clock)
    }
}
