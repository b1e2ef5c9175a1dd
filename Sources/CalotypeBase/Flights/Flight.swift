/// A change of the priority that a flight requests for its work.
@usableFromInline struct PriorityChange {
    @usableFromInline let new: LoadPriority?
    @usableFromInline let old: LoadPriority?

    @inlinable init(new: LoadPriority?, old: LoadPriority?) {
        self.new = new
        self.old = old
    }
}

extension Coordinator {
    /// One piece of work in progress. The closure that does the work receives this object to report updates, and to
    /// host other work in its task.
    // Unchecked: all mutable state is accessed only under the coordinator's lock.
    @usableFromInline package final class Flight: FlightHost, @unchecked Sendable {
        /// The task that performs the work: a task created for this flight, or the host's.
        @usableFromInline package let task: FlightTask
        /// The flight that needs the result and whose task performs the work, or `nil` if this flight has its own task.
        @usableFromInline let host: (any FlightHost<Update>)?
        @usableFromInline var waiterCount = 0
        @usableFromInline var observerCount = 0
        @usableFromInline var latest: Update?
        /// The priority that the flight has requested for its work: the highest among its waiters. `nil` before a
        /// hosted flight's first waiter and after its last.
        @usableFromInline var level: LoadPriority?
        @usableFromInline var slots: [Waiter] = []
        /// The number of waiters at each priority.
        @usableFromInline var levels = SIMD8<UInt32>()
        @usableFromInline let coordinator: Coordinator

        @inlinable init(coordinator: Coordinator, task: FlightTask, level: LoadPriority) {
            self.coordinator = coordinator
            self.task = task
            self.level = level
            host = nil
        }

        @inlinable init(coordinator: Coordinator, host: some FlightHost<Update>) {
            self.coordinator = coordinator
            self.host = host
            task = host.task
        }

        /// Sends the update to all waiters. Waiters that join later receive the latest update.
        @inlinable package func report(_ update: Update) {
            coordinator.deliver(update, to: self)
        }

        @inlinable var isHosted: Bool { host != nil }
        @inlinable var waiters: [Waiter] { slots.filter { $0.phase == .waiting } }

        /// The number of callers that need the result: the waiters, plus the host if there is one.
        @inlinable var dependentCount: Int { waiterCount + (isHosted ? 1 : 0) }

        /// Records the highest priority among the waiters. Returns the change, if any, to be applied outside the lock.
        @inlinable func priorityChange() -> PriorityChange? {
            let highest = LoadPriority.all.last { levels[$0.rawValue] > 0 }
            // Work without waiters keeps its priority, unless it has a host, whose own priority then applies.
            guard highest != level, highest != nil || isHosted else { return nil }
            defer { level = highest }
            return PriorityChange(new: highest, old: level)
        }

        /// Applies the change. Called outside the lock, because it notifies the queues that observe the priority.
        @inlinable func update(_ change: PriorityChange) {
            task.priority.request(change.new, insteadOf: change.old)
        }

        /// Adds the waiter. Returns `false` if the flight's task has just been cancelled: the caller then needs a new
        /// flight.
        @inlinable func add(_ waiter: Waiter) -> Bool {
            if isHosted, waiterCount == 0, !task.retain() { return false }
            waiter.flight = self
            slots.append(waiter)
            waiterCount += 1
            if waiter.onUpdate != nil { observerCount += 1 }
            levels[waiter.level.rawValue] += 1
            return true
        }

        @inlinable func move(_ waiter: Waiter, to level: LoadPriority) {
            levels[waiter.level.rawValue] -= 1
            levels[level.rawValue] += 1
            waiter.level = level
        }

        @inlinable func remove(_ waiter: Waiter) {
            waiterCount -= 1
            if waiter.onUpdate != nil { observerCount -= 1 }
            levels[waiter.level.rawValue] -= 1
            // Removes departed waiters only once they are the majority, so that leaving takes amortized constant time.
            if slots.count > 16, slots.count > 2 * waiterCount { slots.removeAll { $0.phase != .waiting } }
        }

        /// Ends the flight and returns the remaining waiters in order of arrival. The caller resumes each of them once.
        @inlinable func finish() -> [Waiter] {
            defer {
                slots = []
                waiterCount = 0
                observerCount = 0
                levels = SIMD8()
            }
            let waiters = waiterCount == slots.count ? slots : self.waiters
            for waiter in waiters { waiter.phase = .finished }
            return waiters
        }
    }

    /// A caller that waits for a flight.
    // Unchecked: all mutable state is accessed only under the coordinator's lock, except the continuation, which is set
    // beforehand and then belongs to the thread that moves the waiter out of `waiting`.
    @usableFromInline final class Waiter: PriorityObserver, @unchecked Sendable {
        @usableFromInline enum Phase { case new, waiting, left, finished }

        @usableFromInline let coordinator: Coordinator
        @usableFromInline let key: Key
        @usableFromInline let priority: DynamicPriority?
        @usableFromInline let onUpdate: (@Sendable (Update) -> Void)?
        @usableFromInline var phase = Phase.new
        @usableFromInline var level = LoadPriority.normal
        @usableFromInline var continuation: UnsafeContinuation<Result<Value, Failure>, Never>?
        @usableFromInline var flight: Flight?
        /// Written before the caller's task is resumed, and read by that task. If the flight ends before the task suspends,
        /// the runtime orders the two by atomics that the thread sanitizer does not see.
        @usableFromInline let isResumed = AtomicInteger(0)

        @inlinable init(
            _ coordinator: Coordinator, _ key: Key, priority: DynamicPriority?, onUpdate: (@Sendable (Update) -> Void)?
        ) {
            self.coordinator = coordinator
            self.key = key
            self.priority = priority
            self.onUpdate = onUpdate
        }

        @inlinable package func priorityDidChange() { coordinator.move(self) }

        @inlinable func resume(_ result: Result<Value, Failure>) {
            priority?.remove(self)
            flight = nil
            isResumed.store(1)
            continuation?.resume(returning: result)
            continuation = nil
        }
    }
}
