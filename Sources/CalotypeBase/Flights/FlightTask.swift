/// The task that does the work of a flight, and perhaps that of others whose result the flight needs.
///
/// Each of them retains it while it has waiters. When the last one releases it, the task is cancelled.
@usableFromInline package final class FlightTask: Sendable {
    /// The highest priority among all who wait for the work, live.
    @usableFromInline package let priority: DynamicPriority

    private let holds = AtomicInteger(1)
    private let state = Locked(State())

    private struct State {
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    @usableFromInline init(priority level: LoadPriority) {
        priority = DynamicPriority(requesting: level)
    }

    /// The task may run already, and may have been given up by all.
    @usableFromInline func set(_ newTask: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            state.task = newTask
            return state.isCancelled
        }
        if isCancelled { newTask.cancel() }
    }

    /// Returns `false` if all have released it already: it is cancelled then.
    @usableFromInline func retain() -> Bool { holds.incrementUnlessZero() }

    @usableFromInline func release() {
        if holds.add(-1) == 0 { cancel() }
    }

    /// Whoever holds on to it.
    @usableFromInline func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}

/// A flight that may do other work in its task, of which it is in need.
@usableFromInline package protocol FlightHost<Update>: AnyObject, Sendable {
    associatedtype Update: Sendable

    var task: FlightTask { get }
    /// Updates of that work are the host's own.
    func report(_ update: Update)
}
