/// A stopwatch on any clock, which starts when it is created. It hides the clock's `Instant` type.
package struct Stopwatch: Sendable {
    /// Returns the time since creation.
    package let elapsed: @Sendable () -> Duration
    /// Suspends until this much time has passed since creation. Throws if the task is cancelled.
    package let sleep: @Sendable (_ until: Duration) async throws -> Void

    package init(_ clock: some Clock<Duration>) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// The time since creation, in nanoseconds.
    package var nanoseconds: Int {
        let (seconds, attoseconds) = elapsed().components
        return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    }
}
