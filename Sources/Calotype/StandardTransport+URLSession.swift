#if canImport(Darwin)
    public import CalotypeHTTP
    public import CalotypeHTTPCache
    public import CalotypeTransport

    extension StandardTransport {
        /// Over URLSession.
        ///
        /// - Parameters:
        ///   - connectionsPerHost: 6 by default.
        ///   - retry: which failures are tried again, and how often. Twice by default.
        ///   - bodyLimit: bytes of a body, after decoding. The smaller of 200 MB and 10 % of memory by default.
        ///   - cache: answers by RFC 9111, right above the exchange. None by default.
        public static func make(
            connectionsPerHost: Int = 6, retry: RetryPolicy = .twice, bodyLimit: Int = BodyLimit.standard,
            cache: HTTPCache? = nil
        ) -> any Transport {
            layered(URLSessionTransport(connectionsPerHost: connectionsPerHost), retry, bodyLimit, cache)
        }
    }
#endif
