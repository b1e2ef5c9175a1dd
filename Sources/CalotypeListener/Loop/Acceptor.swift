/// Accepts clients up to the limits on connections and descriptors, and distributes them among the threads.
///
/// Only one thread accepts, because several would share the clients unevenly. The accepting thread keeps the first few
/// clients, so that it need not wake another thread for them. Each further client goes to the thread with the fewest.
struct Acceptor: ~Copyable {
    enum State {
        case accepting
        /// The connection limit is reached.
        case full
        /// The process has no descriptors left for clients.
        case exhausted
    }

    /// The maximum number of clients to accept before other events are handled.
    private static let batch = 64
    /// The number of clients that the accepting thread keeps before other threads get any.
    private static let kept = 8

    private let socket: ListeningSocket
    private let core: ListenerCore
    private let ownLoop: EventLoop
    private(set) var state = State.accepting

    init(_ socket: consuming ListeningSocket, core: ListenerCore, ownLoop: EventLoop) {
        self.socket = socket
        self.core = core
        self.ownLoop = ownLoop
    }

    var raw: Int32 { socket.raw }
    var isInherited: Bool { socket.isInherited }

    /// - Parameter deal: Passes a client to a thread.
    mutating func accept(_ deal: (Socket, EventLoop) -> Void) {
        state = .accepting
        for _ in 0..<Self.batch {
            guard hasRoom() else { return state = .full }
            switch socket.accept(leaving: core.options.keptDescriptors) {
            case .client(let socket):
                let loop = ownLoop.connections < Self.kept ? ownLoop : core.idlestLoop
                loop.connectionWasGiven()
                deal(socket, loop)
            case .nothing: return
            case .exhausted:
                core.isFull = true
                return state = .exhausted
            }
        }
    }

    private func hasRoom() -> Bool {
        if core.openConnections < core.options.connectionLimit { return true }
        // A connection that ended before `isFull` was set did not report its end to the acceptor: check again.
        core.isFull = true
        return core.openConnections < core.options.connectionLimit
    }
}
