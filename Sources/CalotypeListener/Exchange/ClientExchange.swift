import CalotypeBase

/// A request whose answer takes a while, or whose body comes in pieces, as its tasks see it.
///
/// Whatever they have to say is posted to the thread of the connection, which alone touches it.
final class ClientExchange: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isOver = false
        /// Bytes of interim responses that the client has not been sent yet.
        var interimBytes = 0
    }

    /// Bytes of interim responses that may wait for the client.
    private static let interimLimit = 16 << 10

    let id: UInt64
    private let connection: ConnectionID
    private let loop: EventLoop
    private let state = Locked(State())

    init(id: UInt64, connection: ConnectionID, loop: EventLoop) {
        self.id = id
        self.connection = connection
        self.loop = loop
    }

    // MARK: The tasks' side

    func deliver(_ response: ListenerResponse) { post(.answer(response)) }

    /// There is something to take, or room to give.
    func proceed() { post(.proceed) }

    func sendInterim(_ bytes: [UInt8]) {
        let isTaken = state.withLock { state in
            guard !state.isOver, state.interimBytes + bytes.count <= Self.interimLimit else { return false }
            state.interimBytes += bytes.count
            return true
        }
        if isTaken { post(.interim(bytes)) }
    }

    private func post(_ news: ExchangeNews) { loop.post(.exchange(connection, request: id, news)) }

    // MARK: The connection's side

    /// Runs `work` until the exchange ends.
    func start(_ work: @escaping @Sendable () async -> Void) {
        let task = Task { await work() }
        let isOver = state.withLock { state in
            if !state.isOver { state.task = task }
            return state.isOver
        }
        if isOver { task.cancel() }
    }

    func interimWasSent() { state.withLock { $0.interimBytes = 0 } }

    /// The request is over: its tasks are cancelled, and nothing they say is heard any more.
    func end() {
        let task = state.withLock { state in
            state.isOver = true
            defer { state.task = nil }
            return state.task
        }
        task?.cancel()
    }
}

/// The messages of an exchange's tasks to its connection.
enum ExchangeNews: Sendable {
    case answer(ListenerResponse)
    case interim([UInt8])
    case proceed
}
