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
        let waiter = Waiter(priority: DynamicPriority.current)
        let refusal = await withTaskCancellationHandler {
            await withUnsafeContinuation { arrive(waiter, $0) }
        } onCancel: {
            giveUp(waiter)
        }
        if let refusal { throw refusal }
    }

    /// Waits for a place, cancelled or not.
    func enterUninterruptibly() async {
        let waiter = Waiter(priority: DynamicPriority.current)
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
        let level = waiter.priority?.value ?? .normal
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
            waiter.continuation = continuation
            waiter.phase = .waiting(state.queue.push(waiter, priority: level))
            return .waits
        }
        switch arrival {
        case .enters: continuation.resume(returning: nil)
        case .refused(let interruption): continuation.resume(returning: interruption)
        case .waits: if let priority = waiter.priority { follow(priority, for: waiter, from: level) }
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

    private func follow(_ priority: DynamicPriority, for waiter: Waiter, from level: LoadPriority) {
        let observation = priority.observe { [weak self, weak waiter] in
            guard let self, let waiter else { return }
            move(waiter, to: priority.value)
        }
        let isWaiting = state.withLock { _ in
            guard case .waiting = waiter.phase else { return false }
            waiter.observation = observation
            return true
        }
        if !isWaiting { return observation.cancel() }
        if priority.value != level { move(waiter, to: priority.value) }
    }

    private func move(_ waiter: Waiter, to priority: LoadPriority) {
        state.withLock { state in
            if case .waiting(let ticket) = waiter.phase { state.queue.move(ticket, to: priority) }
        }
    }

    // Unchecked: everything mutable is touched only under the limiter's lock, but for `resume`, which belongs to whoever
    // took the waiter out of `waiting`.
    final class Waiter: @unchecked Sendable {
        enum Phase { case new, waiting(PriorityLanes<Waiter>.Ticket), done }

        let priority: DynamicPriority?
        var phase = Phase.new
        var continuation: UnsafeContinuation<Interruption?, Never>?
        var observation: DynamicPriority.Observation?

        init(priority: DynamicPriority?) { self.priority = priority }

        func resume(refusal: Interruption?) {
            observation?.cancel()
            continuation?.resume(returning: refusal)
            continuation = nil
        }
    }
}
