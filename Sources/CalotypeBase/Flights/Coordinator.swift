/// A coordinator that coalesces concurrent requests for the same key into one piece of work.
///
/// `coordinated()` uses it. Each piece of work is a *flight*; the callers that wait for its result are its *waiters*. A
/// flight that needs the result of another flight can be its *host*: the host's task then performs the work of both.
/// - A waiter whose task is cancelled throws `cancelled` at once. When the last waiter leaves a flight without a host,
///   the flight is cancelled and removed from the table, so that the next request starts a new one.
/// - Every waiter receives the same result or error, in order of arrival. The coordinator does not keep the result.
/// - The flight's priority is the highest among its waiters and follows every change, up or down.
/// - Every update that the work reports (such as progress) reaches every waiter; a waiter that joins late receives the
///   latest update at once.
///
/// Inlinable throughout, so that client modules specialize it for their types. Unspecialized, the type look-ups alone
/// would take several times as long as the work.
///
/// Work with a host runs in the host's task. Other work runs in a detached task without the first caller's actor,
/// task-local values and cancellation. `DynamicPriority.current` is the flight's priority there.
@usableFromInline
package final class Coordinator<Key: Hashable & Sendable, Update: Sendable, Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline package typealias Work = @Sendable (Flight) async -> Result<Value, Failure>

    @usableFromInline let flights = Locked([Key: Flight]())
    @usableFromInline let interruption: Failure?
    @usableFromInline let startsInPlace: Bool

    /// - Parameters:
    ///   - cancelled: The error for a waiter whose task is cancelled. If `nil`, as `Failure == Never` requires, waiters
    ///     stay until the flight ends.
    ///   - startsInPlace: If `true`, work for a caller without an actor runs on the caller's thread until it suspends.
    ///     This avoids two thread switches, a third of the time to load a tiny image. Before it suspends, the work
    ///     cannot be cancelled, so it must not compute for long. The default is `false`.
    @inlinable package init(cancelled: Failure?, startsInPlace: Bool = false) {
        interruption = cancelled
        self.startsInPlace = startsInPlace
    }

    @inlinable package var count: Int { flights.withLock { $0.count } }

    /// The number of waiters of all flights, plus one for each flight with a host.
    @inlinable package var waiterCount: Int { flights.withLock { $0.values.reduce(0) { $0 + $1.dependentCount } } }

    @inlinable package func isInFlight(_ key: Key) -> Bool { flights.withLock { $0[key] != nil } }

    @inlinable package func waiterCount(for key: Key) -> Int { flights.withLock { $0[key]?.dependentCount ?? 0 } }

    /// Joins the flight for `key`, or starts one with `work`, and returns its result.
    ///
    /// - Parameter onJoin: Called if a flight is in progress already; `work` is not called then.
    @inlinable package func value(
        for key: Key,
        priority: DynamicPriority? = DynamicPriority.current,
        onUpdate: (@Sendable (Update) -> Void)? = nil,
        onJoin: (() -> Void)? = nil,
        work: @escaping Work
    ) async throws(Failure) -> Value {
        let waiter = Waiter(self, key, priority: priority, onUpdate: onUpdate)
        let inPlace = startsInPlace && #isolation == nil
        let result = await withTaskCancellationHandler {
            await withUnsafeContinuation { join(waiter, $0, inPlace, onJoin, work) }
        } onCancel: {
            leave(waiter)
        }
        _ = waiter.isResumed.load()
        return try result.get()
    }

    /// Joins the flight for `key`, or performs `work` in the current task on behalf of `host`.
    ///
    /// Other callers may join this work. Such callers keep the task alive after the host's waiters have left.
    ///
    /// - Parameters:
    ///   - host: The flight that needs the result. If `nil`, the work runs in a new task.
    ///   - priority: The caller's priority. Used only without a host.
    ///   - onUpdate: Called with each update. Used only without a host, which gets the updates itself.
    @inlinable package func value(
        for key: Key, within host: (some FlightHost<Update>)?, priority: DynamicPriority? = nil,
        onUpdate: (@Sendable (Update) -> Void)? = nil, work: @escaping Work
    ) async throws(Failure) -> Value {
        guard let host else {
            return try await value(for: key, priority: priority, onUpdate: onUpdate, work: work)
        }
        guard let flight = start(key, within: host) else {
            return try await value(for: key, priority: host.task.priority, onUpdate: { host.report($0) }, work: work)
        }
        let result = await work(flight)
        finish(key, flight, result)
        return try result.get()
    }

    @inlinable package func endAll(with failure: Failure) {
        let ended = flights.withLock { flights in
            defer { flights = [:] }
            return flights.values.map { ($0.task, $0.finish()) }
        }
        for (task, waiters) in ended {
            task.cancel()
            for waiter in waiters { waiter.resume(.failure(failure)) }
        }
    }

    @usableFromInline enum JoinOutcome {
        case leftBefore, started(Flight), joined(Flight, latest: Update?, PriorityChange?)
    }

    @inlinable func join(
        _ waiter: Waiter, _ continuation: UnsafeContinuation<Result<Value, Failure>, Never>, _ inPlace: Bool,
        _ onJoin: (() -> Void)?, _ work: @escaping Work
    ) {
        waiter.continuation = continuation
        // Add the observer before reading the value, so that no change is missed.
        waiter.priority?.add(waiter)
        let outcome: JoinOutcome = flights.withLock { flights in
            if waiter.phase == .left { return .leftBefore }
            waiter.phase = .waiting
            waiter.level = waiter.priority?.value ?? .normal
            if let flight = flights[waiter.key], flight.add(waiter) {
                return .joined(flight, latest: waiter.onUpdate == nil ? nil : flight.latest, flight.priorityChange())
            }
            let flight = Flight(coordinator: self, task: FlightTask(priority: waiter.level), level: waiter.level)
            flights[waiter.key] = flight
            _ = flight.add(waiter)
            return .started(flight)
        }
        switch outcome {
        case .leftBefore:
            // Waiters can leave only if the coordinator has an error for them.
            if let interruption { waiter.resume(.failure(interruption)) }
        case .started(let flight):
            start(flight, waiter.key, inPlace, work)
        case .joined(let flight, let latest, let priorityChange):
            onJoin?()
            if let latest { waiter.onUpdate?(latest) }
            if let priorityChange { flight.update(priorityChange) }
        }
    }

    /// Starts the work in a new task. Called outside the lock, because starting a task takes long.
    @inlinable func start(_ flight: Flight, _ key: Key, _ inPlace: Bool, _ work: @escaping Work) {
        flight.task.start(inPlace: inPlace) { [self] in
            let result = await DynamicPriority.$current.withValue(flight.task.priority) { await work(flight) }
            finish(key, flight, result)
        }
    }

    /// Starts a flight for work that the caller performs in the host's task; the caller then calls `finish`. Returns
    /// `nil` if the key already has a flight.
    @inlinable package func start(_ key: Key, within host: some FlightHost<Update>) -> Flight? {
        flights.withLock { flights in
            guard flights[key] == nil else { return nil }
            let flight = Flight(coordinator: self, host: host)
            flights[key] = flight
            return flight
        }
    }

    @inlinable func leave(_ waiter: Waiter) {
        guard let interruption else { return }
        let left: (flight: Flight, isEmpty: Bool, PriorityChange?)? = flights.withLock { flights in
            guard waiter.phase == .waiting, let flight = waiter.flight else {
                if waiter.phase == .new { waiter.phase = .left }
                return nil
            }
            waiter.phase = .left
            flight.remove(waiter)
            let isEmpty = flight.waiterCount == 0
            // A hosted flight continues: its host needs the result.
            if isEmpty, !flight.isHosted, flights[waiter.key] === flight { flights[waiter.key] = nil }
            return (flight, isEmpty, flight.priorityChange())
        }
        guard let (flight, isEmpty, priorityChange) = left else { return }
        if isEmpty { flight.task.release() }
        waiter.resume(.failure(interruption))
        if let priorityChange { flight.update(priorityChange) }
    }

    @inlinable package func finish(_ key: Key, _ flight: Flight, _ result: Result<Value, Failure>) {
        let (waiters, priorityChange) = flights.withLock { flights in
            if let index = flights.index(forKey: key), flights.values[index] === flight { flights.remove(at: index) }
            return (flight.finish(), flight.priorityChange())
        }
        for waiter in waiters { waiter.resume(result) }
        guard flight.isHosted else { return }
        if let priorityChange { flight.update(priorityChange) }
        if !waiters.isEmpty { flight.task.release() }
    }

    @inlinable func move(_ waiter: Waiter) {
        guard let priority = waiter.priority else { return }
        let moved: (flight: Flight, PriorityChange?)? = flights.withLock { _ in
            guard waiter.phase == .waiting, let flight = waiter.flight else { return nil }
            flight.move(waiter, to: priority.value)
            return (flight, flight.priorityChange())
        }
        if let (flight, priorityChange) = moved, let priorityChange { flight.update(priorityChange) }
    }

    @inlinable func deliver(_ update: Update, to flight: Flight) {
        let observers = flights.withLock { _ in
            flight.latest = update
            // A closure is faster here: generic code rebuilds a key path, with its type look-ups, at each call.
            return flight.observerCount == 0 ? [] : flight.waiters.compactMap { $0.onUpdate }
        }
        flight.host?.report(update)
        for observer in observers { observer(update) }
    }
}
