#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The source of the time of day, for expiry and HTTP dates. Tests replace it.
///
/// Waiting and timeouts use a Swift `Clock` instead, which does not jump when the date is set.
public struct WallClock: Sendable {
    private let read: @Sendable () -> Double

    /// - Parameter read: Returns the seconds since 1970-01-01 00:00 UTC, including fractions.
    public init(_ read: @escaping @Sendable () -> Double) { self.read = read }

    /// The seconds since 1970-01-01 00:00 UTC.
    public var now: Double { read() }

    /// The system's clock.
    public static let system = WallClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
