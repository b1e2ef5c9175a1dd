#if canImport(Darwin)
    public import CalotypeHTTP
    public import CalotypeTransport

    extension StandardTransport {
        /// Over URLSession.
        ///
        /// - Parameters:
        ///   - connectionsPerHost: 6 by default.
        ///   - retry: which failures are tried again, and how often. Twice by default.
        ///   - bodyLimit: bytes of a body, after decoding. The smaller of 200 MB and 10 % of memory by default.
        public static func make(
            connectionsPerHost: Int = 6, retry: RetryPolicy = .twice, bodyLimit: Int = HTTPBody.standardLimit
        ) -> any Transport {
            layered(URLSessionTransport(connectionsPerHost: connectionsPerHost), retry, bodyLimit)
        }

        /// One exchange at a time as it goes over the wire.
        static func exchange() -> URLSessionTransport { URLSessionTransport() }
    }
#endif
