/// The wait for an answer, in slices of at most 100 ms: after each the program looks at the worker.
package struct AnswerWait: Sendable {
    private let end: ContinuousClock.Instant

    package init(_ limit: Duration, from start: ContinuousClock.Instant) { end = start + limit }

    /// Returns the length of the next slice in milliseconds, rounded up, or 0 after the deadline.
    package func slice(at now: ContinuousClock.Instant) -> Int32 {
        Int32(max(0, min(now.duration(to: end) / .milliseconds(1), 100).rounded(.up)))
    }

    package func isOver(at now: ContinuousClock.Instant) -> Bool { now >= end }
}
