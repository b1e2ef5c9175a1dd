/// A priority that may change while its work waits in a queue.
///
/// Queues observe it: `limited(to:)`, `BlockingPool` and the transports reorder waiting work when it changes.
/// Tasks inherit it as the task-local value `DynamicPriority.current`, so that no function needs to pass it on.
// Unchecked: `own`, `requests` and the observers are accessed only under `lock`.
public final class DynamicPriority: @unchecked Sendable {
    /// The priority of the current task's work. `nil` means `normal`.
    @TaskLocal public static var current: DynamicPriority?

    private let level: AtomicInteger
    private var own: LoadPriority
    /// The number of flights that request each level.
    private var requests = SIMD8<Int32>()
    // Usually at most one queue observes a priority, and `moreObservers` stays empty.
    private var observer: (any PriorityObserver)?
    private var moreObservers: [any PriorityObserver] = []

    /// Creates a priority that may change later.
    public init(_ value: LoadPriority = .normal) {
        level = AtomicInteger(value.rawValue)
        own = value
    }

    convenience init(requesting value: LoadPriority) {
        self.init(value)
        requests[value.rawValue] = 1
    }

    /// The current priority. Every change notifies the observers.
    public var value: LoadPriority {
        get { LoadPriority(rawValue: level.load()) }
        set { change { own = newValue } }
    }

    /// Adds a request for the level `new` and withdraws one for `old`. The highest requested level, if any, is the
    /// value.
    ///
    /// Threads may apply their changes in any order: the outcome depends only on the requests that remain.
    @usableFromInline package func request(_ new: LoadPriority?, insteadOf old: LoadPriority?) {
        change {
            if let new { requests[new.rawValue] += 1 }
            if let old { requests[old.rawValue] -= 1 }
        }
    }

    /// Makes a change and notifies the observers if the value is different. Each observer then reads `value` outside
    /// the lock, so that the last notification always leads to the latest value.
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

    /// Adds an observer, which is notified of each change until it is removed.
    ///
    /// Add the observer before reading `value`: a change in between may notify once too often, but is never lost.
    @usableFromInline package func add(_ newObserver: any PriorityObserver) {
        lock.withLock { _ in
            if observer == nil { observer = newObserver } else { moreObservers.append(newObserver) }
        }
    }

    @usableFromInline package func remove(_ oldObserver: any PriorityObserver) {
        lock.withLock { _ in
            if observer === oldObserver {
                observer = moreObservers.popLast()
            } else if !moreObservers.isEmpty {
                moreObservers.removeAll { $0 === oldObserver }
            }
        }
    }

    /// One of 32 locks that all priorities share: a lock is an allocation of its own, and most priorities never change.
    ///
    /// Each lock guards an unused byte. An empty state would have the address of the lock's first word, and the thread
    /// sanitizer would report a race.
    private var lock: Locked<UInt8> { DynamicPriority.locks[ObjectIdentifier(self).hashValue & 31] }
    private static let locks = (0..<32).map { _ in Locked<UInt8>(0) }
}

/// An observer of a priority, usually a queued waiter that moves when the priority changes.
@usableFromInline package protocol PriorityObserver: AnyObject, Sendable {
    /// Called after a change, on any thread, with no lock held.
    func priorityDidChange()
}
