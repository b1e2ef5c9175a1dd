import Foundation
import ResourceProvider
import Synchronization

/// What the library's threads share: the handler, the limits, and the requests that wait.
final class ListenerCore: Sendable {
    private struct Table {
        var isStopping = false
        var waiting: [UInt64: Exchange] = [:]
        var lastRequest: UInt64 = 0
        var connections = 0
        var requestsInFlight = 0
        /// Who waits for the last request to end, since ``drain()``.
        var drained: [CheckedContinuation<Void, Never>] = []
        /// The library's threads, as far as they have met a client.
        var threads: Set<pthread_t> = []
    }

    let options: Listener.Options
    let answer: @Sendable (ListenerRequest) -> ListenerAnswer
    private let table = Locked(Table())
    private let draining = Atomic(false)
    private let watcher = Locked<DisconnectWatcher?>(nil)

    init(options: Listener.Options, answer: @escaping @Sendable (ListenerRequest) -> ListenerAnswer) {
        self.options = options
        self.answer = answer
    }

    func startWatching() throws(ListenerError) {
        let started = try DisconnectWatcher { [weak self] id in self?.waitingExchange(id)?.abandon(.clientLeft) }
        watcher.withLock { $0 = started }
    }

    var openConnections: Int { table.withLock { $0.connections } }

    func connectionOpened(on thread: pthread_t) {
        table.withLock { table in
            table.connections += 1
            table.threads.insert(thread)
        }
    }

    func connectionClosed() { table.withLock { $0.connections -= 1 } }

    var isOnLibraryThread: Bool { table.withLock { $0.threads.contains(pthread_self()) } }

    /// - Returns: the new request's id.
    func requestBegan() -> UInt64 {
        table.withLock { table in
            table.lastRequest += 1
            table.requestsInFlight += 1
            return table.lastRequest
        }
    }

    func requestEnded() {
        let drained = table.withLock { table -> [CheckedContinuation<Void, Never>] in
            table.requestsInFlight -= 1
            guard table.requestsInFlight == 0 else { return [] }
            defer { table.drained = [] }
            return table.drained
        }
        for waiter in drained { waiter.resume() }
    }

    /// Whether each answer from now on is its connection's last.
    var isDraining: Bool { draining.load(ordering: .relaxed) }

    /// Waits until no request is in flight.
    func drain() async {
        draining.store(true, ordering: .relaxed)
        await withCheckedContinuation { waiter in
            let isDone = table.withLock { table in
                guard table.requestsInFlight > 0 else { return true }
                table.drained.append(waiter)
                return false
            }
            if isDone { waiter.resume() }
        }
    }

    /// Remembers an exchange that is about to wait; false when the listener stops and nothing may wait any more.
    func willWait(_ exchange: Exchange, on descriptor: Int32) -> Bool {
        let isAdmitted = table.withLock { table in
            if !table.isStopping { table.waiting[exchange.id] = exchange }
            return !table.isStopping
        }
        guard isAdmitted else { return false }
        watcher.withLock { $0?.watch(descriptor, id: exchange.id) }
        return true
    }

    func didEnd(_ exchange: Exchange, on descriptor: Int32) {
        let wasWaiting = table.withLock { $0.waiting.removeValue(forKey: exchange.id) != nil }
        if wasWaiting { watcher.withLock { $0?.forget(descriptor) } }
    }

    /// Ends what waits, and lets nothing wait from now on.
    func stopWaiting() {
        let waiting = table.withLock { table in
            table.isStopping = true
            return Array(table.waiting.values)
        }
        for exchange in waiting { exchange.abandon(.dropped) }
    }

    /// After the library's threads have ended.
    func stopWatching() {
        watcher.withLock { watcher in
            watcher?.stop()
            watcher = nil
        }
    }

    private func waitingExchange(_ id: UInt64) -> Exchange? {
        table.withLock { $0.waiting[id] }
    }
}
