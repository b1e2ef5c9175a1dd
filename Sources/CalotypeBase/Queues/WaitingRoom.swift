/// State shared by tasks, which wait in a priority queue until the state admits them.
///
/// The state is a value, so that its rules can be tested without tasks. Each change admits waiters in the same step, so
/// that no new task can enter first. A waiter that fits never overtakes the first in line, which prevents starvation.
///
/// `Ask` is the type of a task's request, such as a number of bytes. With `Ask == Void` the room is a condition
/// variable: a change that makes the condition true admits all waiters.
///
/// Inlinable, so that clients specialize it for their state.
@usableFromInline
package final class WaitingRoom<State, Ask: Sendable>: Sendable {
    @usableFromInline struct Inside {
        @usableFromInline var state: State
        @usableFromInline var queue: PriorityLanes<Waiter>

        @inlinable init(_ state: State, _ queue: PriorityLanes<Waiter>) {
            self.state = state
            self.queue = queue
        }
    }

    @usableFromInline let inside: Locked<Inside>
    @usableFromInline let queueLimit: Int
    @usableFromInline let admits: @Sendable (inout State, Ask) -> Bool

    /// - Parameters:
    ///   - queueLimit: The maximum number of waiting tasks; the next one throws `overloaded`. No limit by default.
    ///   - admits: Takes the requested amount from the state; returns `false` if the task must wait. Called under the
    ///     lock.
    @inlinable package init(
        _ state: sending State, lastInFirstOut: Bool = false, queueLimit: Int = .max,
        admits: @escaping @Sendable (inout State, Ask) -> Bool
    ) {
        inside = Locked(Inside(state, PriorityLanes(order: lastInFirstOut ? .lastInFirstOut : .firstInFirstOut)))
        self.queueLimit = queueLimit
        self.admits = admits
    }

    @inlinable package var waiting: Int { inside.withLock { $0.queue.count } }

    @inlinable package func read<Result>(_ body: (State) -> Result) -> Result {
        inside.withLock { body($0.state) }
    }

    /// Waits for admission. Throws `cancelled` if the task is cancelled first, or `overloaded` if the queue is full.
    @inlinable package func enter(_ ask: Ask) async throws(Interruption) {
        if entersAtOnce(ask) { return }
        let waiter = Waiter(self, ask, priority: DynamicPriority.current)
        let refusal = await withTaskCancellationHandler {
            await wait(waiter)
        } onCancel: {
            giveUp(waiter)
        }
        if let refusal { throw refusal }
    }

    /// Waits for admission, even if the task is cancelled. Only for rooms without a limit on the queue.
    ///
    /// - Parameter priority: The priority in the queue. `nil` means a constant `normal`.
    @inlinable package func enterUninterruptibly(
        _ ask: Ask, priority: DynamicPriority? = DynamicPriority.current
    ) async {
        if entersAtOnce(ask) { return }
        _ = await wait(Waiter(self, ask, priority: priority))
    }

    /// Changes the state, then admits the waiters that fit now.
    @inlinable package func update<Result>(_ change: (inout State) -> Result) -> Result {
        let (result, admitted) = inside.withLock { inside in
            let result = change(&inside.state)
            return (result, admitWaiters(&inside))
        }
        for waiter in admitted { waiter.resume(nil) }
        return result
    }

    /// Waits until the waiter is admitted or refused. Returns the reason of a refusal, or `nil` if it was admitted.
    @inlinable func wait(_ waiter: Waiter) async -> Interruption? {
        await withUnsafeContinuation { arrive(waiter, $0) }
    }

    @inlinable func entersAtOnce(_ ask: Ask) -> Bool {
        inside.withLock { $0.queue.isEmpty && admits(&$0.state, ask) }
    }

    @inlinable func admitWaiters(_ inside: inout Inside) -> [Waiter] {
        var admitted: [Waiter] = []
        while let (ticket, waiter) = inside.queue.peek(), admits(&inside.state, waiter.ask) {
            inside.queue.remove(ticket)
            waiter.phase = .done
            admitted.append(waiter)
        }
        return admitted
    }

    @usableFromInline enum Arrival { case enters, waits, refused(Interruption) }

    @inlinable func arrive(_ waiter: Waiter, _ continuation: UnsafeContinuation<Interruption?, Never>) {
        waiter.continuation = continuation
        // Add the observer before reading the value, so that no change is missed.
        waiter.priority?.add(waiter)
        let arrival: Arrival = inside.withLock { inside in
            if case .done = waiter.phase { return .refused(.cancelled) }
            if inside.queue.isEmpty, admits(&inside.state, waiter.ask) {
                waiter.phase = .done
                return .enters
            }
            guard inside.queue.count < queueLimit else {
                waiter.phase = .done
                return .refused(.overloaded)
            }
            let ticket = inside.queue.push(waiter, priority: waiter.priority?.value ?? .normal)
            // Before all others in the queue, this one may fit although they do not.
            if inside.queue.peek()?.ticket === ticket, admits(&inside.state, waiter.ask) {
                inside.queue.remove(ticket)
                waiter.phase = .done
                return .enters
            }
            waiter.phase = .waiting(ticket)
            return .waits
        }
        switch arrival {
        case .enters: waiter.resume(nil)
        case .refused(let interruption): waiter.resume(interruption)
        case .waits: break
        }
    }

    @inlinable func giveUp(_ waiter: Waiter) {
        let (wasWaiting, admitted) = inside.withLock { inside -> (Bool, [Waiter]) in
            defer { waiter.phase = .done }
            guard case .waiting(let ticket) = waiter.phase else { return (false, []) }
            inside.queue.remove(ticket)
            // The waiters behind this one may fit although this one did not.
            return (true, admitWaiters(&inside))
        }
        if wasWaiting { waiter.resume(.cancelled) }
        for waiter in admitted { waiter.resume(nil) }
    }

    @inlinable func move(_ waiter: Waiter) {
        let admitted: [Waiter] = inside.withLock { inside in
            guard case .waiting(let ticket) = waiter.phase, let priority = waiter.priority else { return [] }
            inside.queue.move(ticket, to: priority.value)
            return admitWaiters(&inside)
        }
        for waiter in admitted { waiter.resume(nil) }
    }

    // Unchecked: `phase` is accessed only under the room's lock. The continuation is set before the waiter queues, and
    // then belongs to the thread that moves the waiter out of `waiting`.
    @usableFromInline final class Waiter: PriorityObserver, @unchecked Sendable {
        @usableFromInline enum Phase { case new, waiting(PriorityLanes<Waiter>.Ticket), done }

        @usableFromInline let room: WaitingRoom
        @usableFromInline let ask: Ask
        @usableFromInline let priority: DynamicPriority?
        @usableFromInline var phase = Phase.new
        @usableFromInline var continuation: UnsafeContinuation<Interruption?, Never>?

        @inlinable init(_ room: WaitingRoom, _ ask: Ask, priority: DynamicPriority?) {
            self.room = room
            self.ask = ask
            self.priority = priority
        }

        @inlinable package func priorityDidChange() { room.move(self) }

        @inlinable func resume(_ refusal: Interruption?) {
            priority?.remove(self)
            continuation?.resume(returning: refusal)
            continuation = nil
        }
    }
}
