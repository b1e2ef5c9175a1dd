/// Measures time from its creation, on any clock: its users need not know the clock's instants.
package struct Stopwatch: Sendable {
    /// Returns the time since the creation.
    package let elapsed: @Sendable () -> Duration
    /// Suspends until so much time has passed since the creation. Throws when the task is cancelled.
    package let sleep: @Sendable (_ until: Duration) async throws -> Void

    package init(_ clock: any Clock<Duration>) { self.init(counting: clock) }

    private init(counting clock: some Clock<Duration>) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }
}
