import ResourceProvider
import Synchronization

/// Lets downloads start, by priority, while neither too many run nor too many bytes wait to be decoded.
///
/// Downloads are faster than decoders. Without a bound on bytes, a thousand pictures asked for at once would all lie
/// in memory, waiting for their turn. What runs when the bound is reached goes on, so the excess is at most the bodies
/// of the downloads that are allowed at once.
final class DownloadAdmission: Sendable {
    private struct State {
        var running = 0
        var heldBytes = 0
        var waiting = PriorityLanes<Waiter>()
    }

    private let downloadLimit: Int
    private let byteLimit: Int
    private let queueLimit: Int
    private let state = Locked(State())

    /// - Parameters:
    ///   - downloads: how many may run at once.
    ///   - bytes: how many bytes may be held by bodies that are complete, before no further download starts.
    ///   - queueLimit: how many may wait; one more fails with `overloaded`.
    init(downloads: Int, bytes: Int, queueLimit: Int) {
        downloadLimit = max(downloads, 1)
        byteLimit = bytes
        self.queueLimit = queueLimit
    }

    /// How many wait to start, and how many bytes are held.
    var load: (waiting: Int, heldBytes: Int) { state.withLock { ($0.waiting.count, $0.heldBytes) } }

    /// Returns when a download may start. It counts as running until the permit is settled or let go.
    func admit() async throws(ImageError) -> Permit {
        if let permit = admitAtOnce() { return permit }
        let waiter = Waiter(self, priority: DynamicPriority.current)
        let answer: Result<Permit, ImageError> = await withTaskCancellationHandler {
            await withUnsafeContinuation { enqueue(waiter, $0) }
        } onCancel: {
            cancel(waiter)
        }
        return try answer.get()
    }

    private func admitAtOnce() -> Permit? {
        let isAdmitted = state.withLock { state in
            guard hasRoom(state), state.waiting.isEmpty else { return false }
            state.running += 1
            return true
        }
        return isAdmitted ? Permit(self) : nil
    }

    private func enqueue(_ waiter: Waiter, _ continuation: Waiter.Continuation) {
        waiter.continuation = continuation
        // Before its value is read: a change in between moves the waiter as soon as it waits.
        waiter.priority?.add(waiter)
        let answer: Result<Permit, ImageError>? = state.withLock { state in
            if waiter.phase == .ended { return .failure(.cancelled) }
            if hasRoom(state), state.waiting.isEmpty {
                waiter.phase = .ended
                state.running += 1
                return .success(Permit(self))
            }
            if state.waiting.count >= queueLimit {
                waiter.phase = .ended
                return .failure(.overloaded)
            }
            waiter.phase = .waiting
            waiter.ticket = state.waiting.push(waiter, priority: waiter.priority?.value ?? .normal)
            return nil
        }
        if let answer { waiter.end(answer) }
    }

    private func move(_ waiter: Waiter) {
        state.withLock { state in
            guard let ticket = waiter.ticket, let priority = waiter.priority else { return }
            state.waiting.move(ticket, to: priority.value)
        }
    }

    private func cancel(_ waiter: Waiter) {
        let wasWaiting = state.withLock { state in
            defer { waiter.phase = .ended }
            guard waiter.phase == .waiting, let ticket = waiter.ticket else { return false }
            state.waiting.remove(ticket)
            return true
        }
        if wasWaiting { waiter.end(.failure(.cancelled)) }
    }

    private func hasRoom(_ state: State) -> Bool {
        state.running < downloadLimit && state.heldBytes <= byteLimit
    }

    /// Applies what has changed, then starts whom there is room for now.
    private func update(_ change: (inout State) -> Void) {
        let admitted = state.withLock { state in
            change(&state)
            var admitted: [Waiter] = []
            while hasRoom(state), let waiter = state.waiting.pop() {
                waiter.phase = .ended
                state.running += 1
                admitted.append(waiter)
            }
            return admitted
        }
        for waiter in admitted { waiter.end(.success(Permit(self))) }
    }

    /// The right to download one body, then the count of its bytes for as long as they are held.
    final class Permit: Sendable {
        private let admission: DownloadAdmission
        private let settledBytes = Atomic(Permit.running)
        private static let running = -1

        fileprivate init(_ admission: DownloadAdmission) {
            self.admission = admission
        }

        /// The download has ended, with so many bytes. They are counted until the permit is let go.
        func settle(bytes count: Int) {
            settledBytes.store(count, ordering: .releasing)
            admission.update { state in
                state.running -= 1
                state.heldBytes += count
            }
        }

        deinit {
            let count = settledBytes.load(ordering: .acquiring)
            admission.update { state in
                if count == Permit.running { state.running -= 1 } else { state.heldBytes -= count }
            }
        }
    }

    // Unchecked: phase and ticket are touched only under the lock of `state`, the continuation set before that and
    // taken by whoever took the waiter out of `waiting`.
    fileprivate final class Waiter: PriorityObserver, @unchecked Sendable {
        typealias Continuation = UnsafeContinuation<Result<Permit, ImageError>, Never>
        enum Phase { case new, waiting, ended }

        let admission: DownloadAdmission
        let priority: DynamicPriority?
        var phase = Phase.new
        var ticket: PriorityLanes<Waiter>.Ticket?
        var continuation: Continuation?

        init(_ admission: DownloadAdmission, priority: DynamicPriority?) {
            self.admission = admission
            self.priority = priority
        }

        func priorityDidChange() { admission.move(self) }

        func end(_ result: Result<Permit, ImageError>) {
            priority?.remove(self)
            continuation?.resume(returning: result)
            continuation = nil
        }
    }
}
