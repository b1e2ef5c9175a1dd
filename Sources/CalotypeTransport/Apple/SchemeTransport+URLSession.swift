#if canImport(Darwin)
    package import CalotypeHTTP

    extension Transport where Self == SchemeTransport {
        /// The system's transport: `http` and `https` by URLSession, `file:` and `data:`.
        ///
        /// Each call makes a transport with connections of its own: make one and share it.
        package static func system(connectionsPerHost: Int = 6) -> SchemeTransport {
            .system(over: URLSessionTransport(connectionsPerHost: connectionsPerHost))
        }
    }
#endif
