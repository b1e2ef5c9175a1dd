import CalotypeBase
import Foundation
import Glibc

/// A thread that serves connections. Only this thread accesses its properties.
final class LoopThread {
    private static let bufferSize = 64 << 10
    /// The delay before the thread accepts again after a limit on connections or descriptors was reached, in
    /// nanoseconds. If a connection ends earlier, the thread accepts again at once.
    private static let pause: UInt64 = 100_000_000

    let core: ListenerCore
    let events: EventLoop
    private let epoll: Epoll
    private var acceptor: Acceptor?
    private var acceptAgainAt: UInt64?
    private var table = ConnectionTable()
    /// The connections that have more work to do but let others go first.
    private var unfinished: [ConnectionID] = []
    private var isStopping = false
    private var closingLines = ClosingLines()
    /// The time in nanoseconds of a monotonic clock.
    private(set) var now: UInt64 = 0
    /// The time of day, in seconds since 1970.
    private var date = 0
    private var nextSweep = UInt64.max
    private var drainsUntil = UInt64.max
    /// The receive buffer, lent to one connection at a time.
    var buffer = [UInt8](repeating: 0, count: bufferSize)

    init(_ events: EventLoop, core: ListenerCore) throws(ListenerError) {
        self.core = core
        self.events = events
        epoll = try Epoll()
        readClocks()
        try watch(events.wakeup.raw, [.input, .edges], .wakeup)
    }

    func accept(from socket: consuming ListeningSocket) throws(ListenerError) {
        try watch(socket.raw, .input, .listeningSocket)
        acceptor = Acceptor(socket, core: core, ownLoop: events)
    }

    /// Runs the loop until ``EventLoop/Message/stop``.
    func run() {
        core.threadStarted()
        // sendfile has no flag against SIGPIPE, which would end the process when a client leaves.
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

    private func watch(_ raw: Int32, _ wanted: Epoll.Events, _ key: ConnectionID) throws(ListenerError) {
        guard epoll.add(raw, wanted, key: key.rawValue) else { throw .cannotWait() }
    }

    // MARK: Time

    private func readClocks() {
        now = core.options.clock()
        date = time(nil)
    }

    private var timeout: Int32? {
        if !unfinished.isEmpty { return 0 }
        let next = min(nextSweep, drainsUntil, acceptAgainAt ?? .max)
        guard next != .max else { return nil }
        guard next > now else { return 0 }
        return Int32(min((next - now) / 1_000_000 + 1, 3_600_000))
    }

    /// Schedules the next check of all connections for `deadline` at the latest. A connection whose deadline is later
    /// postponed need not call this again.
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
        // At most one check per 100 ms, so that connections with similar deadlines are checked together.
        nextSweep = next == .max ? .max : max(next, now + 100_000_000)
    }

    // MARK: Events and messages

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
            drainsUntil = now + core.deadlines.drain
            done()
        case .pulse(let done): done()
        case .makeRoom(let asked): makeRoom(asked: asked)
        case .lookAtClock: break
        case .stop: isStopping = true
        }
    }

    private func goOn() {
        let ids = unfinished
        unfinished = []
        for id in ids { table[id]?.work() }
    }

    func hasMoreToDo(_ id: ConnectionID) { unfinished.append(id) }

    // MARK: Connections

    private func adopt(_ socket: Socket) {
        let connection = table.insert { Connection($0, socket, on: self) }
        let wanted: Epoll.Events = [.input, .output, .halfClosed, .edges]
        // Without events it would wait for its client until a deadline.
        guard epoll.add(socket.raw, wanted, key: connection.id.rawValue) else { return connection.end(.dropped) }
        connection.work()
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
        closeListeningSocket()
        for connection in table.all { connection.end(.dropped, because: "the server ended") }
        for message in events.takeMessages(closing: true) {
            switch message {
            case .adopt: events.connectionEnded()
            case .stopAccepting(let done), .pulse(let done): done()
            case .exchange, .acceptAgain, .makeRoom, .lookAtClock, .stop: break
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

    /// Closes a connection that lingers, or the one that has waited longest for a request. If this thread has neither,
    /// asks the next thread. Without any, the new client waits: a request that has arrived is answered.
    private func makeRoom(asked: Int) {
        guard core.isFull else { return }
        let victim =
            table.first(by: \.endOfLingering)
            ?? table.first { $0.idleSince.flatMap { $0 + core.deadlines.rest <= now ? $0 : nil } }
        if let victim {
            victim.end(.dropped)
        } else if asked < core.loops.count, let here = core.loops.firstIndex(where: { $0 === events }) {
            core.loops[(here + 1) % core.loops.count].post(.makeRoom(asked: asked + 1))
        }
    }

    private func acceptAgain() {
        guard acceptAgainAt != nil, let raw = acceptor?.raw else { return }
        let isWatched = epoll.change(raw, .input, key: ConnectionID.listeningSocket.rawValue)
        acceptAgainAt = isWatched ? nil : now + Self.pause
    }

    /// Stops accepting, after accepting the clients that have connected already. Those in the queue of an inherited
    /// socket wait for the next process that accepts from it.
    private func stopAccepting() {
        if acceptAgainAt == nil, acceptor?.isInherited != true { accept() }
        closeListeningSocket()
        acceptAgainAt = nil
    }

    private func closeListeningSocket() {
        if let raw = acceptor?.raw { epoll.remove(raw) }
        acceptor = nil
    }
}

extension ConnectionTable {
    /// Returns the connection with the smallest value, or `nil` if no connection has one.
    fileprivate func first<Value: Comparable>(by value: (Connection) -> Value?) -> Connection? {
        var first: (Connection, value: Value)?
        forEach { connection in
            guard let value = value(connection) else { return }
            if let known = first?.value, known <= value { return }
            first = (connection, value)
        }
        return first?.0
    }
}
