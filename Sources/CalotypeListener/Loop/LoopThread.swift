import CalotypeBase
import Foundation
import Glibc

/// A thread that serves connections: it alone touches what is in here.
final class LoopThread {
    /// Bytes read at once.
    private static let bufferSize = 64 << 10
    /// How long an acceptor without room waits, unless a connection ends before.
    private static let pause: UInt64 = 100_000_000
    /// How long a connection may wait for a request though others have no room.
    private static let restingTime: UInt64 = 250_000_000

    let core: ListenerCore
    let events: EventLoop
    private let epoll: Epoll
    private var acceptor: Acceptor?
    private var acceptAgainAt: UInt64?
    private var table = ConnectionTable()
    /// Connections that have more to do, and let others go first.
    private var unfinished: [ConnectionID] = []
    private var isStopping = false
    private var closingLines = ClosingLines()
    /// Nanoseconds of a clock that only goes forward.
    private(set) var now: UInt64 = 0
    /// Seconds since 1970.
    private var date = 0
    private var nextSweep = UInt64.max
    private var drainsUntil = UInt64.max
    /// Exchanges that wait for their client.
    private var slowExchanges = 0
    private let slowExchangeLimit: Int
    /// Lent to one connection at a time.
    var buffer = [UInt8](repeating: 0, count: bufferSize)

    init(_ events: EventLoop, core: ListenerCore) throws(ListenerError) {
        self.core = core
        self.events = events
        slowExchangeLimit = max(core.options.slowExchangeLimit / core.loops.count, 1)
        epoll = try Epoll()
        readClocks()
        epoll.add(events.wakeup.raw, [.input, .edges], key: ConnectionID.wakeup.rawValue)
    }

    func accept(from socket: consuming ListeningSocket) {
        epoll.add(socket.raw, .input, key: ConnectionID.listeningSocket.rawValue)
        acceptor = Acceptor(socket, core: core)
    }

    /// Returns after ``EventLoop/Message/stop``.
    func run() {
        core.threadStarted()
        // sendfile has no flag for it: a client that leaves would end the process.
        ignoreBrokenPipes()
        var batch = Epoll.Batch()
        while !isStopping {
            epoll.wait(timeout, into: &batch)
            readClocks()
            for index in 0..<batch.count { handle(batch[index].key, batch[index].events) }
            for message in events.takeMessages() { handle(message) }
            goOn()
            sweep()
        }
        end()
        core.threadEnded()
    }

    // MARK: Time

    private func readClocks() {
        now = core.options.clock.now()
        date = time(nil)
    }

    private var timeout: Int32? {
        if !unfinished.isEmpty { return 0 }
        let next = min(nextSweep, drainsUntil, acceptAgainAt ?? .max)
        guard next != .max else { return nil }
        guard next > now else { return 0 }
        return Int32(min((next - now) / 1_000_000 + 1, 3_600_000))
    }

    /// A connection has a deadline, which may move without another word.
    func noteDeadline(_ deadline: UInt64) { nextSweep = min(nextSweep, deadline) }

    private func sweep() {
        if let again = acceptAgainAt, again <= now { acceptAgain() }
        if drainsUntil <= now {
            drainsUntil = .max
            core.endDrain()
        }
        guard nextSweep <= now else { return }
        var next = UInt64.max
        for connection in table.all {
            if connection.deadline <= now { connection.lookAtClock() }
            if table[connection.id] != nil { next = min(next, connection.deadline) }
        }
        // Connections whose deadlines lie close together are not looked at one by one.
        nextSweep = next == .max ? .max : max(next, now + 100_000_000)
    }

    // MARK: What happens

    private func handle(_ key: UInt64, _ happened: Epoll.Events) {
        switch ConnectionID(rawValue: key) {
        case .wakeup: break
        case .listeningSocket: accept()
        case let id: table[id]?.handle(happened)
        }
    }

    private func handle(_ message: EventLoop.Message) {
        switch message {
        case .adopt(let socket): adopt(socket)
        case .exchange(let id, let request, let news): table[id]?.handle(news, ofRequest: request)
        case .acceptAgain: acceptAgain()
        case .stopAccepting(let done):
            stopAccepting()
            drainsUntil = now + core.patience.drain
            done()
        case .makeRoom(let asked): makeRoom(asked: asked)
        case .lookAtSlowExchanges: lookAtSlowExchanges()
        case .lookAtClock: break
        case .stop: isStopping = true
        }
    }

