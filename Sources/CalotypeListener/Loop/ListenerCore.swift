import CalotypeBase
import Glibc
import Synchronization

/// The state shared by a listener's threads: the handler, the options and the load.
final class ListenerCore: Sendable {
    let options: Listener.Options
    let answer: @Sendable (ListenerRequest) -> ListenerAnswer
    let loops: [EventLoop]
    let limits: RequestLimits
    let deadlines: Deadlines
    private let threads = Locked(Set<pthread_t>())
    private let draining = Atomic(false)
    private let drained = WaitingRoom<Drain, Void>(Drain()) { drain, _ in drain.isIdle || drain.isOverdue }
    private let full = Atomic(false)
    /// The number of exchanges that wait for their client, on all threads.
    private let slowExchanges = Atomic(0)
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
        deadlines = Deadlines(options.timeouts)
    }

    // MARK: Threads

    func threadStarted() { threads.withLock { _ = $0.insert(pthread_self()) } }
    func threadEnded() { threads.withLock { _ = $0.remove(pthread_self()) } }
    var isOnLoopThread: Bool { threads.withLock { $0.contains(pthread_self()) } }

    // MARK: Connections

    var openConnections: Int { loops.reduce(0) { $0 + $1.connections } }

    var idlestLoop: EventLoop { loops.min { $0.connections < $1.connections } ?? loops[0] }

    /// Whether other clients wait for a connection, or soon will, or too many exchanges wait for their clients.
    var isCrowded: Bool {
        isFull || openConnections >= options.connectionLimit - options.connectionLimit / 8
            || options.slowExchangeLimit.map { slowExchanges.load(ordering: .relaxed) > $0 } ?? false
    }

    /// Counts an exchange that starts or stops waiting for its client.
    func exchangeWaits(_ waits: Bool) { slowExchanges.add(waits ? 1 : -1, ordering: .relaxed) }

    /// Whether the accepting thread waits for the end of a connection.
    var isFull: Bool {
        get { full.load(ordering: .sequentiallyConsistent) }
        set { full.store(newValue, ordering: .sequentiallyConsistent) }
    }

    var fullestLoop: EventLoop { loops.max { $0.connections < $1.connections } ?? loops[0] }

    // MARK: Requests

    private struct Drain {
        /// Whether no request is in flight.
        var isIdle = false
        var isOverdue = false
    }

    /// - Returns: The number of the new request.
    func requestBegan() -> UInt64 {
        requestsInFlight.add(1, ordering: .sequentiallyConsistent)
        if isDraining { noteRequestsInFlight() }
        return lastRequest.add(1, ordering: .relaxed).newValue
    }

    func requestEnded() {
        requestsInFlight.subtract(1, ordering: .sequentiallyConsistent)
        if isDraining { noteRequestsInFlight() }
    }

    /// Whether each connection ends after its next response.
    var isDraining: Bool { draining.load(ordering: .sequentiallyConsistent) }

    /// Waits until no request is in flight, or until ``endDrain()``.
    func drain() async {
        draining.store(true, ordering: .sequentiallyConsistent)
        // If the last request ended before the flag was set, it did not call `noteRequestsInFlight()`.
        noteRequestsInFlight()
        await drained.enterUninterruptibly(())
    }

    /// Ends ``drain()``, even if it has not begun to wait.
    func endDrain() { drained.update { $0.isOverdue = true } }

    /// Updates `isIdle`. Reads the count under the lock, so that a concurrent call cannot overwrite a newer result.
    private func noteRequestsInFlight() {
        drained.update { $0.isIdle = requestsInFlight.load(ordering: .sequentiallyConsistent) == 0 }
    }
}

extension RequestLimits {
    init(_ options: Listener.Options) {
        head = options.headerMemory
        target = min(target, options.headerMemory / 2)
        body = options.bodyLimit
        takesTrailers = options.takesTrailers
    }
}
