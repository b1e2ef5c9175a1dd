/// The task that performs the work of a flight, and possibly the work of other flights on which it depends.
///
/// Each of these flights retains the task while it has waiters. The last release cancels the task.
@usableFromInline package final class FlightTask: Sendable {
    /// The highest priority among all waiters, kept up to date.
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

    /// Starts the task. Cancels it if `cancel()` was called before.
    ///
    /// - Parameter inPlace: If `true`, the work may begin on the caller's thread, unless the caller has a task
    ///   executor. Only for callers without an actor.
    @usableFromInline func start(inPlace: Bool, _ work: @escaping @concurrent @Sendable () async -> Void) {
        let newTask: Task<Void, Never>
        if inPlace, #available(macOS 26, iOS 26, tvOS 26, visionOS 26, *),
            withUnsafeCurrentTask(body: { $0?.unownedTaskExecutor == nil })
        {
            newTask = Task.immediateDetached(operation: work)
        } else {
            newTask = Task.detached(operation: work)
        }
        let isCancelled = state.withLock { state in
            state.task = newTask
            return state.isCancelled
        }
        if isCancelled { newTask.cancel() }
    }

    /// Retains the task. Returns `false` if all flights have released the task, which is then cancelled.
    @usableFromInline func retain() -> Bool { holds.incrementUnlessZero() }

    @usableFromInline func release() {
        if holds.add(-1) == 0 { cancel() }
    }

    /// Cancels the task, even if flights still retain it.
    @usableFromInline func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}

/// A flight whose task can also perform the work that the flight depends on.
@usableFromInline package protocol FlightHost<Update>: AnyObject, Sendable {
    associatedtype Update: Sendable

    var task: FlightTask { get }
    /// Reports an update to this flight's waiters, including updates of other work that this flight needs.
    func report(_ update: Update)
}
