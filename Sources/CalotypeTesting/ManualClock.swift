public import CalotypeBase

/// A clock that stands still until the test advances it.
///
/// ```swift
/// let clock = ManualClock()
/// let load = Task { try await transport.retried(clock: clock).send(request) }
/// await clock.waitForSleepers(1)      // the first attempt failed; the retry waits for its delay
/// clock.advance(by: .seconds(2))
/// ```
///
/// Durations (through `Clock`) and the time of day (through ``wall``) advance together.
public final class ManualClock: Clock, Sendable {
    /// A point in the clock's time, relative to the clock's creation.
    public struct Instant: InstantProtocol {
        let offset: Duration

        /// Returns the instant `duration` later.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// Returns the time from this instant to another, negative if the other is earlier.
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
        var nextID: UInt64 = 0

        mutating func takeDue() -> [Sleeper] {
            let due = sleepers.filter { $0.value.deadline <= now }
            for id in due.keys { sleepers[id] = nil }
            return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(\.value)
        }
    }

    private let state = Watched(State())
    private let start: Double

    /// - Parameter start: The initial time of ``wall``, in seconds since 1970. The default is 2026-01-01 00:00 UTC.
    public init(start: Double = 1_767_225_600) {
        self.start = start
    }

    /// The current time of the clock.
    public var now: Instant { state.read(\.now) }

    /// The resolution of the clock: zero, because it can be advanced by any duration.
    public var minimumResolution: Duration { .zero }

    /// The time of day. It starts at the initializer's `start` and advances with the clock.
    public var wall: WallClock {
        WallClock { [self] in
            let (seconds, attoseconds) = now.offset.components
            return start + Double(seconds) + Double(attoseconds) / 1e18
        }
    }

    /// Advances the time and resumes all sleepers that are due, the earliest first.
    ///
    /// Resumed tasks continue after this returns. If they sleep again, their deadlines are relative to the new time.
    public func advance(by duration: Duration) {
        let due = state.update { state in
            state.now = state.now.advanced(by: duration)
            return state.takeDue()
        }
        for sleeper in due { sleeper.continuation.resume(returning: .due) }
    }

    /// The number of sleeping tasks.
    public var sleepers: Int { state.read { $0.sleepers.count } }

    /// Suspends until at least `count` tasks are asleep at the same time. Returns early if the task is cancelled.
    public func waitForSleepers(_ count: Int) async {
        await state.wait { $0.sleepers.count >= count }
    }

    /// Suspends until the clock reaches `deadline`. Ignores the tolerance.
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
        if waking == .cancelled { throw CancellationError() }
    }

    private func join(_ id: UInt64, _ sleeper: Sleeper) {
        let waking: Waking? = state.update { state in
            // If the task is already cancelled, `leave` may have run, and would not remove this sleeper.
            if Task.isCancelled { return .cancelled }
            if sleeper.deadline <= state.now { return .due }
            state.sleepers[id] = sleeper
            return nil
        }
        if let waking { sleeper.continuation.resume(returning: waking) }
    }

    private func leave(_ id: UInt64) {
        let sleeper = state.update { $0.sleepers.removeValue(forKey: id) }
        sleeper?.continuation.resume(returning: .cancelled)
    }
}
