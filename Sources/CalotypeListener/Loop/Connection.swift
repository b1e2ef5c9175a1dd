import Foundation

/// A client's connection, which receives requests one after the other and sends their responses.
///
/// Only its ``LoopThread`` accesses a connection. All work happens in ``work()``, which sends, receives, parses and
/// calls the handler until it would have to wait.
final class Connection {
    enum Phase {
        case open
        /// The last response is being sent; received bytes are no longer parsed.
        case closing
        /// Nothing more is sent, and received bytes are discarded. Closing at once would cause a reset, which can
        /// destroy the response before the client has read it.
        case lingering(discarded: Int)
        case closed
    }

    /// The number of reads before other connections get their turn.
    private static let readsAtOnce = 16
    /// The limits on lingering at the end of a connection: a number of discarded bytes, and a time in nanoseconds.
    private static let lingeringLimit = 16 << 20
    private static let lingeringTime: UInt64 = 5_000_000_000
    /// The limit on lingering, in nanoseconds, while other clients wait for a connection or soon will.
    private static let shortLingeringTime: UInt64 = 250_000_000

    let id: ConnectionID
    let socket: Socket
    unowned let thread: LoopThread
    var phase = Phase.open
    var current: CurrentRequest?
    var writer = ResponseWriter()
    var frame: Frame?
    var canSend = true
    /// The time of the next ``lookAtClock()``, in nanoseconds.
    private(set) var deadline = UInt64.max
    /// The number of bytes passed to the kernel.
    var sentBytes = 0

    private var parser: RequestParser
    private var canReceive = true
    /// The bytes received but not yet consumed by the parser.
    private var rest: [UInt8] = []
    /// Whether `rest` contains bytes that the parser has not seen.
    private var isRestNew = false
    /// Whether the client has stopped sending. The client then counts as gone, unless a complete response is ready.
    private var hasHungUp = false
    private var isBroken = false
    var watch: ClientWatch
    private var isSlowExchange = false

    init(_ id: ConnectionID, _ socket: Socket, on thread: LoopThread) {
        self.id = id
        self.socket = socket
        self.thread = thread
        parser = RequestParser(thread.core.limits)
        watch = ClientWatch(thread.core.deadlines, now: thread.now)
    }

    // MARK: Events

    func handle(_ events: Epoll.Events) {
        if events.contains(.output) { canSend = true }
        if !events.isDisjoint(with: [.input, .halfClosed, .broken]) { canReceive = true }
        if !events.isDisjoint(with: [.halfClosed, .broken]) { hasHungUp = true }
        if !events.isDisjoint(with: .broken) { isBroken = true }
        work()
    }

    func handle(_ news: ExchangeNews, ofRequest request: UInt64) {
        guard current?.id == request else { return }
        switch news {
        case .answer(let response): answer(response)
        case .interim(let bytes): writer.addInterim(bytes)
        case .proceed: break
        }
        work()
    }

    // MARK: Work

    func work() {
        var reads = 0
        send()
        while isReading {
            if isRestNew {
                parseRest()
            } else if canReceive {
                guard reads < Self.readsAtOnce else { return thread.hasMoreToDo(id) }
                reads += 1
                receive()
            } else {
                break
            }
        }
        if hasHungUp { leave() }
        watchClient()
    }

    /// Whether to read from the client now.
    private var isReading: Bool {
        switch phase {
        case .open: current.map(\.wantsBody) ?? true
        case .lingering: true
        case .closing, .closed: false
        }
    }

    private func receive() {
        // The swap gives the buffer a single owner, so that it is not copied on write.
        var buffer: [UInt8] = []
        swap(&buffer, &thread.buffer)
        defer { swap(&buffer, &thread.buffer) }
        switch socket.receive(into: &buffer) {
        case .bytes(let count):
            // A short read empties the socket: further bytes cause another event.
            if count < buffer.count { canReceive = false }
            take(buffer, count)
            // Even if the bytes begin with the head, they may contain a part of the body.
            if current != nil { watch.received(count) }
        case .nothing: canReceive = false
        case .end, .failed: end(.clientLeft)
        }
    }

    private func take(_ buffer: [UInt8], _ count: Int) {
        if case .lingering(let discarded) = phase {
            if discarded + count > Self.lingeringLimit { return end(.complete) }
            phase = .lingering(discarded: discarded + count)
        } else if rest.isEmpty {
            let used = parse(buffer.span.extracting(0..<count))
            keep(buffer[used..<count])
        } else {
            rest += buffer[..<count]
            isRestNew = true
        }
    }

