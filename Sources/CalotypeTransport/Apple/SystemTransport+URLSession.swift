#if canImport(Darwin)
    /// The transport for single HTTP exchanges on this platform.
    package typealias SystemTransport = URLSessionTransport
#endif
