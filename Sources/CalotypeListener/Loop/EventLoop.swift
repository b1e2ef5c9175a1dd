import CalotypeBase
import Synchronization

/// The mailbox of a thread that serves connections: others hand it connections and news.
final class EventLoop: Sendable {
    enum Message: Sendable {
        case adopt(Socket)
        case exchange(ConnectionID, request: UInt64, ExchangeNews)
        /// A connection has ended, so that another one may be accepted.
        case acceptAgain
        case stopAccepting(done: @Sendable () -> Void)
        /// Others wait for a connection: one that waits for its client is to be closed.
        ///
        /// - Parameter asked: how many threads had none so far.
        case makeRoom(asked: Int)
        /// More exchanges wait for their clients than may.
        case lookAtSlowExchanges
        case lookAtClock
        case stop
    }

    private struct Mailbox {
        var messages: [Message] = []
        var isClosed = false
    }

    let wakeup: Wakeup
    private let mailbox = Locked(Mailbox())
    /// How many connections it has or is about to get.
    private let load = Atomic(0)

    init() throws(ListenerError) {
        wakeup = try Wakeup()
    }

    /// - Returns: false where the thread has ended, and the message is dropped.
    @discardableResult func post(_ message: Message) -> Bool {
        let count = mailbox.withLock { mailbox in
            if !mailbox.isClosed { mailbox.messages.append(message) }
            return mailbox.messages.count
        }
        if count == 1 { wakeup.signal() }
        return count > 0
    }

    /// Takes out what was posted.
    func takeMessages() -> [Message] {
        mailbox.withLock { mailbox in
            defer { mailbox.messages = [] }
            return mailbox.messages
        }
    }

    /// - Returns: what was posted and not taken.
    func close() -> [Message] {
        mailbox.withLock { mailbox in
            mailbox.isClosed = true
            defer { mailbox.messages = [] }
            return mailbox.messages
        }
    }

    var connections: Int { load.load(ordering: .relaxed) }
    func connectionWasGiven() { load.add(1, ordering: .relaxed) }
    func connectionEnded() { load.subtract(1, ordering: .relaxed) }
}
