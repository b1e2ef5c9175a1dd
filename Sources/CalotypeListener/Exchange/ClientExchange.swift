import CalotypeBase

/// The link from the tasks of a request (its handler and the pump of its response) to its connection.
///
/// The tasks post messages to the connection's thread, which alone accesses the connection.
final class ClientExchange: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isOver = false
        /// The number of bytes of interim responses posted since the connection last looked for bytes to send.
        var interimBytes = 0
    }

    /// The limit on `interimBytes`. Interim responses beyond it are dropped.
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

    /// Notifies the connection that the response has more bytes, or that ``UploadPump`` accepts more bytes again.
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

    /// Runs `work` in a task, which is cancelled when the exchange ends.
    func start(_ work: @escaping @Sendable () async -> Void) {
        let task = Task { await work() }
        let isOver = state.withLock { state in
            if !state.isOver { state.task = task }
            return state.isOver
        }
        if isOver { task.cancel() }
    }

    func interimWasSent() { state.withLock { $0.interimBytes = 0 } }

    /// Ends the request: cancels its tasks and ignores their further messages.
    func end() {
        let task = state.withLock { state in
            state.isOver = true
            defer { state.task = nil }
            return state.task
        }
        task?.cancel()
    }
}

/// The messages from an exchange's tasks to its connection.
enum ExchangeNews: Sendable {
    case answer(ListenerResponse)
    case interim([UInt8])
    case proceed
}
