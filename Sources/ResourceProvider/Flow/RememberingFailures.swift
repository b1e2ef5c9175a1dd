import CalotypeBase

extension AsyncProvider {
    /// Caches failures: repeats an identifier's failure for `duration` instead of requesting the value again.
    ///
    /// Use this for frequent requests that are known to fail, such as images for which the server responds 410 (Gone).
    /// Without this modifier failures are not cached.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of cached failures. Beyond it, the oldest is dropped. The default is 1,024.
    ///   - shouldRemember: Whether to cache a failure. Return `false` for cancellation, timeouts and lost connections.
    public func rememberingFailures<SomeClock: Clock>(
        for duration: Duration, limit: Int = 1_024, clock: SomeClock = ContinuousClock(),
        when shouldRemember: @escaping @Sendable (Failure) -> Bool
    ) -> some AsyncProvider<ID, Value, Failure> where SomeClock.Duration == Duration {
        let memory = Locked(FailureMemory<ID, Failure, SomeClock.Instant>(limit: max(limit, 0)))
        return replacingValue { (id) async throws(Failure) in
            if let failure = memory.withLock({ $0.failure(for: id, at: clock.now) }) { throw failure }
            do throws(Failure) {
                return try await value(for: id)
            } catch {
                if shouldRemember(error) {
                    memory.withLock { $0.remember(error, for: id, until: clock.now.advanced(by: duration)) }
                }
                throw error
            }
        }
    }
}
