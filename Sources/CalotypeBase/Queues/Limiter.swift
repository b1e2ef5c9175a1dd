/// A limit on concurrent tasks. Waiting tasks queue by priority. A task that has entered must call `leave()` exactly
/// once.
///
/// With a rate, a task takes a token together with its slot, so that waiting tasks cannot exceed the rate in a burst.
package final class Limiter: Sendable {
    package struct Rate: Sendable {
        let perSecond: Double
        let burst: Int
        let clock: any Clock<Duration>

        /// - Parameters:
        ///   - perSecond: The sustained number of entries per second. No limit unless it is finite and above 0.
        ///   - burst: The number of tasks that may enter at once after a pause, at least 1.
        package init(perSecond: Double, burst: Int, clock: any Clock<Duration>) {
            self.perSecond = perSecond
            self.burst = burst
            self.clock = clock
        }
    }

    private struct Ask: Sendable {
        let takesToken: Bool
        let priority: DynamicPriority?

        var isBackground: Bool { priority?.value.isBackground == true }
    }

    private let room: WaitingRoom<State, Ask>

    /// - Parameter keepsLastSlot: Whether background tasks leave the last free slot to others, unless there is only one
    ///   slot. The default is `false`.
    package init(
        limit: Int, order: QueueOrder = .firstInFirstOut, queueLimit: Int = .max, rate: Rate? = nil,
        keepsLastSlot: Bool = false
    ) {
        let limit = max(limit, 1)
        let room = WaitingRoom<State, Ask>(
            State(rate), lastInFirstOut: order == .lastInFirstOut, queueLimit: queueLimit
        ) { state, ask in
            let slots = keepsLastSlot && ask.isBackground ? max(limit - 1, 1) : limit
            guard state.inside < slots, !ask.takesToken || state.takeToken() else { return false }
            state.inside += 1
            return true
        }
        self.room = room
        guard rate != nil else { return }
        room.update { state in
            let sleep = state.stopwatch?.sleep
            state.setAlarm = { [weak room] deadline in
                Task.detached {
                    guard (try? await sleep?(deadline)) != nil else { return }
                    // `update` admits waiters while there are tokens. The first waiter without one sets a new alarm.
                    room?.update { $0.alarm = nil }
                }
            }
        }
    }

    deinit { room.read { $0.alarm }?.cancel() }

    package var load: (inside: Int, waiting: Int) { (room.read { $0.inside }, room.waiting) }

    /// Waits for a slot. Throws `cancelled` if the task is cancelled first, or `overloaded` if the queue is full.
    ///
    /// - Parameter takingToken: Whether the task counts towards the rate. The default is `true`.
    package func enter(takingToken: Bool = true) async throws(Interruption) {
        if Task.isCancelled { throw .cancelled }
        try await room.enter(Ask(takesToken: takingToken, priority: .current))
    }

    /// Waits for a slot, even if the task is cancelled. Only for limiters without a limit on the queue.
    package func enterUninterruptibly() async {
        await room.enterUninterruptibly(Ask(takesToken: true, priority: .current))
    }

    package func leave() { room.update { $0.inside -= 1 } }

    private struct State {
        var inside = 0
        var bucket: TokenBucket?
        let stopwatch: Stopwatch?
        /// Starts a task that wakes the waiters at the given time.
        var setAlarm: (@Sendable (Duration) -> Task<Void, Never>)?
        /// The task that wakes the waiters when the next token arrives, or `nil` if no waiter lacks a token.
        var alarm: Task<Void, Never>?

        init(_ rate: Rate?) {
            bucket = rate.flatMap { TokenBucket(perSecond: $0.perSecond, burst: $0.burst) }
            stopwatch = rate.map { Stopwatch($0.clock) }
        }

        mutating func takeToken() -> Bool {
            guard bucket != nil, let stopwatch else { return true }
            if bucket?.takeToken(at: stopwatch.elapsed()) == true { return true }
            if alarm == nil, let deadline = bucket?.nextToken { alarm = setAlarm?(deadline) }
            return false
        }
    }
}

extension Limiter? {
    /// Runs `body` once there is a slot for it, or at once without a limiter.
    package func run<Result, Failure: InterruptibleFailure>(
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        guard let self else { return try await body() }
        do throws(Interruption) { try await self.enter() } catch {
            throw error == .overloaded ? .overloaded : .cancelled
        }
        defer { self.leave() }
        return try await body()
    }
}
