/// How many bytes of bodies lie in memory, and which of those under way may read on. A value: its owner locks it, and
/// resumes what it returns.
///
/// Each body counts by the bytes that have come, until it is decoded: a server that announces much and sends little holds
/// up nobody. While the bodies that are whole exceed the limit, none begins or reads on: those are on their way through
/// the decoders and make room without help. Of the bodies under way, those that fit together read on, in the order of
/// their turns. If not even the first one fits, it reads on alone, until it is whole or brings too little in a second:
/// then it rests behind all others for a while, new ones included, and for twice as long each time.
struct RoomState {
    typealias Turn = UnsafeContinuation<Bool, Never>

    private struct Body {
        let id: UInt64
        var received = 0
        /// Waits to be let on; false when it has left instead.
        var waiting: Turn?
        /// The looks for which it still rests, and for which it will rest next time.
        var rest = 0
        var nextRest = 2
    }

    /// Who has the turn, and how much it had brought by then.
    struct Mark {
        fileprivate let id: UInt64
        fileprivate let received: Int
    }

    let limit: Int
    /// Bytes of bodies that are whole.
    private(set) var wholeBytes = 0
    private var underWayBytes = 0
    /// In the order of their turns, those that rest behind the others. Never more than there are places.
    private var underWay: [Body] = []
    /// The fewest bytes that a body brings between two looks to keep its turn.
    private static let pace = 64 << 10
    private static let longestRest = 64
    private var lastID: UInt64 = 0

    init(limit: Int) {
        self.limit = max(limit, 0)
    }

    var bytes: Int { wholeBytes + underWayBytes }

    // MARK: Bodies that are whole, or will be in one go

    /// False where no body may begin now. A stored body's bytes count from here on.
    mutating func begins(stored bytes: Int) -> Bool {
        guard wholeBytes <= limit else { return false }
        wholeBytes += bytes
        return true
    }

    mutating func addWhole(_ bytes: Int) { wholeBytes += bytes }
    mutating func removeWhole(_ bytes: Int) { wholeBytes -= bytes }

    // MARK: Bodies under way

    mutating func begin() -> UInt64 {
        lastID += 1
        underWay.insert(Body(id: lastID), at: underWay.firstIndex { $0.rest > 0 } ?? underWay.endIndex)
        return lastID
    }

    mutating func add(_ count: Int, to id: UInt64) {
        guard let index = index(of: id) else { return }
        underWay[index].received += count
        underWayBytes += count
    }

    /// The body has ended, or was given up.
    mutating func end(_ id: UInt64, whole bytes: Int) -> Turn? {
        guard let index = index(of: id) else { return nil }
        let body = underWay.remove(at: index)
        underWayBytes -= body.received
        wholeBytes += bytes
        return body.waiting
    }

    /// Returns whether the body may read on now; otherwise `turn` is kept.
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

    /// Those that wait and may read on now.
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
        return underWay[...index].reduce(wholeBytes) { $0 + $1.received } <= limit
    }

    private func index(of id: UInt64) -> Int? { underWay.firstIndex { $0.id == id } }

    // MARK: A turn in which little comes

    /// The body whose turn it is, or `nil` if no other one waits.
    var mark: Mark? {
        guard let first = underWay.first, underWay.contains(where: { $0.waiting != nil }) else { return nil }
        return Mark(id: first.id, received: first.received)
    }

    /// Lets the body rest if it has brought too little since the mark was made.
    mutating func passTurn(since mark: Mark) {
        for index in underWay.indices where underWay[index].rest > 0 { underWay[index].rest -= 1 }
        if let first = underWay.first, first.id == mark.id, first.waiting == nil,
            first.received - mark.received < RoomState.pace
        {
            underWay[0].rest = first.nextRest
            underWay[0].nextRest = min(2 * first.nextRest, RoomState.longestRest)
        }
        underWay = underWay.filter { $0.rest == 0 } + underWay.filter { $0.rest > 0 }
    }
}
