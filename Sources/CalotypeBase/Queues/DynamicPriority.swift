/// A priority that may change while the work it belongs to waits in a queue.
///
/// Queues observe it: `limited(to:)`, `BlockingPool` and the transports move what waits when it changes. It travels
/// with the task, as the task-local value `DynamicPriority.current`, so that no provider has to hand it on.
// Unchecked: what is not atomic is touched only under `lock`.
public final class DynamicPriority: @unchecked Sendable {
    /// The priority of the work that the current task does. Nil means `normal`.
    @TaskLocal public static var current: DynamicPriority?

    private let level: AtomicInteger
    private var own: LoadPriority
    /// How many flights request each level.
    private var requests = SIMD8<Int32>()
    // Most are observed by one queue at a time, many by none.
    private var observer: (any PriorityObserver)?
    private var moreObservers: [any PriorityObserver] = []

    /// Creates a priority that may change later.
    public init(_ value: LoadPriority = .normal) {
        level = AtomicInteger(value.rawValue)
        own = value
    }

    /// Creates a priority with one request for the value.
    init(requesting value: LoadPriority) {
        level = AtomicInteger(value.rawValue)
        own = value
        requests[value.rawValue] = 1
    }

    /// The priority now. Setting it tells every observer; setting the same value again tells nobody.
    public var value: LoadPriority {
        get { LoadPriority(rawValue: level.load()) }
        set { change { own = newValue } }
    }

    /// Adds a request for a level, withdraws one, or both in one step. While there are requests, the highest is the value.
    ///
    /// Changes from several threads may come in any order: what counts in the end is what was given and not taken back.
    @usableFromInline package func request(_ new: LoadPriority?, insteadOf old: LoadPriority?) {
        change {
            if let new { requests[new.rawValue] += 1 }
            if let old { requests[old.rawValue] -= 1 }
        }
    }

    /// Observers read `value` themselves, outside the lock: the last one told always sees the latest.
    private func change(_ body: () -> Void) {
        let told: [any PriorityObserver]? = lock.withLock { _ in
            body()
            let now = LoadPriority.all.last { requests[$0.rawValue] > 0 }?.rawValue ?? own.rawValue
            guard now != level.load() else { return nil }
            level.store(now)
            guard let observer else { return nil }
            return moreObservers.isEmpty ? [observer] : [observer] + moreObservers
        }
        for observer in told ?? [] { observer.priorityDidChange() }
    }

    /// Tells the observer of each change from now on, until it is removed.
    ///
    /// Observe first, read `value` then: a change in between is told, perhaps once too often, and never lost.
    @usableFromInline package func add(_ newObserver: any PriorityObserver) {
        lock.withLock { _ in
            if observer == nil { observer = newObserver } else { moreObservers.append(newObserver) }
        }
    }

    /// Does nothing for one that does not observe.
    @usableFromInline package func remove(_ oldObserver: any PriorityObserver) {
        lock.withLock { _ in
            if observer === oldObserver {
                observer = moreObservers.popLast()
            } else if !moreObservers.isEmpty {
                moreObservers.removeAll { $0 === oldObserver }
            }
        }
    }

    /// One of a few locks that all priorities share: there are several for each load, most of them never changed.
    ///
    /// Each guards a byte that nobody needs: a state without size has its lock's own first word for an address, and the
    /// thread sanitizer takes two visits for a race.
    private var lock: Locked<UInt8> { DynamicPriority.locks[ObjectIdentifier(self).hashValue & 31] }
    private static let locks = (0..<32).map { _ in Locked<UInt8>(0) }
}

/// An object that follows a priority: usually something that waits in a queue, and moves when it changes.
@usableFromInline package protocol PriorityObserver: AnyObject, Sendable {
    /// Called after a change, on any thread, with no lock held.
    func priorityDidChange()
}

extension DynamicPriority {
    /// Calls `onChange` after each change until the observation is cancelled.
    package func observe(_ onChange: @escaping @Sendable () -> Void) -> Observation {
        let observation = Observation(self, onChange)
        add(observation)
        return observation
    }

    /// A closure that observes. Ends when `cancel()` is called.
    package final class Observation: PriorityObserver {
        private let priority: DynamicPriority
        private let onChange: @Sendable () -> Void

        init(_ priority: DynamicPriority, _ onChange: @escaping @Sendable () -> Void) {
            self.priority = priority
            self.onChange = onChange
        }

        package func priorityDidChange() { onChange() }
        package func cancel() { priority.remove(self) }
    }
}
