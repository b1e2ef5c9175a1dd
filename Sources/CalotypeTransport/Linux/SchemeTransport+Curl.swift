package import CalotypeHTTP

extension Transport where Self == SchemeTransport {
    /// The system's transport: `http` and `https` by libcurl, `file:` and `data:`.
    ///
    /// Each call makes a transport with connections of its own: make one and share it.
    package static func system(_ options: CurlTransport.Options = CurlTransport.Options()) -> SchemeTransport {
        .system(over: CurlTransport(options: options))
    }
}
