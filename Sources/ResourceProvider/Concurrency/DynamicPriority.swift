/// A priority that may change while the work it belongs to waits in a queue.
///
/// Queues observe it: `limited(to:)`, `BlockingPool` and the transports move what waits when it changes. It travels
/// with the task, as the task-local value `DynamicPriority.current`, so that no provider has to hand it on.
public final class DynamicPriority: Sendable {
    /// The priority of the work that the current task does. Nil means `normal`.
    @TaskLocal public static var current: DynamicPriority?

    private struct State {
        var value: LoadPriority
        var observers: [UInt64: @Sendable () -> Void] = [:]
        var nextID: UInt64 = 0
    }

    private let state: Locked<State>

    public init(_ value: LoadPriority = .normal) {
        state = Locked(State(value: value))
    }

    /// The priority now. Setting it tells every observer; setting the same value again tells nobody.
    public var value: LoadPriority {
        get { state.withLock { $0.value } }
        set {
            let observers: [@Sendable () -> Void] = state.withLock { state in
                guard state.value != newValue else { return [] }
                state.value = newValue
                return Array(state.observers.values)
            }
            // Outside the lock. Observers read `value` themselves, so the last one told always sees the latest.
            for observer in observers { observer() }
        }
    }

    /// Calls `onChange` after each change until the observation is cancelled.
    @usableFromInline package func observe(_ onChange: @escaping @Sendable () -> Void) -> Observation {
        let id = state.withLock { state in
            state.nextID += 1
            state.observers[state.nextID] = onChange
            return state.nextID
        }
        return Observation(priority: self, id: id)
    }

    /// Ends when `cancel()` is called.
    @usableFromInline package struct Observation: Sendable {
        let priority: DynamicPriority
        let id: UInt64

        @usableFromInline package func cancel() {
            _ = priority.state.withLock { $0.observers.removeValue(forKey: id) }
        }
    }
}
