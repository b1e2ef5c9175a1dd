/// A room for so many at a time, with a queue by priority in front of its door.
///
/// Whoever enters leaves, once. A place that becomes free goes to the most urgent of those who wait, in the same step,
/// so that nobody slips in between.
final class Limiter: Sendable {
    private struct State {
        var inside = 0
        var queue: PriorityLanes<Waiter>
    }

    private let limit: Int
    private let queueLimit: Int
    private let state: Locked<State>

    init(limit: Int, order: QueueOrder = .firstInFirstOut, queueLimit: Int = .max) {
        self.limit = max(limit, 1)
        self.queueLimit = queueLimit
        state = Locked(State(queue: PriorityLanes(order: order.lanes)))
    }

    /// How many are inside and how many wait.
    var load: (inside: Int, waiting: Int) { state.withLock { ($0.inside, $0.queue.count) } }

    /// Waits for a place. Throws when the task is cancelled before it has one, and when the queue is full.
    func enter() async throws(Interruption) {
        let waiter = Waiter(self, priority: DynamicPriority.current)
        let refusal = await withTaskCancellationHandler {
            await withUnsafeContinuation { arrive(waiter, $0) }
        } onCancel: {
            giveUp(waiter)
        }
        if let refusal { throw refusal }
    }

    /// Waits for a place, cancelled or not.
    func enterUninterruptibly() async {
        let waiter = Waiter(self, priority: DynamicPriority.current)
        _ = await withUnsafeContinuation { arrive(waiter, $0) }
    }

    func leave() {
        let next: Waiter? = state.withLock { state in
            guard let waiter = state.queue.pop() else {
                state.inside -= 1
                return nil
            }
            waiter.phase = .done
            return waiter
        }
        next?.resume(refusal: nil)
    }

    private enum Arrival { case enters, waits, refused(Interruption) }

    private func arrive(_ waiter: Waiter, _ continuation: UnsafeContinuation<Interruption?, Never>) {
        waiter.continuation = continuation
        // Before its value is read: a change in between moves the waiter as soon as it waits.
        waiter.priority?.add(waiter)
        let arrival: Arrival = state.withLock { state in
            if case .done = waiter.phase { return .refused(.cancelled) }
            if state.inside < limit {
                state.inside += 1
                waiter.phase = .done
                return .enters
            }
            if state.queue.count >= queueLimit {
                waiter.phase = .done
                return .refused(.overloaded)
            }
            waiter.phase = .waiting(state.queue.push(waiter, priority: waiter.priority?.value ?? .normal))
            return .waits
        }
        switch arrival {
        case .enters: waiter.resume(refusal: nil)
        case .refused(let interruption): waiter.resume(refusal: interruption)
        case .waits: break
        }
    }

    private func giveUp(_ waiter: Waiter) {
        let wasWaiting = state.withLock { state in
            defer { waiter.phase = .done }
            guard case .waiting(let ticket) = waiter.phase else { return false }
            state.queue.remove(ticket)
            return true
        }
        if wasWaiting { waiter.resume(refusal: .cancelled) }
    }

    private func move(_ waiter: Waiter) {
        state.withLock { state in
            guard case .waiting(let ticket) = waiter.phase, let priority = waiter.priority else { return }
            state.queue.move(ticket, to: priority.value)
        }
    }

    // Unchecked: the phase is touched only under the limiter's lock, the continuation set before that and taken by
    // whoever took the waiter out of `waiting`.
    final class Waiter: PriorityObserver, @unchecked Sendable {
        enum Phase { case new, waiting(PriorityLanes<Waiter>.Ticket), done }

        let limiter: Limiter
        let priority: DynamicPriority?
        var phase = Phase.new
        var continuation: UnsafeContinuation<Interruption?, Never>?

        init(_ limiter: Limiter, priority: DynamicPriority?) {
            self.limiter = limiter
            self.priority = priority
        }

        func priorityDidChange() { limiter.move(self) }

        func resume(refusal: Interruption?) {
            priority?.remove(self)
            continuation?.resume(returning: refusal)
            continuation = nil
        }
    }
}
