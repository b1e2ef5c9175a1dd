public import CalotypeHTTP
public import CalotypeTransport

extension StandardTransport {
    /// Over libcurl, on a connection pool and a thread of its own.
    ///
    /// - Parameters:
    ///   - curl: connections, proxy, certificates.
    ///   - retry: which failures are tried again, and how often. Twice by default.
    ///   - bodyLimit: bytes of a body, after decoding. The smaller of 200 MB and 10 % of memory by default.
    public static func make(
        curl: CurlTransport.Options = CurlTransport.Options(), retry: RetryPolicy = .twice,
        bodyLimit: Int = HTTPBody.standardLimit
    ) -> any Transport {
        layered(CurlTransport(options: curl), retry, bodyLimit)
    }

    /// One exchange at a time as it goes over the wire.
    static func exchange() -> CurlTransport { CurlTransport() }
}
