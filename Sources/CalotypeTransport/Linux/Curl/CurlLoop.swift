import CalotypeBase
import CalotypeHTTP

/// The commands for curl's thread, queued until its next turn. A command wakes the thread only if the thread sleeps.
final class CurlLoop: Sendable {
    enum Command {
        case start(CurlExchange)
        case cancel(CurlExchange)
        case resume(CurlExchange)
        case resumeUpload(CurlExchange)
        case reprioritize(CurlExchange)
        /// The task has taken everything from an exchange that has ended, or none will.
        case free(TransferSlot.Share)
        /// Transfers may begin again.
        case goOn
        case takeNames(CurlExchange, NameAnswer)
    }

    private struct Inbox {
        var commands: [Command] = []
        /// The number of requests submitted but not finished.
        var outstanding = 0
        /// The number of outstanding requests that waited for a name or a slot at the thread's last turn.
        var waiting = 0
        var slots = TransferSlots()
        var isSleeping = false
        var isStopped = false
    }

    let options: CurlTransport.Options
    /// The memory for large pieces of bodies, or `nil` if all bodies keep to `bodyBuffer`.
    let room: PieceRoom?
    private let resolver: NameResolver
    private let multi: CurlMulti?
    private let inbox = Locked(Inbox())

    init(options: CurlTransport.Options, resolver: NameResolver = .shared) {
        self.options = options
        self.resolver = resolver
        room = options.pieceLimit > 0 ? PieceRoom(limit: options.pieceLimit) : nil
        multi = CurlMulti(options: options)
    }

    func start() {
        guard let multi else { return inbox.withLock { $0.isStopped = true } }
        let hasThread = startThread(named: "calotype-curl") {
            // With CURLOPT_NOSIGNAL curl does not guard itself against SIGPIPE.
            ignoreBrokenPipes()
            CurlEngine(loop: self, multi: multi, resolver: self.resolver).run()
        }
        if !hasThread { inbox.withLock { $0.isStopped = true } }
    }

    var load: (waiting: Int, inFlight: Int) {
        inbox.withLock { ($0.waiting, max($0.outstanding - $0.waiting, 0)) }
    }

    /// The slots, without those whose return does not wake the thread.
    var slots: TransferSlots {
        inbox.withLock { inbox in
            var slots = inbox.slots
            for case .free(let share) in inbox.commands {
                if share.isLent { slots.lent -= 1 } else { slots.inUse -= 1 }
                slots.endedSince = nil
            }
            return slots
        }
    }

    /// - Returns: The reason for rejecting the exchange, or `nil` if it is accepted.
    func submit(_ exchange: CurlExchange) -> TransportError? {
        inbox.withLock { inbox in
            if inbox.isStopped { return .cancelled }
            // curl's thread enforces the limit on waiting requests, because only it knows their number. This check
            // limits the commands until the thread's next turn, hence the sum of both limits.
            let (limit, isUnlimited) = max(options.queueLimit, 0).addingReportingOverflow(max(options.transferLimit, 1))
            guard isUnlimited || inbox.outstanding < limit else { return .overloaded }
            inbox.outstanding += 1
            post(.start(exchange), to: &inbox)
            return nil
        }
    }

    func shutDown() {
        inbox.withLock { $0.isStopped = true }
        multi?.wakeUp()
    }

    /// Returns the commands since the last call, or `nil` if the thread must end. If `maySleep` is `true` and there are
    /// none, the next command wakes the thread. `finished` is the number of exchanges ended since the last call.
    func takeCommands(finished: Int, waiting: Int, slots: TransferSlots, maySleep: Bool) -> [Command]? {
        inbox.withLock { inbox in
            inbox.outstanding -= finished
            inbox.waiting = waiting
            inbox.slots = slots
            // takeLeftovers() handles the remaining commands.
            guard !inbox.isStopped else { return nil }
            defer { inbox.commands = [] }
            inbox.isSleeping = maySleep && inbox.commands.isEmpty
            return inbox.commands
        }
    }

    /// Returns the exchanges that were submitted too late to be started.
    func takeLeftovers() -> [CurlExchange] {
        let commands = inbox.withLock { inbox in
            defer { inbox.commands = [] }
            return inbox.commands
        }
        return commands.compactMap { if case .start(let exchange) = $0 { exchange } else { nil } }
    }

    func post(_ command: Command) {
        inbox.withLock { if !$0.isStopped { post(command, to: &$0) } }
    }

    private func post(_ command: Command, to inbox: inout Inbox) {
        inbox.commands.append(command)
        guard inbox.isSleeping else { return }
        // A slot that no request waits for can be freed later.
        if case .free = command, inbox.waiting == 0 { return }
        inbox.isSleeping = false
        multi?.wakeUp()
    }
}
