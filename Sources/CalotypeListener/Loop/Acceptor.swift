/// The part of a listener that accepts clients while there is room, and distributes them evenly among the threads.
///
/// Only one thread accepts: if several did, chance would determine the distribution.
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

    private let socket: ListeningSocket
    private let core: ListenerCore
    private(set) var state = State.accepting

    init(_ socket: consuming ListeningSocket, core: ListenerCore) {
        self.socket = socket
        self.core = core
    }

    var raw: Int32 { socket.raw }

    /// - Parameter deal: Passes a client to a thread.
    mutating func accept(_ deal: (Socket, EventLoop) -> Void) {
        state = .accepting
        for _ in 0..<Self.batch {
            guard hasRoom() else { return state = .full }
            switch socket.accept(leaving: core.options.keptDescriptors) {
            case .client(let socket):
                let loop = core.idlestLoop
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
        // The connection that makes room may have ended before it saw that a client waits.
        core.isFull = true
        return core.openConnections < core.options.connectionLimit
    }
}
