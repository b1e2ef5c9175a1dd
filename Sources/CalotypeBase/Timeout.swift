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

extension Clock where Duration == Swift.Duration {
    /// Sleeps for `duration`. Returns `false` if the task was cancelled.
    package func slept(for duration: Duration) async -> Bool {
        guard duration > .zero else { return !Task.isCancelled }
        do {
            try await sleep(for: duration)
            return !Task.isCancelled
        } catch {
            return false
        }
    }
}
