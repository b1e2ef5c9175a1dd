public import CalotypeBase

/// A clock that stands still until the test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// let load = Task { try await transport.retried(clock: clock).send(request) }
/// await clock.waitForSleepers(1)      // the first try failed, the second one waits for its turn
/// clock.advance(by: .seconds(2))
/// ```
///
/// Both kinds of time come from it and move together: durations through `Clock`, the time of day through ``wall``.
public final class ManualClock: Clock, Sendable {
    /// A point in the clock's time, counted from its making.
    public struct Instant: InstantProtocol {
        let offset: Duration

        /// Returns the instant that much later.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// Returns the time from this instant to another.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
    }

    private enum Waking: Sendable { case due, cancelled }

    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Waking, Never>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [UInt64: Sleeper] = [:]
        var leftBefore: Set<UInt64> = []
        var nextID: UInt64 = 0

        mutating func takeDue() -> [Sleeper] {
            let due = sleepers.filter { $0.value.deadline <= now }
            for id in due.keys { sleepers[id] = nil }
            return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(\.value)
        }
    }

    private let state = Watched(State())
    private let start: Double

    /// - Parameter start: what ``wall`` shows at first, in seconds since 1970. 2026-01-01 00:00 UTC by default.
    public init(start: Double = 1_767_225_600) {
        self.start = start
    }

    /// The time that the clock shows.
    public var now: Instant { state.read(\.now) }

    /// The smallest step of the clock: one attosecond.
    public var minimumResolution: Duration { .zero }

    /// The time of day, which starts at a fixed date and advances with the clock.
    public var wall: WallClock {
        WallClock { [self] in
            let (seconds, attoseconds) = now.offset.components
            return start + Double(seconds) + Double(attoseconds) / 1e18
        }
    }

    /// Moves the time forward and wakes those whose time has come, the earliest first.
    ///
    /// What a woken task does next happens after this returns. If it sleeps again, it does so from the new time on.
    public func advance(by duration: Duration) {
        let due = state.update { state in
            state.now = state.now.advanced(by: duration)
            return state.takeDue()
        }
        for sleeper in due { sleeper.continuation.resume(returning: .due) }
    }

    /// How many tasks sleep now.
    public var sleepers: Int { state.read { $0.sleepers.count } }

    /// Suspends until at least `count` tasks sleep at the same time. Returns early when the task is cancelled.
    public func waitForSleepers(_ count: Int) async {
        await state.wait { $0.sleepers.count >= count }
    }

    /// Suspends until the clock was moved to `deadline` or past it; the tolerance is not used.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.update { state in
            state.nextID += 1
            return state.nextID
        }
        let waking = await withTaskCancellationHandler {
            await withCheckedContinuation { join(id, Sleeper(deadline: deadline, continuation: $0)) }
        } onCancel: {
            leave(id)
        }
        state.update { _ = $0.leftBefore.remove(id) }
        if waking == .cancelled { throw CancellationError() }
    }

    private func join(_ id: UInt64, _ sleeper: Sleeper) {
        let waking: Waking? = state.update { state in
            if state.leftBefore.contains(id) { return .cancelled }
            if sleeper.deadline <= state.now { return .due }
            state.sleepers[id] = sleeper
            return nil
        }
        if let waking { sleeper.continuation.resume(returning: waking) }
    }

    private func leave(_ id: UInt64) {
        let sleeper = state.update { state in
            // Cancellation may come before the sleeper has joined: remember it until `sleep` ends.
            state.leftBefore.insert(id)
            return state.sleepers.removeValue(forKey: id)
        }
        sleeper?.continuation.resume(returning: .cancelled)
    }
}
