/// The wait for an answer, in slices of at most 100 ms: after each the program looks at the worker.
package struct AnswerWait: Sendable {
    private let end: ContinuousClock.Instant

    package init(_ limit: Duration, from start: ContinuousClock.Instant) { end = start + limit }

    /// Returns the length of the next slice in milliseconds, rounded up, or 0 after the deadline.
    ///
    /// - Parameter left: The time until a second deadline, or `nil` (the default) if there is none.
    package func slice(at now: ContinuousClock.Instant, left: Duration? = nil) -> Int32 {
        let rest = min(now.duration(to: end), left ?? .seconds(1), .milliseconds(100))
        return Int32(max(0, (rest / .milliseconds(1)).rounded(.up)))
    }

    package func isOver(at now: ContinuousClock.Instant) -> Bool { now >= end }
}
