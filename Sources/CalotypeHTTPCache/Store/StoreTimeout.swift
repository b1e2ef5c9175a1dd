internal import CalotypeBase
internal import CalotypeHTTP

/// A limit on the time of a store's calls.
///
/// All calls share one timer. A large body has thousands of calls, and the sleep of a task stays in the system's queue until
/// its time is over, even if the task is cancelled before.
final class StoreTimeout: Sendable {
    private struct Call {
        let start: Duration
        /// Ends the wait for the call.
        let expire: @Sendable () -> Void
    }

    private struct State {
        var calls: [Int: Call] = [:]
        var lastNumber = 0
        var timer: Task<Void, Never>?
    }

    private let duration: Duration
    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch
    private let state = Locked(State())

    init(duration: Duration, clock: any Clock<Duration>) {
        (self.duration, self.clock, stopwatch) = (duration, clock, Stopwatch(clock))
    }

    deinit { state.withLock { $0.timer }?.cancel() }

    /// Returns the result of the call, or throws `timedOut` after the duration, even if the call never ends. The call
    /// goes on if the caller's task is cancelled, because it may be half of a change.
    func limit<Value: Sendable>(_ call: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let outcome = WaitingRoom<Result<Value, any Error>?, Void>(nil) { outcome, _ in outcome != nil }
        let number = begin { outcome.update { $0 = $0 ?? .failure(Self.timedOut) } }
        let worker = Task {
            let result = await Result(awaiting: call)
            outcome.update { $0 = $0 ?? result }
        }
        await outcome.enterUninterruptibly((), priority: nil)
        state.withLock { $0.calls[number] = nil }
        worker.cancel()
        guard let result = outcome.read({ $0 }) else { throw Self.timedOut }
        return try result.get()
    }

    private static let timedOut = TransportError(.timedOut, "the store did not answer in time")

    private func begin(_ expire: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.calls[state.lastNumber] = Call(start: stopwatch.elapsed(), expire: expire)
            if state.timer == nil { state.timer = makeTimer() }
            return state.lastNumber
        }
    }

    // MARK: The timer

    /// Starts a timer, which ends when it finds no call in progress.
    private func makeTimer() -> Task<Void, Never> {
        Task.detached { [weak self, clock, duration] in
            var pause = duration
            while await clock.slept(for: pause), let next = self?.expireDue() { pause = next }
        }
    }

    /// Ends the wait for calls whose time is over. Returns the time until the next one's is, or `nil` if there is none.
    private func expireDue() -> Duration? {
        let now = stopwatch.elapsed()
        let (due, next) = state.withLock { state in
            let due = state.calls.filter { now - $0.value.start >= duration }
            for number in due.keys { state.calls[number] = nil }
            let next = state.calls.values.map(\.start).min().map { duration - (now - $0) }
            if next == nil { state.timer = nil }
            return (Array(due.values), next)
        }
        for call in due { call.expire() }
        return next
    }
}
