public import CalotypeHTTP
public import CalotypeHTTPCache
public import CalotypeTransport

extension StandardTransport {
    /// Over libcurl, on a connection pool and a thread of its own.
    ///
    /// - Parameters:
    ///   - curl: connections, proxy, certificates.
    ///   - retry: which failures are tried again, and how often. Twice by default.
    ///   - bodyLimit: bytes of a body, after decoding. The smaller of 200 MB and 10 % of memory by default.
    ///   - cache: answers by RFC 9111, right above the exchange. None by default.
    public static func make(
        curl: CurlTransport.Options = CurlTransport.Options(), retry: RetryPolicy = .twice,
        bodyLimit: Int = BodyLimit.standard, cache: HTTPCache? = nil
    ) -> any Transport {
        layered(CurlTransport(options: curl), retry, bodyLimit, cache)
    }
}
