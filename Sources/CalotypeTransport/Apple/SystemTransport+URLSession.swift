#if canImport(Darwin)
    /// The transport for single HTTP exchanges on this platform.
    package typealias SystemTransport = URLSessionTransport

    extension URLSessionTransport {
        /// Creates a transport whose queue enforces a loader's limits, or returns `nil` if the platform's transport cannot.
        package static func queueing(_ limits: TransferLimits) -> URLSessionTransport? { nil }

        /// The numbers of requests that wait and of requests in flight, as far as the transport counts them.
        package var load: (waiting: Int, inFlight: Int) { (0, 0) }

        /// The slots of the transport's queue, which it does not count.
        package var slots: TransferSlots { TransferSlots() }

        package func isStuck(after limit: Duration) -> Bool { false }
    }
#endif
