extension AsyncProvider {
    /// Asks again after a failure, up to `times` more times.
    ///
    /// Not once the caller's task is cancelled: the failure at hand is then thrown. The last failure is thrown when all
    /// tries have failed.
    ///
    /// - Parameters:
    ///   - times: how many *more* tries.
    ///   - backoff: the waits between them.
    ///   - clock: what waits; replaced in tests.
    ///   - shouldRetry: false for failures that another try cannot mend.
    public func retried(
        _ times: Int, backoff: Backoff = .exponential(), clock: any Clock<Duration> = ContinuousClock(),
        when shouldRetry: @escaping @Sendable (Failure) -> Bool = { _ in true }
    ) -> some AsyncProvider<ID, Value, Failure> {
        retried(times, clock: clock) { failure, retry in
            shouldRetry(failure) ? backoff.delay(before: retry) : nil
        }
    }

    /// Asks again after a failure, up to `times` more times, each after the delay that `delay` gives for it.
    ///
    /// For waits that the failure itself names, such as `Retry-After`.
    ///
    /// - Parameter delay: gets the failure and which further try it would be, counted from 1. Nil: do not try again.
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

extension Clock where Duration == Swift.Duration {
    /// Returns whether the sleep came to its end, rather than being cancelled.
    func slept(for duration: Duration) async -> Bool {
        guard duration > .zero else { return !Task.isCancelled }
        do {
            try await sleep(for: duration)
            return !Task.isCancelled
        } catch {
            return false
        }
    }
}
