#if canImport(Darwin)
    public import CalotypeHTTP
    public import CalotypeTransport

    extension StandardTransport {
        /// Returns a transport over URLSession.
        ///
        /// - Parameters:
        ///   - connectionsPerHost: The number of connections to a host. The default is 6.
        ///   - retry: The failures to retry, and the number of retries. Two by default.
        ///   - bodyLimit: The largest decoded body in bytes. By default the smaller of 200 MB and 10 % of memory.
        public static func make(
            connectionsPerHost: Int = 6, retry: RetryPolicy = .twice, bodyLimit: Int = HTTPBody.standardLimit
        ) -> any Transport {
            layered(URLSessionTransport(connectionsPerHost: connectionsPerHost), retry, bodyLimit)
        }

        /// Returns a transport that performs single exchanges, without further layers.
        static func exchange() -> URLSessionTransport { URLSessionTransport() }
    }
#endif
