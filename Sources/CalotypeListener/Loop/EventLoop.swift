import CalotypeBase
import Synchronization

/// The mailbox of a thread that serves connections.
final class EventLoop: Sendable {
    enum Message: Sendable {
        case adopt(Socket)
        case exchange(ConnectionID, request: UInt64, ExchangeNews)
        /// A connection has ended, so that another client can be accepted.
        case acceptAgain
        case stopAccepting(done: @Sendable () -> Void)
        /// Somebody asks whether the thread still handles messages.
        case pulse(done: @Sendable () -> Void)
        /// Other clients wait to be accepted: close a connection that lingers or is idle.
        ///
        /// - Parameter asked: The number of threads that have got this message so far, including the receiver.
        case makeRoom(asked: Int)
        case lookAtClock
        case stop
    }

    private struct Mailbox {
        var messages: [Message] = []
        var isClosed = false
    }

    let wakeup: Wakeup
    private let mailbox = Locked(Mailbox())
    /// The number of connections that the thread has or will receive.
    private let load = Atomic(0)

    init() throws(ListenerError) {
        wakeup = try Wakeup()
    }

    /// - Returns: `false` if the thread has ended, so that the message is dropped.
    @discardableResult func post(_ message: Message) -> Bool {
        let count = mailbox.withLock { mailbox in
            if !mailbox.isClosed { mailbox.messages.append(message) }
            return mailbox.messages.count
        }
        if count == 1 { wakeup.signal() }
        return count > 0
    }

    /// - Parameter closing: Whether to drop all messages posted later.
    func takeMessages(closing: Bool = false) -> [Message] {
        mailbox.withLock { mailbox in
            mailbox.isClosed = closing
            defer { mailbox.messages = [] }
            return mailbox.messages
        }
    }

    var connections: Int { load.load(ordering: .relaxed) }
    func connectionWasGiven() { load.add(1, ordering: .relaxed) }
    func connectionEnded() { load.subtract(1, ordering: .relaxed) }
}
