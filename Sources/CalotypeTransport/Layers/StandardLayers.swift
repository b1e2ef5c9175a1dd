package import CalotypeHTTP

extension Transport {
    /// The layers above an exchange, or above the HTTP cache that stands on it: a try is a whole walk along redirects,
    /// and the cache sees answers as they went over the wire.
    ///
    ///     retry ▸ body limit ▸ redirects ▸ content decoding ▸ this transport
    ///
    /// - Parameters:
    ///   - clock: Measures the pauses between tries.
    ///   - asksForPacked: Whether to ask for a content coding. Otherwise the exchange asks for plain bytes: images are
    ///     packed already.
    ///   - decide: Decides on each redirect. If `nil` (the default), all are followed.
    package func withStandardLayers(
        retry: RetryPolicy, bodyLimit: Int, clock: any Clock<Duration> = ContinuousClock(), asksForPacked: Bool = false,
        redirect decide: (@Sendable (HTTPRequest, HTTPResponse) async -> HTTPRequest?)? = nil
    ) -> some Transport {
        decodingContent(asksForPacked: asksForPacked).followingRedirects(decide: decide).limitingBody(to: bodyLimit)
            .retried(retry, clock: clock)
    }
}
