import Glibc

/// The time by which a listener's deadlines are kept: it only goes forward. Replaced in tests.
package struct ListenerClock: Sendable {
    private let read: @Sendable () -> UInt64

    /// - Parameter read: nanoseconds since any fixed moment.
    package init(_ read: @escaping @Sendable () -> UInt64) {
        self.read = read
    }

    func now() -> UInt64 { read() }

    package static let system = ListenerClock {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
