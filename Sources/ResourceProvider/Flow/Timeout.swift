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

/// Returns the result of `work`. Throws `timedOut` after `duration`, or `cancelled` if the caller's task is cancelled,
/// even if the work ignores its cancellation.
package func withTimeout<Value: Sendable, Failure: Error>(
    _ duration: Duration, clock: any Clock<Duration>, timedOut: Failure, cancelled: Failure,
    work: @escaping @Sendable () async throws(Failure) -> Value
) async throws(Failure) -> Value {
    let outcome = WaitingRoom<Result<Value, Failure>?, Void>(nil) { outcome, _ in outcome != nil }
    let worker = Task {
        let result = await Result(awaiting: work)
        outcome.update { $0 = $0 ?? result }
    }
    let timer = Task {
        if await clock.slept(for: duration) { outcome.update { $0 = $0 ?? .failure(timedOut) } }
    }
    defer {
        worker.cancel()
        timer.cancel()
    }
    try? await outcome.enter(())
    guard let first = outcome.read({ $0 }) else { throw cancelled }
    return try first.get()
}
