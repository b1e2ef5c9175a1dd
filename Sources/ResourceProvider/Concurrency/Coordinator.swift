/// Does a piece of work once for all who ask for the same key while it runs.
///
/// The engine behind `coordinated()`. Each piece of work is a *flight*; those who wait for it are its waiters.
///
/// - A waiter that is cancelled returns `cancelled` at once. The last one to leave cancels the flight and takes it off
///   the table in the same step, so that asking again starts afresh.
/// - Every waiter gets the one result or the one error, in the order in which they came. Nothing is left behind.
/// - The flight's priority is the highest among its waiters' and follows them, up and down.
/// - Updates that the work reports (progress, say) reach every waiter; one that joins late is told the latest at once.
///
/// Inlinable throughout, so that the module that uses it compiles it for its own types: without that every step goes
/// through their metadata, which costs several times the work itself.
///
/// The work runs in a detached task: it inherits neither the first caller's actor, nor its task-local values, nor its
/// cancellation. `DynamicPriority.current` is the flight's own there.
@usableFromInline
package final class Coordinator<Key: Hashable & Sendable, Update: Sendable, Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline package typealias Work = @Sendable (Flight) async -> Result<Value, Failure>

    @usableFromInline let flights = Locked([Key: Flight]())
    @usableFromInline let interruption: Failure?

    /// - Parameter cancelled: what a waiter that leaves early throws. Nil: waiters cannot leave, which is all that
    ///   `Failure == Never` allows.
    @inlinable package init(cancelled: Failure?) {
        interruption = cancelled
    }

    /// How many flights are under way.
    @inlinable package var count: Int { flights.withLock { $0.count } }

    /// How many wait, over all flights.
    @inlinable package var waiterCount: Int { flights.withLock { $0.values.reduce(0) { $0 + $1.waiterCount } } }

    @inlinable package func isFlying(_ key: Key) -> Bool { flights.withLock { $0[key] != nil } }

    /// How many wait for the flight of `key`.
    @inlinable package func waiterCount(for key: Key) -> Int { flights.withLock { $0[key]?.waiterCount ?? 0 } }

    /// Joins the flight for `key`, or starts one with `work`.
    @inlinable package func value(
        for key: Key,
        priority: DynamicPriority? = DynamicPriority.current,
        onUpdate: (@Sendable (Update) -> Void)? = nil,
        work: @escaping Work
    ) async throws(Failure) -> Value {
        guard interruption != nil else {
            let waiter = Waiter(priority: priority, onUpdate: onUpdate)
            return try await withUnsafeContinuation { join(key, waiter, $0, work) }.get()
        }
        let waiter = Waiter(priority: priority, onUpdate: onUpdate)
        let result = await withTaskCancellationHandler {
            await withUnsafeContinuation { join(key, waiter, $0, work) }
        } onCancel: {
            leave(key, waiter)
        }
        return try result.get()
    }

    /// Ends every flight: its waiters get `failure`, its work is cancelled.
    @inlinable package func endAll(with failure: Failure) {
        let ended = flights.withLock { flights in
            defer { flights = [:] }
            return flights.values.map { ($0.task, $0.land()) }
        }
        for (task, waiters) in ended {
            task?.cancel()
            for waiter in waiters { waiter.resume(.failure(failure)) }
        }
    }

    @usableFromInline enum JoinOutcome { case leftBefore, started(Flight), joined(Flight, latest: Update?) }
    @usableFromInline enum LeaveAction { case nothing, resume(abandoned: Task<Void, Never>?, Flight) }

    @inlinable func join(
        _ key: Key, _ waiter: Waiter, _ continuation: UnsafeContinuation<Result<Value, Failure>, Never>,
        _ work: @escaping Work
    ) {
        let level = waiter.priority?.value ?? .normal
        let outcome: JoinOutcome = flights.withLock { flights in
            if waiter.phase == .left { return .leftBefore }
            waiter.phase = .waiting
            waiter.continuation = continuation
            waiter.level = level
            if let flight = flights[key] {
                waiter.flight = flight
                flight.add(waiter)
                return .joined(flight, latest: waiter.onUpdate == nil ? nil : flight.latest)
            }
            let flight = Flight(coordinator: self, priority: level)
            flights[key] = flight
            waiter.flight = flight
            flight.add(waiter)
            return .started(flight)
        }
        switch outcome {
        case .leftBefore:
            // Only a coordinator with an interruption lets waiters leave.
            if let interruption { continuation.resume(returning: .failure(interruption)) }
        case .started(let flight):
            start(flight, key, work)
            if let priority = waiter.priority { follow(priority, of: waiter, from: level) }
        case .joined(let flight, let latest):
            if let latest { waiter.onUpdate?(latest) }
            if let priority = waiter.priority { follow(priority, of: waiter, from: level) }
            updatePriority(of: flight)
        }
    }

    /// Outside the lock, which others wait for: making a task takes longer than all that is done under it.
    @inlinable func start(_ flight: Flight, _ key: Key, _ work: @escaping Work) {
        let task = Task.detached { [self] in
            let result = await DynamicPriority.$current.withValue(flight.priority) { await work(flight) }
            finish(key, flight, result)
        }
        let isAbandoned = flights.withLock { _ in
            if !flight.hasLanded { flight.task = task }
            return flight.hasLanded
        }
        // Its waiters may have left before it had a task to cancel; one that is done already takes no harm.
        if isAbandoned { task.cancel() }
    }

    @inlinable func leave(_ key: Key, _ waiter: Waiter) {
        guard let interruption else { return }
        let action: LeaveAction = flights.withLock { flights in
            guard waiter.phase == .waiting, let flight = waiter.flight else {
                if waiter.phase == .new { waiter.phase = .left }
                return .nothing
            }
            waiter.phase = .left
            flight.remove(waiter)
            guard flight.waiterCount == 0, flights[key] === flight else { return .resume(abandoned: nil, flight) }
            flights[key] = nil
            let task = flight.task
            _ = flight.land()
            return .resume(abandoned: task, flight)
        }
        guard case .resume(let abandoned, let flight) = action else { return }
        abandoned?.cancel()
        waiter.resume(.failure(interruption))
        updatePriority(of: flight)
    }

    @inlinable func finish(_ key: Key, _ flight: Flight, _ result: Result<Value, Failure>) {
        let waiters = flights.withLock { flights in
            if flights[key] === flight { flights[key] = nil }
            return flight.land()
        }
        for waiter in waiters { waiter.resume(result) }
    }

    @inlinable func follow(_ priority: DynamicPriority, of waiter: Waiter, from level: LoadPriority) {
        let observation = priority.observe { [weak self, weak waiter] in
            guard let self, let waiter else { return }
            change(waiter, to: priority.value)
        }
        let isWaiting = flights.withLock { _ in
            if waiter.phase == .waiting { waiter.observation = observation }
            return waiter.phase == .waiting
        }
        if !isWaiting { return observation.cancel() }
        if priority.value != level { change(waiter, to: priority.value) }
    }

    @inlinable func change(_ waiter: Waiter, to level: LoadPriority) {
        let flight: Flight? = flights.withLock { _ in
            guard waiter.phase == .waiting, let flight = waiter.flight else { return nil }
            flight.change(waiter, to: level)
            return flight
        }
        if let flight { updatePriority(of: flight) }
    }

    /// Hands on the highest level outside the lock, because queues observe it.
    ///
    /// Until nothing changes: of two threads that do this at once, the one that ends last has handed on the latest.
    @inlinable func updatePriority(of flight: Flight) {
        var told: LoadPriority?
        while true {
            let news: LoadPriority? = flights.withLock { _ in
                guard let highest = flight.highestLevel, highest != told ?? flight.toldLevel else { return nil }
                flight.toldLevel = highest
                return highest
            }
            guard let news else { return }
            flight.priority.value = news
            told = news
        }
    }

    @inlinable func deliver(_ update: Update, to flight: Flight) {
        let observers = flights.withLock { _ in
            flight.latest = update
            // A closure, not a key path: in generic code a key path is built anew, type look-ups included, at each call.
            return flight.observerCount == 0 ? [] : flight.waiters.compactMap { $0.onUpdate }
        }
        for observer in observers { observer(update) }
    }

    /// One piece of work under way. The work gets it, to report updates and to read its priority.
    // Unchecked: `waiters`, `latest` and `task` are touched only under the coordinator's lock.
    @usableFromInline package final class Flight: @unchecked Sendable {
        /// The highest priority among the waiters, live.
        @usableFromInline package let priority: DynamicPriority

        @inlinable var waiters: [Waiter] { slots.filter { $0.phase == .waiting } }
        @usableFromInline var waiterCount = 0
        @usableFromInline var observerCount = 0
        @usableFromInline var hasLanded = false
        @usableFromInline var latest: Update?
        @usableFromInline var task: Task<Void, Never>?
        /// The level that `priority` was last set to.
        @usableFromInline var toldLevel: LoadPriority
        @usableFromInline var slots: [Waiter] = []
        /// How many wait at each level.
        @usableFromInline var levels = SIMD8<UInt32>()
        @usableFromInline let coordinator: Coordinator

        @inlinable init(coordinator: Coordinator, priority: LoadPriority) {
            self.coordinator = coordinator
            self.priority = DynamicPriority(priority)
            toldLevel = priority
        }

        /// Tells every waiter, and those to come, how far the work is.
        @inlinable package func report(_ update: Update) {
            coordinator.deliver(update, to: self)
        }

        /// Nil when nobody waits any more.
        @inlinable var highestLevel: LoadPriority? {
            (0..<LoadPriority.count).last { levels[$0] > 0 }.map { LoadPriority(rawValue: $0) }
        }

        @inlinable func add(_ waiter: Waiter) {
            slots.append(waiter)
            waiterCount += 1
            if waiter.onUpdate != nil { observerCount += 1 }
            levels[waiter.level.rawValue] += 1
        }

        @inlinable func change(_ waiter: Waiter, to level: LoadPriority) {
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
        @inlinable func land() -> [Waiter] {
            defer {
                slots = []
                waiterCount = 0
                observerCount = 0
                levels = SIMD8()
                task = nil
                hasLanded = true
            }
            let waiters = waiterCount == slots.count ? slots : self.waiters
            for waiter in waiters { waiter.phase = .landed }
            return waiters
        }
    }

    // Unchecked: everything mutable is touched only under the coordinator's lock, but for the continuation and the
    // observation, which belong to whoever took the waiter out of `waiting`.
    @usableFromInline final class Waiter: @unchecked Sendable {
        @usableFromInline enum Phase { case new, waiting, left, landed }

        @usableFromInline let priority: DynamicPriority?
        @usableFromInline let onUpdate: (@Sendable (Update) -> Void)?
        @usableFromInline var phase = Phase.new
        @usableFromInline var level = LoadPriority.normal
        @usableFromInline var continuation: UnsafeContinuation<Result<Value, Failure>, Never>?
        @usableFromInline var flight: Flight?
        @usableFromInline var observation: DynamicPriority.Observation?

        @inlinable init(priority: DynamicPriority?, onUpdate: (@Sendable (Update) -> Void)?) {
            self.priority = priority
            self.onUpdate = onUpdate
        }

        @inlinable func resume(_ result: Result<Value, Failure>) {
            observation?.cancel()
            flight = nil
            continuation?.resume(returning: result)
            continuation = nil
        }
    }
}
