import CalotypeBase

/// The monotonic clock of a listener's deadlines. Tests replace it.
package struct ListenerClock: Sendable {
    private let read: @Sendable () -> UInt64

    /// - Parameter read: Returns the nanoseconds since any fixed moment.
    package init(_ read: @escaping @Sendable () -> UInt64) {
        self.read = read
    }

    func now() -> UInt64 { read() }

    static let system = ListenerClock(monotonicNanoseconds)
}
