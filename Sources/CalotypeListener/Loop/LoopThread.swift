import Foundation
import Glibc

/// A thread that serves connections: it alone touches what is in here.
final class LoopThread {
    /// Bytes read at once.
    private static let bufferSize = 64 << 10
    /// How long an acceptor without a descriptor waits, unless a connection ends before.
    private static let exhaustedPause: UInt64 = 100_000_000

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
    /// Lent to one connection at a time.
    var buffer = [UInt8](repeating: 0, count: bufferSize)

    init(_ events: EventLoop, core: ListenerCore) throws(ListenerError) {
        self.core = core
        self.events = events
        epoll = try Epoll()
        epoll.add(events.wakeup.raw, [.input, .edges], key: ConnectionID.wakeup.rawValue)
    }

    func accept(from socket: consuming ListeningSocket) {
        epoll.add(socket.raw, .input, key: ConnectionID.listeningSocket.rawValue)
        acceptor = Acceptor(socket, core: core)
    }

    /// Returns after ``EventLoop/Message/stop``.
    func run() {
        core.threadStarted()
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
        let next = min(nextSweep, acceptAgainAt ?? .max)
        guard next != .max else { return nil }
        guard next > now else { return 0 }
        return Int32(min((next - now) / 1_000_000 + 1, 3_600_000))
    }

    /// A connection has a deadline, which may move without another word.
    func noteDeadline(_ deadline: UInt64) { nextSweep = min(nextSweep, deadline) }

    private func sweep() {
        if let again = acceptAgainAt, again <= now { acceptAgain() }
        guard nextSweep <= now else { return }
        var next = UInt64.max
        for connection in table.all {
            if connection.deadline <= now { connection.timeOut() }
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
            done()
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
            case .exchange, .acceptAgain, .stop: break
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
        acceptAgainAt = state == .exhausted ? now + Self.exhaustedPause : .max
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
