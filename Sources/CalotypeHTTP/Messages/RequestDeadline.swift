import CalotypeBase

/// The time limit that all exchanges of a request share: its redirects, its retries and the resumptions of its body.
package final class RequestDeadline: Hashable, Sendable {
    /// The limit, from the creation of this object.
    package let limit: Duration
    private let stopwatch: Stopwatch

    package init(_ limit: Duration, clock: any Clock<Duration>) {
        self.limit = limit
        stopwatch = Stopwatch(clock)
    }

    /// The time that is left; zero or less after the deadline.
    package var left: Duration { limit - stopwatch.elapsed() }

    package static func == (left: RequestDeadline, right: RequestDeadline) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
