#if canImport(Darwin)
    import CalotypeHTTP

    extension Transport where Self == SchemeTransport {
        /// Returns a transport for `http` and `https` by URLSession, `file:` and `data:`.
        ///
        /// Each call opens separate connections: create one transport and share it.
        static func system(connectionsPerHost: Int = 6) -> SchemeTransport {
            .system(over: URLSessionTransport(connectionsPerHost: connectionsPerHost))
        }
    }
#endif
