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
/// The work runs in a detached task: it inherits neither the first caller's actor, nor its task-local values, nor its
/// cancellation. `DynamicPriority.current` is the flight's own there.
package final class Coordinator<Key: Hashable & Sendable, Update: Sendable, Value: Sendable, Failure: Error>: Sendable {
    package typealias Work = @Sendable (Flight) async -> Result<Value, Failure>

    private let flights = Locked([Key: Flight]())
    private let interruption: Failure?

    /// - Parameter cancelled: what a waiter that leaves early throws. Nil: waiters cannot leave, which is all that
    ///   `Failure == Never` allows.
    package init(cancelled: Failure?) {
        interruption = cancelled
    }

    /// How many flights are under way.
    package var count: Int { flights.withLock { $0.count } }

    /// How many wait, over all flights.
    package var waiterCount: Int { flights.withLock { $0.values.reduce(0) { $0 + $1.waiterCount } } }

    package func isFlying(_ key: Key) -> Bool { flights.withLock { $0[key] != nil } }

    /// How many wait for the flight of `key`.
    package func waiterCount(for key: Key) -> Int { flights.withLock { $0[key]?.waiterCount ?? 0 } }

    /// Joins the flight for `key`, or starts one with `work`.
    package func value(
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
    package func endAll(with failure: Failure) {
        let ended = flights.withLock { flights in
            defer { flights = [:] }
            return flights.values.map { ($0.task, $0.land()) }
        }
        for (task, waiters) in ended {
            task?.cancel()
            for waiter in waiters { waiter.resume(.failure(failure)) }
        }
    }

    private enum JoinOutcome { case leftBefore, started(Flight), joined(Flight, latest: Update?) }
    private enum LeaveAction { case nothing, resume(abandoned: Task<Void, Never>?, Flight) }

    private func join(
        _ key: Key, _ waiter: Waiter, _ continuation: UnsafeContinuation<Result<Value, Failure>, Never>,
        _ work: @escaping Work
    ) {
        let outcome: JoinOutcome = flights.withLock { flights in
            if waiter.phase == .left { return .leftBefore }
            waiter.phase = .waiting
            waiter.continuation = continuation
            if let flight = flights[key] {
                waiter.flight = flight
                flight.add(waiter)
                return .joined(flight, latest: waiter.onUpdate == nil ? nil : flight.latest)
            }
            let flight = Flight(coordinator: self, priority: waiter.priority?.value ?? .normal)
            flights[key] = flight
            waiter.flight = flight
            flight.add(waiter)
            flight.task = Task.detached { [self] in
                let result = await DynamicPriority.$current.withValue(flight.priority) { await work(flight) }
                finish(key, flight, result)
            }
            return .started(flight)
        }
        switch outcome {
        case .leftBefore:
            // Only a coordinator with an interruption lets waiters leave.
            if let interruption { continuation.resume(returning: .failure(interruption)) }
        case .started(let flight):
            // Its priority is that of its only waiter already.
            if let priority = waiter.priority { follow(priority, of: waiter, in: flight) }
        case .joined(let flight, let latest):
            if let latest { waiter.onUpdate?(latest) }
            if let priority = waiter.priority {
                follow(priority, of: waiter, in: flight)
            } else {
                updatePriority(of: flight)
            }
        }
    }

    private func leave(_ key: Key, _ waiter: Waiter) {
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
            return .resume(abandoned: flight.task, flight)
        }
        guard case .resume(let abandoned, let flight) = action else { return }
        abandoned?.cancel()
        waiter.resume(.failure(interruption))
        if abandoned == nil { updatePriority(of: flight) }
    }

    private func finish(_ key: Key, _ flight: Flight, _ result: Result<Value, Failure>) {
        let waiters = flights.withLock { flights in
            if flights[key] === flight { flights[key] = nil }
            return flight.land()
        }
        for waiter in waiters { waiter.resume(result) }
    }

    private func follow(_ priority: DynamicPriority, of waiter: Waiter, in flight: Flight) {
        let observation = priority.observe { [weak self, weak flight] in
            guard let self, let flight else { return }
            updatePriority(of: flight)
        }
        let isWaiting = flights.withLock { _ in
            if waiter.phase == .waiting { waiter.observation = observation }
            return waiter.phase == .waiting
        }
        if isWaiting { updatePriority(of: flight) } else { observation.cancel() }
    }

    private func updatePriority(of flight: Flight) {
        // Until nothing changes: of two threads that do this at once, the one that ends last has seen the latest.
        while let highest = highestPriority(in: flight), flight.priority.value != highest {
            flight.priority.value = highest
        }
    }

    private func highestPriority(in flight: Flight) -> LoadPriority? {
        // A closure, not a key path: in generic code a key path is built anew, type look-ups included, at each call.
        let priorities = flights.withLock { _ in flight.waiters.map { $0.priority } }
        return priorities.map { $0?.value ?? .normal }.max()
    }

    fileprivate func deliver(_ update: Update, to flight: Flight) {
        let observers = flights.withLock { _ in
            flight.latest = update
            return flight.waiters.compactMap { $0.onUpdate }
        }
        for observer in observers { observer(update) }
    }

    /// One piece of work under way. The work gets it, to report updates and to read its priority.
    // Unchecked: `waiters`, `latest` and `task` are touched only under the coordinator's lock.
    package final class Flight: @unchecked Sendable {
        /// The highest priority among the waiters, live.
        package let priority: DynamicPriority

        fileprivate var waiters: [Waiter] { slots.filter { $0.phase == .waiting } }
        fileprivate private(set) var waiterCount = 0
        fileprivate var latest: Update?
        fileprivate var task: Task<Void, Never>?
        private var slots: [Waiter] = []
        private let coordinator: Coordinator

        fileprivate init(coordinator: Coordinator, priority: LoadPriority) {
            self.coordinator = coordinator
            self.priority = DynamicPriority(priority)
        }

        /// Tells every waiter, and those to come, how far the work is.
        package func report(_ update: Update) {
            coordinator.deliver(update, to: self)
        }

        fileprivate func add(_ waiter: Waiter) {
            slots.append(waiter)
            waiterCount += 1
        }

        fileprivate func remove(_ waiter: Waiter) {
            waiterCount -= 1
            // Those who left stay in their slots until they are the majority: leaving takes constant time.
            if slots.count > 16, slots.count > 2 * waiterCount { slots.removeAll { $0.phase != .waiting } }
        }

        /// The waiters, in the order in which they came, each to be resumed once.
        fileprivate func land() -> [Waiter] {
            defer {
                slots = []
                waiterCount = 0
                task = nil
            }
            let waiters = self.waiters
            for waiter in waiters { waiter.phase = .landed }
            return waiters
        }
    }

    // Unchecked: everything mutable is touched only under the coordinator's lock, but for the continuation and the
    // observation, which belong to whoever took the waiter out of `waiting`.
    fileprivate final class Waiter: @unchecked Sendable {
        enum Phase { case new, waiting, left, landed }

        let priority: DynamicPriority?
        let onUpdate: (@Sendable (Update) -> Void)?
        var phase = Phase.new
        var continuation: UnsafeContinuation<Result<Value, Failure>, Never>?
        var flight: Flight?
        var observation: DynamicPriority.Observation?

        init(priority: DynamicPriority?, onUpdate: (@Sendable (Update) -> Void)?) {
            self.priority = priority
            self.onUpdate = onUpdate
        }

        func resume(_ result: Result<Value, Failure>) {
            observation?.cancel()
            flight = nil
            continuation?.resume(returning: result)
            continuation = nil
        }
    }
}
