import Glibc

/// The monotonic clock of a listener's deadlines. Tests replace it.
package struct ListenerClock: Sendable {
    private let read: @Sendable () -> UInt64

    /// - Parameter read: Returns the nanoseconds since any fixed moment.
    package init(_ read: @escaping @Sendable () -> UInt64) {
        self.read = read
    }

    func now() -> UInt64 { read() }

    static let system = ListenerClock {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
