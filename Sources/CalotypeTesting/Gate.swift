import CalotypeBase
import Dispatch

/// A gate that suspends tasks and blocks threads until the test releases them.
///
/// A gate replaces a sleep: the code under test waits at the gate, the test checks the stable state for as long as
/// necessary, and then opens the gate.
///
/// ```swift
/// let gate = Gate()
/// let transport = FakeTransport { request in
///     await gate.wait()
///     return HTTPResponse(url: request.url, status: 200)
/// }
/// let load = Task { try await loader.fetch(url) }
/// await gate.waitForWaiters(1)        // the request is in flight and waits
/// gate.open()
/// ```
public final class Gate: Sendable {
    private struct State {
        var isOpen: Bool
        var permits = 0
        var nextID: UInt64 = 0
        /// Waiters by ID. IDs increase in order of arrival.
        var queue: [UInt64: @Sendable () -> Void] = [:]

        mutating func passes() -> Bool {
            if isOpen { return true }
            guard permits > 0 else { return false }
            permits -= 1
            return true
        }

        mutating func takeAdmitted() -> [@Sendable () -> Void] {
            var admitted: [@Sendable () -> Void] = []
            for id in queue.keys.sorted() {
                guard passes() else { break }
                if let resume = queue.removeValue(forKey: id) { admitted.append(resume) }
            }
            return admitted
        }
    }

    private let state: Watched<State>

    /// - Parameter isOpen: Whether the gate is initially open. Closed by default.
    public init(isOpen: Bool = false) {
        state = Watched(State(isOpen: isOpen))
    }

    /// Admits all waiters, present and future, until `close()`.
    public func open() {
        admit { $0.isOpen = true }
    }

    /// Admits `count` waiters: present ones in order of arrival, then future ones.
    public func open(count: Int) {
        admit { $0.permits += max(count, 0) }
    }

    /// Closes the gate for future waiters. Discards unused permits of `open(count:)`.
    public func close() {
        state.update { ($0.isOpen, $0.permits) = (false, 0) }
    }

    /// Suspends until the gate admits this task.
    ///
    /// A cancelled task returns at once without using a permit; check `Task.isCancelled` if that matters.
    public func wait() async {
        let id = newID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in arrive(id) { continuation.resume() } }
        } onCancel: {
            leave(id)
        }
    }

    /// Blocks the calling thread until the gate admits it. Call this on dedicated threads, never in a task.
    public func waitBlocking() {
        let semaphore = DispatchSemaphore(value: 0)
        arrive(newID()) { semaphore.signal() }
        semaphore.wait()
    }

    /// The number of waiters at the gate.
    public var waiting: Int { state.read { $0.queue.count } }

    /// Suspends until at least `count` waiters are at the gate. Returns early if the task is cancelled.
    public func waitForWaiters(_ count: Int) async {
        await state.wait { $0.queue.count >= count }
    }

    /// Suspends until no waiter is at the gate. Returns early if the task is cancelled.
    public func waitUntilEmpty() async {
        await state.wait { $0.queue.isEmpty }
    }

    private func newID() -> UInt64 {
        state.update { state in
            state.nextID += 1
            return state.nextID
        }
    }

    /// Adds a waiter. Calls `pass` when the gate admits the waiter, possibly before this function returns.
    private func arrive(_ id: UInt64, _ pass: @escaping @Sendable () -> Void) {
        let passesNow = state.update { state in
            // If the task is already cancelled, `leave` may have run, and would not remove this waiter.
            if Task.isCancelled || state.passes() { return true }
            state.queue[id] = pass
            return false
        }
        if passesNow { pass() }
    }

    private func leave(_ id: UInt64) {
        let resume = state.update { $0.queue.removeValue(forKey: id) }
        resume?()
    }

    private func admit(_ change: (inout State) -> Void) {
        let admitted = state.update { state in
            change(&state)
            return state.takeAdmitted()
        }
        for pass in admitted { pass() }
    }
}
