import CalotypeBase
import Dispatch

/// Holds tasks and threads until the test lets them go.
///
/// It takes the place of a sleep: what is tested waits at the gate, the test looks at the state that lasts as long as
/// it likes, then opens.
///
/// ```swift
/// let gate = Gate()
/// let transport = FakeTransport { request in
///     await gate.wait()
///     return HTTPResponse(url: request.url, status: 200)
/// }
/// let load = Task { try await loader.fetch(url) }
/// await gate.waitForWaiters(1)        // the request is out, and stays there
/// gate.open()
/// ```
public final class Gate: Sendable {
    private struct State {
        var isOpen: Bool
        var permits = 0
        var nextID: UInt64 = 0
        /// In order of arrival: ids only grow.
        var queue: [UInt64: @Sendable () -> Void] = [:]
        var leftBefore: Set<UInt64> = []

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

    /// - Parameter isOpen: whether all pass from the beginning. Closed by default.
    public init(isOpen: Bool = false) {
        state = Watched(State(isOpen: isOpen))
    }

    /// Lets everybody through, now and later, until `close()`.
    public func open() {
        admit { $0.isOpen = true }
    }

    /// Lets `count` through: those who wait, in the order in which they came, then those who come.
    public func open(count: Int) {
        admit { $0.permits += max(count, 0) }
    }

    /// Holds everybody who comes from now on. Forgets what `open(count:)` granted and nobody used.
    public func close() {
        state.update { state in
            state.isOpen = false
            state.permits = 0
        }
    }

    /// Suspends until the gate lets this task through.
    ///
    /// A task that is cancelled returns at once without using up a place; look at `Task.isCancelled` where that matters.
    public func wait() async {
        let id = newID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in arrive(id) { continuation.resume() } }
        } onCancel: {
            leave(id)
        }
        state.update { _ = $0.leftBefore.remove(id) }
    }

    /// Blocks the thread until the gate lets it through. For code that runs on threads of its own, never in a task.
    public func waitBlocking() {
        let semaphore = DispatchSemaphore(value: 0)
        arrive(newID()) { semaphore.signal() }
        semaphore.wait()
    }

    /// How many wait at the gate now.
    public var waiting: Int { state.read { $0.queue.count } }

    /// Suspends until at least `count` wait at the same time. Returns early when the task is cancelled.
    public func waitForWaiters(_ count: Int) async {
        await state.wait { $0.queue.count >= count }
    }

    /// Suspends until no task or thread waits. Returns early when the task is cancelled.
    public func waitUntilEmpty() async {
        await state.wait { $0.queue.isEmpty }
    }

    /// Calls `pass` once the gate lets it through, which may be before this returns.
    func arrive(_ pass: @escaping @Sendable () -> Void) {
        arrive(newID(), pass)
    }

    private func newID() -> UInt64 {
        state.update { state in
            state.nextID += 1
            return state.nextID
        }
    }

    private func arrive(_ id: UInt64, _ pass: @escaping @Sendable () -> Void) {
        let passesNow = state.update { state in
            if state.leftBefore.contains(id) || state.passes() { return true }
            state.queue[id] = pass
            return false
        }
        if passesNow { pass() }
    }

    private func leave(_ id: UInt64) {
        let resume = state.update { state in
            // Cancellation may come before the waiter has arrived: remember it until `wait` ends.
            state.leftBefore.insert(id)
            return state.queue.removeValue(forKey: id)
        }
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
