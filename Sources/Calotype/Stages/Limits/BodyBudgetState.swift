/// The number of body bytes in memory, and a queue of the bodies in transfer, which determines those that may read on.
/// A value: its owner locks it, and resumes the readers that it returns.
///
/// Each body counts by its received bytes until it is decoded, so a server that announces much and sends little blocks
/// no other body. While complete bodies exceed the limit, no body begins or reads on until the decoders have released
/// some. While all bodies together exceed it, the first body of the queue reads on, and as many of the next ones as
/// fit. If the first receives too little in a second, it rests at the end of the queue, even behind bodies that arrive
/// later, for twice as long each time. A body that broke off stays behind all others while its bytes wait for the rest.
struct BodyBudgetState {
    typealias Turn = UnsafeContinuation<Bool, Never>

    private struct Body {
        let id: UInt64
        var received = 0
        /// The suspended reader: resumed with `true` if it may read on, with `false` if it no longer waits.
        var waiting: Turn?
        /// Whether the body broke off, and its bytes wait for an exchange that brings the rest.
        var isHeld = false
        /// The number of checks of progress, one a second, for which the body still rests.
        var rest = 0
        /// The length of the body's next rest, in checks.
        var nextRest = 2

        var place: Place { isHeld ? .held : rest > 0 ? .resting : .active }
    }

    /// The parts of the queue, in their order.
    private enum Place: Int {
        case active, resting, held
    }

    /// The first body of the queue at a check of progress, and the number of bytes that it had received by then.
    struct Mark {
        fileprivate let id: UInt64
        fileprivate let received: Int
    }

    let limit: Int
    private(set) var wholeBytes = 0
    private var underWayBytes = 0
    /// The queue of the bodies in transfer, in the order of their places. Without the held ones, never longer than the
    /// number of slots.
    private var underWay: [Body] = []
    /// The number of bytes that the first body has to receive between two checks to stay at the front of the queue.
    private static let pace = 64 << 10
    private static let longestRest = 64
    private var lastID: UInt64 = 0
    /// The closures to call when an exchange may begin: one for each queue that starts exchanges itself and waits.
    private var wakers: [@Sendable () -> Void] = []
    /// The number of queues that have been called and may begin an exchange although other bodies have taken the room
    /// since.
    private var promised = 0

    init(limit: Int) {
        self.limit = max(limit, 0)
    }

    var bytes: Int { wholeBytes + underWayBytes }

    // MARK: Whole bodies

    /// Returns `false` if no body may begin now; otherwise counts the stored body's bytes.
    mutating func begins(stored bytes: Int) -> Bool {
        guard wholeBytes <= limit else { return false }
        wholeBytes += bytes
        return true
    }

    /// Returns whether an exchange may begin now. If not, keeps the closure until one may.
    mutating func mayBegin(orCall wake: @escaping @Sendable () -> Void) -> Bool {
        if wholeBytes <= limit || promised > 0 {
            promised = max(promised - 1, 0)
            return true
        }
        wakers.append(wake)
        return false
    }

    /// Returns the closures to call if exchanges may begin now. Stored bodies, which wait in a queue of their own, may take
    /// the room first, so the next exchange of each queue may begin in any case.
    mutating func takeWakers() -> [@Sendable () -> Void] {
        guard !wakers.isEmpty, wholeBytes <= limit else { return [] }
        promised += wakers.count
        defer { wakers = [] }
        return wakers
    }

    mutating func addWhole(_ bytes: Int) { wholeBytes += bytes }
    mutating func removeWhole(_ bytes: Int) { wholeBytes -= bytes }

    // MARK: Bodies in transfer

    mutating func begin() -> UInt64 {
        lastID += 1
        insert(Body(id: lastID))
        return lastID
    }

    private mutating func insert(_ body: Body) {
        let index = underWay.firstIndex { $0.place.rawValue > body.place.rawValue }
        underWay.insert(body, at: index ?? underWay.endIndex)
    }

    /// Keeps the bytes of a body that broke off, behind all others: their readers do not wait for it.
    ///
    /// - Returns: `false` if the bytes have to be released, because all bytes together exceed the limit.
    mutating func hold(_ id: UInt64) -> Bool {
        guard bytes <= limit, let index = index(of: id) else { return false }
        var body = underWay.remove(at: index)
        body.isHeld = true
        insert(body)
        return true
    }

    /// Lets a held body read on, as the last of those in transfer.
    mutating func release(_ id: UInt64) {
        guard let index = index(of: id) else { return }
        var body = underWay.remove(at: index)
        (body.isHeld, body.rest) = (false, 0)
        insert(body)
    }

    mutating func add(_ count: Int, to id: UInt64) {
        guard let index = index(of: id) else { return }
        underWay[index].received += count
        underWayBytes += count
    }

    /// Removes a body that has ended or was abandoned.
    mutating func end(_ id: UInt64, whole bytes: Int) -> Turn? {
        guard let index = index(of: id) else { return nil }
        let body = underWay.remove(at: index)
        underWayBytes -= body.received
        wholeBytes += bytes
        return body.waiting
    }

    /// Returns whether the body may read on now. If not, keeps `turn`, the suspended reader.
    mutating func readsOn(_ id: UInt64, _ turn: Turn) -> Bool {
        guard let index = index(of: id), !mayRead(index) else { return true }
        underWay[index].waiting = turn
        return false
    }

    func mayReadOn(_ id: UInt64) -> Bool { index(of: id).map(mayRead) ?? true }

    mutating func stopWaiting(_ id: UInt64) -> Turn? {
        guard let index = index(of: id) else { return nil }
        defer { underWay[index].waiting = nil }
        return underWay[index].waiting
    }

    mutating func takeTurns() -> [Turn] {
        var turns: [Turn] = []
        for index in underWay.indices where underWay[index].waiting != nil && mayRead(index) {
            if let turn = underWay[index].waiting { turns.append(turn) }
            underWay[index].waiting = nil
        }
        return turns
    }

    private func mayRead(_ index: Int) -> Bool {
        if bytes <= limit { return true }
        if index == 0 { return wholeBytes <= limit }
        return underWay[...index].reduce(wholeBytes + heldBytes) { $0 + $1.received } <= limit
    }

    private var heldBytes: Int { underWay.reduce(0) { $1.isHeld ? $0 + $1.received : $0 } }

    private func index(of id: UInt64) -> Int? { underWay.firstIndex { $0.id == id } }

    // MARK: Bodies with little progress

    /// The progress of the first body in `underWay`, or `nil` if no body waits for memory.
    var mark: Mark? {
        guard let first = underWay.first, underWay.contains(where: { $0.waiting != nil }) else { return nil }
        return Mark(id: first.id, received: first.received)
    }

    /// Makes the marked body rest if it has received too little since the mark was made.
    mutating func passTurn(since mark: Mark) {
        for index in underWay.indices where underWay[index].rest > 0 { underWay[index].rest -= 1 }
        if let first = underWay.first, first.id == mark.id, first.waiting == nil,
            first.received - mark.received < BodyBudgetState.pace
        {
            underWay[0].rest = first.nextRest
            underWay[0].nextRest = min(2 * first.nextRest, BodyBudgetState.longestRest)
        }
        underWay = [Place.active, .resting, .held].flatMap { place in underWay.filter { $0.place == place } }
    }
}
