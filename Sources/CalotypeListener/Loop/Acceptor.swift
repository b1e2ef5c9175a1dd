/// Takes clients in as long as there is room, and deals them evenly to the threads.
///
/// One thread accepts: several would leave it to chance how many connections each of them gets.
struct Acceptor: ~Copyable {
    enum State {
        case accepting
        /// As many connections are open as may be.
        case full
        /// The process has no descriptor left for clients.
        case exhausted
    }

    /// Clients taken in before others are looked after.
    private static let batch = 64

    private let socket: ListeningSocket
    private let core: ListenerCore
    private(set) var state = State.accepting

    init(_ socket: consuming ListeningSocket, core: ListenerCore) {
        self.socket = socket
        self.core = core
    }

    var raw: Int32 { socket.raw }

    /// - Parameter deal: gives a client to a thread.
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
        // The one that makes room may have ended before it saw that somebody waits.
        core.isFull = true
        return core.openConnections < core.options.connectionLimit
    }
}
