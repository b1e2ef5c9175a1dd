import Foundation
import ResourceProvider

/// What the library's threads share: the handler, the limits, and the requests that wait.
final class ListenerCore: Sendable {
    private struct Table {
        var isStopping = false
        var waiting: [UInt64: Exchange] = [:]
        var lastRequest: UInt64 = 0
        var connections = 0
        /// The library's threads, as far as they have met a client.
        var threads: Set<pthread_t> = []
    }

    let options: Listener.Options
    let answer: @Sendable (ListenerRequest) -> ListenerAnswer
    private let table = Locked(Table())
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

    func nextRequestID() -> UInt64 {
        table.withLock { table in
            table.lastRequest += 1
            return table.lastRequest
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
