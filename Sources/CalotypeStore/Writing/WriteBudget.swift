import ResourceProvider

/// How many bytes may wait for the writer. Who would exceed it waits, in the order of coming.
final class WriteBudget: Sendable {
    private struct State {
        var used = 0
        var waiters = PriorityLanes<Waiter>()
    }

    // Unchecked: touched only under the budget's lock, but for the continuation, which belongs to whoever took the
    // waiter out of `waiting`.
    private final class Waiter: @unchecked Sendable {
        enum Phase { case new, waiting(PriorityLanes<Waiter>.Ticket), left, admitted }

        let bytes: Int
        var phase = Phase.new
        var continuation: UnsafeContinuation<Result<Void, StoreError>, Never>?

        init(bytes: Int) { self.bytes = bytes }
    }

    private let limit: Int
    private let waiterLimit: Int
    private let state = Locked(State())

    init(limit: Int, waiterLimit: Int = 4096) {
        self.limit = limit
        self.waiterLimit = waiterLimit
    }

    var used: Int { state.withLock { $0.used } }
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Returns when there is room for so many bytes. More than the whole limit go alone.
    func admit(_ bytes: Int) async throws(StoreError) {
        if state.withLock({ admitAtOnce(bytes, &$0) }) { return }
        let waiter = Waiter(bytes: bytes)
        let result = await withTaskCancellationHandler {
            await withUnsafeContinuation { enter(waiter, $0) }
        } onCancel: {
            leave(waiter)
        }
        try result.get()
    }

    func release(_ bytes: Int) {
        guard bytes != 0 else { return }
        let admitted = state.withLock { state in
            state.used -= bytes
            return admitWaiters(&state)
        }
        for waiter in admitted { waiter.continuation?.resume(returning: .success(())) }
    }

    private func admitAtOnce(_ bytes: Int, _ state: inout State) -> Bool {
        guard state.waiters.isEmpty, fits(bytes, state) else { return false }
        state.used += bytes
        return true
    }

    private func fits(_ bytes: Int, _ state: State) -> Bool {
        state.used <= 0 || bytes <= limit - state.used
    }

    private func enter(_ waiter: Waiter, _ continuation: UnsafeContinuation<Result<Void, StoreError>, Never>) {
        let outcome: Result<Void, StoreError>? = state.withLock { state in
            if case .left = waiter.phase { return .failure(.cancelled) }
            if admitAtOnce(waiter.bytes, &state) {
                waiter.phase = .admitted
                return .success(())
            }
            guard state.waiters.count < waiterLimit else {
                waiter.phase = .left
                return .failure(.overloaded)
            }
            waiter.continuation = continuation
            waiter.phase = .waiting(state.waiters.push(waiter, priority: .normal))
            return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
    }

    private func leave(_ waiter: Waiter) {
        let (wasWaiting, admitted) = state.withLock { state -> (Bool, [Waiter]) in
            switch waiter.phase {
            case .waiting(let ticket):
                state.waiters.remove(ticket)
                waiter.phase = .left
                // Those behind it may fit where it did not.
                return (true, admitWaiters(&state))
            case .new:
                waiter.phase = .left
                return (false, [])
            case .left, .admitted: return (false, [])
            }
        }
        if wasWaiting { waiter.continuation?.resume(returning: .failure(.cancelled)) }
        for waiter in admitted { waiter.continuation?.resume(returning: .success(())) }
    }

    private func admitWaiters(_ state: inout State) -> [Waiter] {
        var admitted: [Waiter] = []
        while let (ticket, waiter) = state.waiters.peek(), fits(waiter.bytes, state) {
            state.waiters.remove(ticket)
            waiter.phase = .admitted
            state.used += waiter.bytes
            admitted.append(waiter)
        }
        return admitted
    }
}
