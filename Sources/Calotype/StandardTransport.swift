public import CalotypeHTTP
public import CalotypeTransport

/// The transport that a loader uses unless told otherwise: `http`, `https`, `file` and `data`.
public enum StandardTransport {
    #if os(Linux)
        /// Over libcurl, on a connection pool and a thread of its own.
        ///
        /// - Parameters:
        ///   - curl: connections, proxy, certificates.
        ///   - retry: which failures are tried again, and how often. Twice by default.
        ///   - bodyLimit: bytes of a body, after decoding. The smaller of 200 MB and 10 % of memory by default.
        public static func make(
            curl: CurlTransport.Options = CurlTransport.Options(), retry: RetryPolicy = .twice,
            bodyLimit: Int = BodyLimit.standard
        ) -> any Transport {
            layered(CurlTransport(options: curl), retry, bodyLimit)
        }
    #else
        /// Over URLSession.
        public static func make(retry: RetryPolicy = .twice, bodyLimit: Int = BodyLimit.standard) -> any Transport {
            layered(URLSessionTransport(), retry, bodyLimit)
        }
    #endif

    /// What stands above a single exchange, from the wire upward. A cache that follows RFC 9111 belongs right above
    /// the exchange, below everything that is listed here: it has to see answers as they went over the wire.
    private static func layered(_ exchange: some Transport, _ retry: RetryPolicy, _ bodyLimit: Int) -> any Transport {
        let web = AskingForPlainBytes(base: exchange.decodingContent())
            .followingRedirects()
            .limitingBody(to: bodyLimit)
            .retried(retry)
        return SchemeTransport([
            "http": web, "https": web,
            "file": FileTransport().limitingBody(to: bodyLimit), "data": DataURLTransport(),
        ])
    }
}

/// Pictures are packed already: asks for them as they are, unless the request says otherwise. A server that packs them
/// all the same is understood.
private struct AskingForPlainBytes<Base: Transport>: Transport {
    let base: Base

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard request.fields["Accept-Encoding"] == nil else { return try await base.send(request) }
        var plain = request
        plain.fields["Accept-Encoding"] = "identity"
        return try await base.send(plain)
    }
}