    /// Lets those go on that had more to do than is fair to do at once.
    private func goOn() {
        let ids = unfinished
        unfinished = []
        for id in ids { table[id]?.goOn() }
    }

    func hasMoreToDo(_ id: ConnectionID) { unfinished.append(id) }

    // MARK: Connections

    private func adopt(_ socket: Socket) {
        let connection = table.insert { Connection($0, socket, on: self) }
        epoll.add(
            socket.raw, [.input, .output, .halfClosed, .edges], key: connection.id.rawValue)
        connection.begin()
    }

    func remove(_ id: ConnectionID) {
        table.remove(id)
        events.connectionEnded()
        if core.isFull {
            core.isFull = false
            core.loops[0].post(.acceptAgain)
        }
    }

    /// An exchange begins to wait for its client, or waits no more.
    func exchangeWaits(_ waits: Bool) {
        slowExchanges += waits ? 1 : -1
        guard slowExchanges > slowExchangeLimit else { return }
        // Not in the middle of one's own work.
        events.post(.lookAtSlowExchanges)
    }

    private func lookAtSlowExchanges() {
        while slowExchanges > slowExchangeLimit, let slowest = table.slowestExchange(now: now) { slowest.giveWay() }
    }

    func lines(_ connection: ClosingLines.Connection, hasDate: Bool) -> [UInt8] {
        closingLines.bytes(connection, hasDate: hasDate, now: date)
    }

    private func end() {
        acceptor = nil
        for connection in table.all { connection.drop() }
        for message in events.close() {
            switch message {
            case .adopt: events.connectionEnded()
            case .stopAccepting(let done): done()
            case .exchange, .acceptAgain, .makeRoom, .lookAtSlowExchanges, .lookAtClock, .stop: break
            }
        }
    }

    // MARK: Accepting

    private func accept() {
        acceptor?.accept { socket, loop in
            if loop === events { adopt(socket) } else { loop.post(.adopt(socket)) }
        }
        acceptAgainAt = nil
        guard let state = acceptor?.state, let raw = acceptor?.raw, state != .accepting else { return }
        epoll.change(raw, [], key: ConnectionID.listeningSocket.rawValue)
        acceptAgainAt = now + Self.pause
        core.fullestLoop.post(.makeRoom(asked: 1))
    }

    /// Closes a connection that has had its last answer or waits for its client, or has another thread do so.
    private func makeRoom(asked: Int) {
        guard core.isFull else { return }
        let victim =
            table.longestLingering() ?? table.longestIdle(for: Self.restingTime, now: now)
            ?? table.slowestExchange(now: now)
        if let victim {
            victim.giveWay()
        } else if asked < core.loops.count, let here = core.loops.firstIndex(where: { $0 === events }) {
            core.loops[(here + 1) % core.loops.count].post(.makeRoom(asked: asked + 1))
        }
    }

    private func acceptAgain() {
        guard acceptAgainAt != nil, let raw = acceptor?.raw else { return }
        acceptAgainAt = nil
        epoll.change(raw, .input, key: ConnectionID.listeningSocket.rawValue)
    }

    /// Those who connected before are taken in.
    private func stopAccepting() {
        if acceptAgainAt == nil { accept() }
        acceptor = nil
        acceptAgainAt = nil
    }
}

extension ConnectionTable {
    /// Of those that have had their last answer, the one that would end first.
    fileprivate func longestLingering() -> Connection? {
        var first: (Connection, end: UInt64)?
        forEach { connection in
            guard let end = connection.endOfLingering, end < first?.end ?? .max else { return }
            first = (connection, end)
        }
        return first?.0
    }

    /// The one that has waited longest for a request, if that is longer than `time`.
    fileprivate func longestIdle(for time: UInt64, now: UInt64) -> Connection? {
        var longest: (Connection, time: UInt64)?
        forEach { connection in
            guard let idle = connection.idleTime(now: now), idle >= max(time, longest?.time ?? 0) else { return }
            longest = (connection, idle)
        }
        return longest?.0
    }

    /// The one whose client is slowest, of those that wait for it.
    fileprivate func slowestExchange(now: UInt64) -> Connection? {
        var slowest: (Connection, pace: Double)?
        forEach { connection in
            guard let pace = connection.pace(now: now), pace < slowest?.pace ?? .infinity else { return }
            slowest = (connection, pace)
        }
        return slowest?.0
    }
}
