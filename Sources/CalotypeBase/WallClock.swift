#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Where the time of day comes from: what expires and what an HTTP date says. Replaced in tests.
///
/// Waiting and timeouts use a Swift `Clock` instead, which does not jump when somebody sets the date.
public struct WallClock: Sendable {
    private let read: @Sendable () -> Double

    /// - Parameter read: seconds since 1970-01-01 00:00 UTC, with their fraction.
    public init(_ read: @escaping @Sendable () -> Double) {
        self.read = read
    }

    /// Seconds since 1970-01-01 00:00 UTC.
    public var now: Double { read() }

    /// The system's clock.
    public static let system = WallClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
