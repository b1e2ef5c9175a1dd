/// How many bytes of bodies lie in memory, and which of those under way may read on. A value: its owner locks it, and
/// resumes what it returns.
///
/// Each body counts once, from its head until it is decoded: by its Content-Length, or by what has come where that is
/// more. Above the limit no body begins. Of those that have begun, the oldest that fit together read on; where not even
/// the oldest fits, it reads on alone, unless bodies that are whole fill the limit already: those are on their way
/// through the decoders and will make room by themselves.
struct RoomState {
    typealias Turn = UnsafeContinuation<Bool, Never>

    private struct Body {
        let id: UInt64
        var expected: Int
        var received = 0
        /// Waits to be let on; false when it has left instead.
        var waiting: Turn?
        /// Had the turn and brought nothing: others go first until it does.
        var isStalled = false

        var size: Int { max(expected, received) }
    }

    /// Who has the turn, and how much it had brought by then.
    struct Mark: Equatable {
        fileprivate let id: UInt64
        fileprivate let received: Int
    }

    let limit: Int
    /// Bytes of bodies that are whole.
    private(set) var wholeBytes = 0
    private var underWayBytes = 0
    /// Oldest first. Never more than there are places.
    private var underWay: [Body] = []
    private var lastID: UInt64 = 0

    init(limit: Int) {
        self.limit = max(limit, 0)
    }

    var bytes: Int { wholeBytes + underWayBytes }

    // MARK: Bodies that are whole, or will be in one go

    /// False where no body may begin now. A stored body's bytes count from here on.
    mutating func begins(stored bytes: Int) -> Bool {
        guard self.bytes <= limit else { return false }
        wholeBytes += bytes
        return true
    }

    mutating func addWhole(_ bytes: Int) { wholeBytes += bytes }
    mutating func removeWhole(_ bytes: Int) { wholeBytes -= bytes }

    // MARK: Bodies under way

    mutating func begin(expecting expected: Int) -> UInt64 {
        lastID += 1
        underWay.append(Body(id: lastID, expected: expected))
        underWayBytes += expected
        return lastID
    }

    mutating func add(_ count: Int, to id: UInt64) {
        guard let index = index(of: id) else { return }
        underWayBytes -= underWay[index].size
        underWay[index].received += count
        underWay[index].isStalled = false
        underWayBytes += underWay[index].size
    }

    /// The body has ended, or was given up.
    mutating func end(_ id: UInt64, whole bytes: Int) -> Turn? {
        guard let index = index(of: id) else { return nil }
        let body = underWay.remove(at: index)
        underWayBytes -= body.size
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
        if index == turnIndex, wholeBytes <= limit { return true }
        return underWay[...index].reduce(wholeBytes) { $0 + $1.size } <= limit
    }

    private var turnIndex: Int? { underWay.firstIndex { !$0.isStalled } ?? underWay.indices.first }

    private func index(of id: UInt64) -> Int? { underWay.firstIndex { $0.id == id } }

    // MARK: A turn that nothing comes of

    /// The body that others wait for; nil where none waits.
    var mark: Mark? {
        guard underWay.contains(where: { $0.waiting != nil }), let turnIndex else { return nil }
        return Mark(id: underWay[turnIndex].id, received: underWay[turnIndex].received)
    }

    /// Passes the turn on where nothing has come since the mark was made.
    mutating func passTurn(since mark: Mark) {
        guard mark == self.mark, let turnIndex, underWay[turnIndex].waiting == nil else { return }
        underWay[turnIndex].isStalled = true
        // All have had their turn in vain: from the beginning again.
        if underWay.allSatisfy(\.isStalled) {
            for index in underWay.indices where index != turnIndex { underWay[index].isStalled = false }
        }
    }
}
