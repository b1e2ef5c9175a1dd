public import CalotypeHTTP
public import CalotypeTransport

extension StandardTransport {
    /// Returns a transport over libcurl, with a separate connection pool and thread.
    ///
    /// - Parameters:
    ///   - curl: The options for connections, proxy and certificates.
    ///   - retry: The failures to retry, and the number of retries. Two by default.
    ///   - bodyLimit: The largest body in bytes, after decoding. By default the smaller of 200 MB and 10 % of memory.
    public static func make(
        curl: CurlTransport.Options = CurlTransport.Options(), retry: RetryPolicy = .twice,
        bodyLimit: Int = HTTPBody.standardLimit
    ) -> any Transport {
        layered(CurlTransport(options: curl), retry, bodyLimit)
    }

    /// Returns a transport that performs single exchanges, without further layers.
    static func exchange() -> CurlTransport { CurlTransport() }
}