    private func parseRest() {
        let bytes = rest
        rest = []
        let used = parse(bytes.span)
        keep(bytes[used...])
    }

    private func keep(_ bytes: ArraySlice<UInt8>) {
        if case .open = phase { rest = Array(bytes) } else { isRestNew = false }
    }

    /// - Returns: The number of bytes consumed.
    private func parse(_ bytes: Span<UInt8>) -> Int {
        var used = 0
        isRestNew = false
        while case .open = phase, isReading {
            do throws(RequestFault) {
                let part = bytes.extracting(used...)
                let step = try parser.next(in: part)
                isRestNew = used + parser.consumed < bytes.count
                switch step {
                case .head: takeHead(parser.head, of: part)
                case .body(let range): takeBody(part.extracting(range))
                case .end: takeEnd()
                case .needsMore: break
                }
                used += parser.consumed
                if step == .needsMore {
                    isRestNew = false
                    return used
                }
            } catch {
                refuse(error)
                return bytes.count
            }
        }
        // The parser reports the end of a body in a separate step, which needs no bytes. The step is still due if
        // parsing paused because the last bytes of the body filled the pump.
        isRestNew = used < bytes.count || current?.isBodyComplete == false
        return used
    }

    // MARK: Closing

    /// Ends the connection of a client that has stopped sending, unless a complete response is on its way.
    private func leave() {
        if isReading && canReceive { return }
        if isBroken { return end(.clientLeft) }
        guard let current, !current.isSent else { return }
        if !current.isAnswered || writer.isStreaming { end(.clientLeft) }
    }

    /// Ends the connection after its last response.
    ///
    /// - Parameter isInStep: Whether the client's last request has arrived completely and in valid form. If not, the
    ///   client may still be sending.
    func close(isInStep: Bool) {
        // Closing at once would send a reset to a client that is still sending.
        guard !isInStep || isRestNew || canReceive else { return end(.complete) }
        socket.endSending()
        finishCurrent(.complete)
        (rest, isRestNew) = ([], false)
        phase = .lingering(discarded: 0)
        deadline = thread.now + (thread.core.isCrowded ? Self.shortLingeringTime : Self.lingeringTime)
        thread.noteDeadline(deadline)
    }

    /// - Parameter reason: The reason for the operator, if the listener itself breaks off a response.
    func end(_ outcome: Listener.Outcome, because reason: String = "") {
        if case .closed = phase { return }
        phase = .closed
        finishCurrent(outcome, because: reason)
        noteSlowExchange(false)
        (frame, rest) = (nil, [])
        thread.remove(id)
    }

    // MARK: The client's deadlines

    private func watchClient() {
        switch phase {
        case .closed: return
        case .lingering: noteSlowExchange(false)
        case .open where current == nil && frame == nil:
            watch.waitForRequest(hasBytes: !rest.isEmpty, now: thread.now)
            deadline = watch.deadline
            noteSlowExchange(false)
        case .open, .closing:
            watch.waitInExchange(
                forBody: isReading, forReading: frame != nil && !canSend, acknowledged: { acknowledged },
                now: thread.now)
            deadline = watch.deadline
            noteSlowExchange(watch.isSlowExchange)
        }
        thread.noteDeadline(deadline)
    }

    private var acknowledged: Int { sentBytes - socket.unacknowledged }

    private func noteSlowExchange(_ isSlow: Bool) {
        guard isSlowExchange != isSlow else { return }
        isSlowExchange = isSlow
        thread.core.exchangeWaits(isSlow)
    }

    /// Handles a deadline that has passed.
    func lookAtClock() {
        if case .lingering = phase { return end(.complete) }
        let isCrowded = thread.core.isCrowded
        switch watch.verdict(acknowledged: { acknowledged }, isCrowded: isCrowded, now: thread.now) {
        case .patient: break
        case .idle: end(.dropped)
        case .slowReader: end(.dropped, because: "the client read too slowly")
        case .lateHead: refuse(.lateHead)
        case .slowBody:
            // A handler that reads the body answers. One that does not by the next look is answered for.
            if current?.isAnswered == false, current?.upload?.giveUp() == true { break }
            refuse(.slowBody)
        }
        watchClient()
    }

    /// The time since which the connection has waited for a request, in nanoseconds, or `nil` if it does not. A request
    /// whose body the handler does not stream counts from its last byte on.
    var idleSince: UInt64? {
        guard case .open = phase, current?.isPresented != true else { return nil }
        return watch.since
    }

    /// The time when lingering ends, in nanoseconds, or `nil` if the connection does not linger.
    var endOfLingering: UInt64? {
        if case .lingering = phase { deadline } else { nil }
    }
}
