package import CalotypeHTTP

extension Transport {
    /// The layers above an exchange, or above the HTTP cache that stands on it: a try is a whole walk along redirects,
    /// and the cache sees answers as they went over the wire.
    ///
    ///     retry ▸ body limit ▸ redirects ▸ content decoding ▸ this transport
    package func withStandardLayers(retry: RetryPolicy, bodyLimit: Int) -> some Transport {
        decodingContent().followingRedirects().limitingBody(to: bodyLimit).retried(retry)
    }
}
