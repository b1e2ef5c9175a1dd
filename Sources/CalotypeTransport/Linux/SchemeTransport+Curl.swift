import CalotypeHTTP

extension Transport where Self == SchemeTransport {
    /// Returns a transport for `http` and `https` by libcurl, `file:` and `data:`.
    ///
    /// Each call opens separate connections: create one transport and share it.
    static func system(_ options: CurlTransport.Options = CurlTransport.Options()) -> SchemeTransport {
        .system(over: CurlTransport(options: options))
    }
}
