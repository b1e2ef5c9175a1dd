import CalotypeBase

/// The processor time that the drawings (SVG) of one origin may take in worker processes.
///
/// A file of 200 bytes can take any time to draw. Each drawing may have ``freeTime``. What it takes beyond that comes out of
/// the budget, which fills up again within a minute: an origin that has used it up still has its quick drawings.
package final class DrawingBudget: Sendable {
    private struct State {
        var spent = Duration.zero
        var mark = Duration.zero
    }

    private let limit: Duration
    private let stopwatch: Stopwatch
    private let state = Locked(State())

    /// The processor time that each drawing may take, several times that of a usual one.
    package static let freeTime = Duration.milliseconds(100)

    /// The cause of the error `overloaded` of a drawing that has used up the budget.
    package struct UsedUp: Error {
        package init() {}
    }

    /// - Parameter limit: The processor time in a minute.
    package init(_ limit: Duration, clock: any Clock<Duration>) {
        self.limit = limit
        stopwatch = Stopwatch(clock)
    }

    /// The processor time that a drawing may take if it begins now.
    package var allowance: Duration { Self.freeTime + max(limit - spent, .zero) }

    /// Whether nothing has to be filled up.
    package var isFull: Bool { spent == .zero }

    private var spent: Duration { change { _ in } }

    /// Subtracts the processor time of a drawing that has ended.
    package func charge(_ time: Duration) {
        _ = change { $0.spent += max(time - Self.freeTime, .zero) }
    }

    /// Fills the budget up to now, makes the change, and returns what is spent: at most twice the limit, because drawings
    /// that run at the same time do not know of each other.
    private func change(_ body: (inout State) -> Void) -> Duration {
        let now = stopwatch.elapsed()
        return state.withLock { state in
            state.spent = max(state.spent - limit * ((now - state.mark) / .seconds(60)), .zero)
            state.mark = now
            body(&state)
            state.spent = min(state.spent, limit * 2)
            return state.spent
        }
    }
}
