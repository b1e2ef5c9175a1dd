extension AsyncProvider {
    /// Retries a failed request up to `times` times.
    ///
    /// Throws the latest failure after the last retry, or once the caller's task is cancelled.
    ///
    /// - Parameters:
    ///   - times: The number of *retries*, in addition to the first attempt.
    ///   - clock: The clock that measures the delays. Tests replace it.
    ///   - shouldRetry: Returns whether to retry after a failure; `false` for permanent failures.
    public func retried(
        _ times: Int, backoff: Backoff = .exponential(), clock: any Clock<Duration> = ContinuousClock(),
        when shouldRetry: @escaping @Sendable (Failure) -> Bool = { _ in true }
    ) -> some AsyncProvider<ID, Value, Failure> {
        retried(times, clock: clock) { failure, retry in
            shouldRetry(failure) ? backoff.delay(before: retry) : nil
        }
    }

    /// Retries a failed request up to `times` times, each after the delay returned by `delay`.
    ///
    /// Use this if the failure itself contains the delay, as with `Retry-After`.
    ///
    /// - Parameter delay: Receives the failure and the number of the retry, counted from 1. Returns `nil` to give up.
    public func retried(
        _ times: Int, clock: any Clock<Duration> = ContinuousClock(),
        delay: @escaping @Sendable (Failure, _ retry: Int) -> Duration?
    ) -> some AsyncProvider<ID, Value, Failure> {
        replacingValue { (id) async throws(Failure) in
            var retry = 1
            while true {
                let failure: Failure
                do throws(Failure) { return try await value(for: id) } catch { failure = error }
                guard retry <= times, !Task.isCancelled, let delay = delay(failure, retry) else { throw failure }
                guard await clock.slept(for: delay) else { throw failure }
                retry += 1
            }
        }
    }
}
