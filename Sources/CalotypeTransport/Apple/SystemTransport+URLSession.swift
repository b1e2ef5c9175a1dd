#if canImport(Darwin)
    /// The transport of this platform for single exchanges over the web.
    package typealias SystemTransport = URLSessionTransport
#endif
