#if canImport(Darwin)
    import CalotypeTransport

    extension StandardTransport {
        /// Returns a transport that performs single exchanges, without further layers.
        static func exchange() -> URLSessionTransport { URLSessionTransport() }
    }
#endif
