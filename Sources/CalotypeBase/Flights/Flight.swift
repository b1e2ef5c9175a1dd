/// The level that a flight requests for its work, and the one that it requested before.
@usableFromInline struct PriorityChange {
    @usableFromInline let new: LoadPriority?
    @usableFromInline let old: LoadPriority?

    @inlinable init(new: LoadPriority?, old: LoadPriority?) {
        self.new = new
        self.old = old
    }
}

extension Coordinator {
    /// One piece of work under way. The work gets it, to report updates and to have further work done in its task.
    // Unchecked: everything mutable is touched only under the coordinator's lock.
    @usableFromInline package final class Flight: FlightHost, @unchecked Sendable {
        /// The task that does the work: the flight's own, or its host's.
        @usableFromInline package let task: FlightTask
        /// The flight in whose task the work is done, because it needs the result.
        @usableFromInline let host: (any FlightHost<Update>)?
        @usableFromInline var waiterCount = 0
        @usableFromInline var observerCount = 0
        @usableFromInline var latest: Update?
        /// The level that it has requested for its work: the highest of its waiters.
        @usableFromInline var level: LoadPriority?
        @usableFromInline var slots: [Waiter] = []
        /// How many wait at each level.
        @usableFromInline var levels = SIMD8<UInt32>()
        @usableFromInline let coordinator: Coordinator

        /// Creates a flight with its own task, which starts at this level.
        @inlinable init(coordinator: Coordinator, task: FlightTask, level: LoadPriority) {
            self.coordinator = coordinator
            self.task = task
            self.level = level
            host = nil
        }

        /// In the task of another flight.
        @inlinable init(coordinator: Coordinator, host: some FlightHost<Update>) {
            self.coordinator = coordinator
            self.host = host
            task = host.task
        }

        /// Tells every waiter, and those to come, how far the work is.
        @inlinable package func report(_ update: Update) {
            coordinator.deliver(update, to: self)
        }

        @inlinable var isHosted: Bool { host != nil }
        @inlinable var waiters: [Waiter] { slots.filter { $0.phase == .waiting } }

        /// The number of those who need it: the waiters, and the flight that started it.
        @inlinable var dependentCount: Int { waiterCount + (isHosted ? 1 : 0) }

        /// Returns how the requested level changes after waiters came, moved or left. Apply it outside the lock.
        @inlinable func priorityChange() -> PriorityChange? {
            let highest = LoadPriority.all.last { levels[$0.rawValue] > 0 }
            // Work that nobody waits for any more keeps its level, unless it has a host, whose own level counts then.
            guard highest != level, highest != nil || isHosted else { return nil }
            defer { level = highest }
            return PriorityChange(new: highest, old: level)
        }

        /// Outside the lock, because queues observe the priority.
        @inlinable func update(_ change: PriorityChange) {
            task.priority.request(change.new, insteadOf: change.old)
        }

        /// Returns `false` for work that was given up a moment ago: the waiter has to start it again.
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
            // Those who left stay in their slots until they are the majority: leaving takes constant time.
            if slots.count > 16, slots.count > 2 * waiterCount { slots.removeAll { $0.phase != .waiting } }
        }

        /// The waiters, in the order in which they came, each to be resumed once.
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
    // Unchecked: everything mutable is touched only under the coordinator's lock, but for the continuation, which is
    // set before and belongs to the caller that took the waiter out of `waiting`.
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
            continuation?.resume(returning: result)
            continuation = nil
        }
    }
}
