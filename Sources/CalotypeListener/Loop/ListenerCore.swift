import CalotypeConcurrency
import Glibc
import Synchronization

/// The state that the threads of a listener share: the handler, the options, and the load.
final class ListenerCore: Sendable {
    private struct Table {
        /// Who waits for the last request to end, since ``drain()``.
        var drained: [CheckedContinuation<Void, Never>] = []
        var threads: Set<pthread_t> = []
    }

    let options: Listener.Options
    let answer: @Sendable (ListenerRequest) -> ListenerAnswer
    let loops: [EventLoop]
    let limits: RequestLimits
    let patience: Patience
    private let table = Locked(Table())
    private let draining = Atomic(false)
    private let drainIsOverdue = Atomic(false)
    private let full = Atomic(false)
    private let lastRequest = Atomic<UInt64>(0)
    private let requestsInFlight = Atomic(0)

    init(
        options: Listener.Options, loops: [EventLoop],
        answer: @escaping @Sendable (ListenerRequest) -> ListenerAnswer
    ) {
        self.options = options
        self.answer = answer
        self.loops = loops
        limits = RequestLimits(options)
        patience = Patience(options.timeouts)
    }

    // MARK: Threads

    func threadStarted() { table.withLock { _ = $0.threads.insert(pthread_self()) } }
    func threadEnded() { table.withLock { _ = $0.threads.remove(pthread_self()) } }
    var isOnLoopThread: Bool { table.withLock { $0.threads.contains(pthread_self()) } }

    // MARK: Connections

    var openConnections: Int { loops.reduce(0) { $0 + $1.connections } }

    /// The one with the fewest connections.
    var idlestLoop: EventLoop { loops.min { $0.connections < $1.connections } ?? loops[0] }

    /// A Boolean value indicating whether others wait for a connection, or soon will.
    var isCrowded: Bool { isFull || openConnections >= options.connectionLimit / 8 * 7 }

    /// A Boolean value indicating whether the thread that accepts waits for the end of a connection.
    var isFull: Bool {
        get { full.load(ordering: .sequentiallyConsistent) }
        set { full.store(newValue, ordering: .sequentiallyConsistent) }
    }

    /// The one with the most connections.
    var fullestLoop: EventLoop { loops.max { $0.connections < $1.connections } ?? loops[0] }

    // MARK: Requests

    /// - Returns: the new request's id.
    func requestBegan() -> UInt64 {
        requestsInFlight.add(1, ordering: .sequentiallyConsistent)
        return lastRequest.add(1, ordering: .relaxed).newValue
    }

    func requestEnded() {
        let left = requestsInFlight.subtract(1, ordering: .sequentiallyConsistent).newValue
        if left == 0 && isDraining { endDrain() }
    }

    /// A Boolean value indicating whether each answer from now on is its connection's last.
    var isDraining: Bool { draining.load(ordering: .sequentiallyConsistent) }

    /// Waits until no request is in flight, or ``endOverdueDrain()``.
    func drain() async {
        draining.store(true, ordering: .sequentiallyConsistent)
        await withCheckedContinuation { waiter in
            table.withLock { $0.drained.append(waiter) }
            // The last one may have ended before it saw who waits.
            let isOverdue = drainIsOverdue.load(ordering: .sequentiallyConsistent)
            if isOverdue || requestsInFlight.load(ordering: .sequentiallyConsistent) == 0 { endDrain() }
        }
    }

    /// The time for ``drain()`` has passed, which may not have begun to wait yet.
    func endOverdueDrain() {
        drainIsOverdue.store(true, ordering: .sequentiallyConsistent)
        endDrain()
    }

    private func endDrain() {
        let drained = table.withLock { table in
            defer { table.drained = [] }
            return table.drained
        }
        for waiter in drained { waiter.resume() }
    }
}

extension RequestLimits {
    init(_ options: Listener.Options) {
        head = options.headerMemory
        target = min(target, options.headerMemory / 2)
        body = options.bodyLimit
    }
}
