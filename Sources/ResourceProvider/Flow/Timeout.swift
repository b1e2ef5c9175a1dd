import CalotypeBase

extension AsyncProvider where Failure: InterruptibleFailure {
    /// Throws `Failure.timedOut` if a request takes longer than `duration`, and cancels its work.
    ///
    /// The caller resumes on time even if the work ignores its cancellation. If its task is cancelled, the caller
    /// resumes at once with `Failure.cancelled`.
    public func timeout(
        _ duration: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) -> some AsyncProvider<ID, Value, Failure> {
        timeout(duration, clock, InterruptionErrors())
    }
}

extension AsyncProvider where Failure == any Error {
    /// Throws `Interruption.timedOut` if a request takes longer than `duration`, and cancels its work.
    public func timeout(
        _ duration: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) -> some AsyncProvider<ID, Value, any Error> {
        timeout(duration, clock, InterruptionErrors())
    }
}

extension AsyncProvider {
    private func timeout(
        _ duration: Duration, _ clock: any Clock<Duration>, _ words: InterruptionErrors<Failure>
    ) -> AnyAsyncProvider<ID, Value, Failure> {
        replacingValue { (id) async throws(Failure) in
            try await withTimeout(
                duration, clock: clock, timedOut: words.failure(.timedOut), cancelled: words.failure(.cancelled)
            ) { () async throws(Failure) in try await value(for: id) }
        }
    }
}
