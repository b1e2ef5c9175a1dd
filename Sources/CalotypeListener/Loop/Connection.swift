import Foundation

/// One client's connection: takes requests in, one after the other, and sends their answers.
///
/// Lives on one ``LoopThread``, and is touched nowhere else. Everything happens in ``work()``, which does what can be done
/// now and returns: sending, taking the request apart, presenting it, and over again.
final class Connection {
    enum Phase {
        case open
        /// The last answer is on its way; nothing that arrives is a request any more.
        case closing
        /// Nothing more is sent; what arrives is thrown away, so that no reset eats the answer.
        case lingering(discarded: Int)
        case closed
    }

    /// How often one connection is read before others come to their turn.
    private static let readsAtOnce = 16
    /// Bytes thrown away at the end of a connection, and for how long.
    private static let lingeringLimit = 16 << 20
    private static let lingeringTime: UInt64 = 5_000_000_000
    /// The same while others wait for a connection, or soon will.
    private static let shortLingeringTime: UInt64 = 250_000_000

    let id: ConnectionID
    let socket: Socket
    unowned let thread: LoopThread
    var phase = Phase.open
    var current: CurrentRequest?
    var writer = ResponseWriter()
    /// The frame being sent.
    var frame: Frame?
    var canSend = true
    /// When ``lookAtClock()`` is due.
    private(set) var deadline = UInt64.max
    /// Bytes that the kernel took.
    var sentBytes = 0

    private var parser: RequestParser
    private var canReceive = true
    /// The bytes that arrived and were not consumed.
    private var rest: [UInt8] = []
    /// A Boolean value indicating whether the parser has not seen all of the rest.
    private var isRestNew = false
    /// The client sends no more. For an answer that takes a while it has left.
    private var hasHungUp = false
    private var isBroken = false
    var watch: ClientWatch
    private var isSlowExchange = false

    init(_ id: ConnectionID, _ socket: Socket, on thread: LoopThread) {
        self.id = id
        self.socket = socket
        self.thread = thread
        parser = RequestParser(thread.core.limits)
        watch = ClientWatch(thread.core.patience, now: thread.now)
    }

    // MARK: What happens to it

    func begin() { work() }

    func goOn() { work() }

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

    /// The listener stops.
    func drop() { end(.dropped) }

    // MARK: Work

    private func work() {
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

    /// A Boolean value indicating whether the next bytes of the client are wanted now.
    private var isReading: Bool {
        switch phase {
        case .open: current.map(\.wantsBody) ?? true
        case .lingering: true
        case .closing, .closed: false
        }
    }

    private func receive() {
        // Moved out and back, so that there is one owner of its memory.
        var buffer: [UInt8] = []
        swap(&buffer, &thread.buffer)
        defer { swap(&buffer, &thread.buffer) }
        switch socket.receive(into: &buffer) {
        case .bytes(let count):
            // Less than there was room for: the rest comes with another event.
            if count < buffer.count { canReceive = false }
            take(buffer, count)
            // Behind a head there may be a part of its body.
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

    /// - Returns: how many bytes were consumed.
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
        // The end of a body needs no more bytes: where it was not asked for because the last of them filled the pump, it is
        // there to be parsed.
        isRestNew = used < bytes.count || current?.isBodyComplete == false
        return used
    }

    // MARK: The end

    /// The client sends no more. Who waits for an answer that is not there has left; who is being sent one gets it.
    private func leave() {
        if isReading && canReceive { return }
        if isBroken { return end(.clientLeft) }
        guard let current, !current.isSent else { return }
        if !current.isAnswered || writer.isStreaming { end(.clientLeft) }
    }

    /// After the connection's last answer.
    ///
    /// - Parameter isInStep: whether all that the client has sent was understood.
    func close(isInStep: Bool) {
        // A client that is still sending would be answered with a reset.
        guard !isInStep || isRestNew || canReceive else { return end(.complete) }
        socket.endSending()
        finishCurrent(.complete)
        (rest, isRestNew) = ([], false)
        phase = .lingering(discarded: 0)
        deadline = thread.now + (thread.core.isCrowded ? Self.shortLingeringTime : Self.lingeringTime)
        thread.noteDeadline(deadline)
    }

    func end(_ outcome: Listener.Outcome) {
        if case .closed = phase { return }
        phase = .closed
        finishCurrent(outcome)
        noteSlowExchange(false)
        (frame, rest) = (nil, [])
        thread.remove(id)
    }

    // MARK: The client's time

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
        thread.exchangeWaits(isSlow)
    }

    /// The deadline has passed.
    func lookAtClock() {
        if case .lingering = phase { return end(.complete) }
        let isCrowded = thread.core.isCrowded
        switch watch.verdict(acknowledged: { acknowledged }, isCrowded: isCrowded, now: thread.now) {
        case .patient: break
        case .idle, .slowReader: end(.dropped)
        case .lateHead: refuse(.lateHead)
        case .slowBody: refuse(.slowBody)
        }
        watchClient()
    }

    /// Others need the room more.
    func giveWay() { end(.dropped) }

    func idleTime(now: UInt64) -> UInt64? {
        if case .open = phase { return watch.idleTime(now: now) }
        return nil
    }

    /// When it ends by itself, of a connection that has had its last answer.
    var endOfLingering: UInt64? {
        if case .lingering = phase { deadline } else { nil }
    }

    func pace(now: UInt64) -> Double? { isSlowExchange ? watch.pace(now: now) : nil }
}
