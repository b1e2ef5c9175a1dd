/// A room for so many at a time, with a queue by priority in front of its door. A task that enters leaves, once.
///
/// With a rate, a task that enters also takes a token, in the same step: what waited for a place does not go out in a
/// burst that the rate does not allow.
package final class Limiter: Sendable {
    /// A limit on entries in a time.
    package struct Rate: Sendable {
        let perSecond: Double
        let burst: Int
        let clock: any Clock<Duration>

        /// - Parameters:
        ///   - perSecond: If it is not a finite number above 0, there is no limit.
        ///   - burst: How many may enter at once after a rest, 1 at least.
        package init(perSecond: Double, burst: Int, clock: any Clock<Duration>) {
            self.perSecond = perSecond
            self.burst = burst
            self.clock = clock
        }
    }

    private let room: WaitingRoom<State, Bool>

    package init(
        limit: Int, order: QueueOrder = .firstInFirstOut, queueLimit: Int = .max, rate: Rate? = nil
    ) {
        let limit = max(limit, 1)
        let room = WaitingRoom(
            State(rate), lastInFirstOut: order == .lastInFirstOut, queueLimit: queueLimit
        ) { state, takesToken in
            guard state.inside < limit, !takesToken || state.takeToken() else { return false }
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
                    // Lets in those for whom there are tokens; the first that has to go on waiting sets the next alarm.
                    room?.update { $0.alarm = nil }
                }
            }
        }
    }

    deinit { room.read { $0.alarm }?.cancel() }

    /// How many are inside and how many wait.
    package var load: (inside: Int, waiting: Int) { (room.read { $0.inside }, room.waiting) }

    /// Waits for a place. Throws when the task is cancelled before it has one, and when the queue is full.
    package func enter(takingToken: Bool = true) async throws(Interruption) {
        if Task.isCancelled { throw .cancelled }
        try await room.enter(takingToken)
    }

    /// Waits for a place, cancelled or not.
    package func enterUninterruptibly() async { await room.enterUninterruptibly(true) }

    package func leave() { room.update { $0.inside -= 1 } }

    private struct State {
        var inside = 0
        var bucket: TokenBucket?
        let stopwatch: Stopwatch?
        /// Starts a task that wakes those who wait, at the given time.
        var setAlarm: (@Sendable (Duration) -> Task<Void, Never>)?
        /// Set while there is no token for the first that waits.
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
