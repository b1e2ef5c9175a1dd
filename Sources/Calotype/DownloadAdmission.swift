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
        let waiter = Waiter()
        let answer: Result<Permit, ImageError> = await withTaskCancellationHandler {
            await withUnsafeContinuation { enqueue(waiter, $0) }
        } onCancel: {
            cancel(waiter)
        }
        return try answer.get()
    }

    private func enqueue(_ waiter: Waiter, _ continuation: Waiter.Continuation) {
        let priority = DynamicPriority.current
        let level = priority?.value ?? .normal
        let answer: Result<Permit, ImageError>? = state.withLock { state in
            if waiter.isCancelled { return .failure(.cancelled) }
            if hasRoom(state), state.waiting.isEmpty {
                state.running += 1
                return .success(Permit(self))
            }
            if state.waiting.count >= queueLimit { return .failure(.overloaded) }
            waiter.continuation = continuation
            waiter.ticket = state.waiting.push(waiter, priority: level)
            return nil
        }
        if let answer { return continuation.resume(returning: answer) }
        if let priority { follow(priority, of: waiter, from: level) }
    }

    private func follow(_ priority: DynamicPriority, of waiter: Waiter, from level: LoadPriority) {
        let observation = priority.observe { [weak self, weak waiter] in
            guard let self, let waiter else { return }
            move(waiter, to: priority.value)
        }
        let isWaiting = state.withLock { _ in
            if waiter.ticket != nil { waiter.observation = observation }
            return waiter.ticket != nil
        }
        if !isWaiting { return observation.cancel() }
        if priority.value != level { move(waiter, to: priority.value) }
    }

    private func move(_ waiter: Waiter, to priority: LoadPriority) {
        state.withLock { state in
            if let ticket = waiter.ticket { state.waiting.move(ticket, to: priority) }
        }
    }

    private func cancel(_ waiter: Waiter) {
        let left = state.withLock { state in
            waiter.isCancelled = true
            if let ticket = waiter.ticket { state.waiting.remove(ticket) }
            return waiter.take()
        }
        left?.end(.failure(.cancelled))
    }

    private func hasRoom(_ state: State) -> Bool {
        state.running < downloadLimit && state.heldBytes <= byteLimit
    }

    /// Applies what has changed, then starts whom there is room for now.
    private func update(_ change: (inout State) -> Void) {
        let admitted = state.withLock { state in
            change(&state)
            var admitted: [Waiter.Departure] = []
            while hasRoom(state), let waiter = state.waiting.pop() {
                guard let departure = waiter.take() else { continue }
                state.running += 1
                admitted.append(departure)
            }
            return admitted
        }
        for departure in admitted { departure.end(.success(Permit(self))) }
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

    // Unchecked: touched only under the lock of `state`.
    fileprivate final class Waiter: @unchecked Sendable {
        typealias Continuation = UnsafeContinuation<Result<Permit, ImageError>, Never>

        /// One that has left the queue, to be resumed outside the lock.
        struct Departure {
            let continuation: Continuation
            let observation: DynamicPriority.Observation?

            func end(_ result: Result<Permit, ImageError>) {
                observation?.cancel()
                continuation.resume(returning: result)
            }
        }

        var continuation: Continuation?
        var ticket: PriorityLanes<Waiter>.Ticket?
        var observation: DynamicPriority.Observation?
        var isCancelled = false

        func take() -> Departure? {
            guard let continuation else { return nil }
            defer {
                self.continuation = nil
                ticket = nil
            }
            return Departure(continuation: continuation, observation: observation)
        }
    }
}
