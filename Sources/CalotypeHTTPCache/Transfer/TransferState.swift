internal import CalotypeHTTP
internal import Foundation

/// The progress of a transfer and its readers. The owner locks this value and performs the actions that it returns.
///
/// Unless the transfer `drains`, the pump, which reads the body, waits once it is `readAhead` bytes ahead of the reader
/// that has read the most. `keeping` is the place of all bytes, for the store and later readers. In memory, all chunks
/// stay. If a store's writer has them, the pump waits for it, too, and the latest chunks stay; slower readers read from
/// the writer, if it is readable. If nothing has them, a chunk stays until all readers have read it. To free memory,
/// `giveWay()` drops chunks that slow readers need.
struct TransferState {
    enum Keeping { case memory, writer, nothing }

    enum Answer {
        case chunk(Data)
        /// The reader's next bytes are to be read from the writer.
        case written(Range<Int>)
        case ended(Result<Void, TransportError>)
        /// The reader's next bytes have been dropped.
        case leftBehind(at: Int)
    }

    typealias Reading = UnsafeContinuation<Answer, Never>
    typealias Pumping = UnsafeContinuation<Bool, Never>

    /// The wake-ups that the owner performs outside the lock.
    struct Wakes {
        var readings: [(Reading, Answer)] = []
        var pump: (Pumping, Bool)?
        var isAbandoned = false
    }

    /// The maximum distance, in bytes, of the pump ahead of the reader that has read the most. `giveWay()` drops bytes
    /// that are further behind that reader.
    static let readAhead = 256 << 10

    /// The maximum distance, in bytes, of the pump ahead of a store's writer.
    static let writeAhead = 2 * BodyFeed.batch

    /// The maximum size of the chunks in memory that a writer has, too, in bytes.
    static let window = 2 * readAhead

    private(set) var held = HeldChunks()
    private(set) var keeping = Keeping.memory
    private var isReadable = false
    /// The number of bytes that the writer has.
    private var written = 0
    /// The number of bytes that the pump fetches at the pace of the writer alone: those that the store has already.
    private var rushed = 0
    /// The greatest position of a reader that read from the writer.
    private var furthestBehind = 0
    private(set) var ending: Result<Void, TransportError>?
    private var readers: [UInt64: HeldChunks.Position] = [:]
    private var waiting: [UInt64: Reading] = [:]
    private var lastID: UInt64 = 0
    /// The paused pump and the start of the pause, or `nil` while the pump runs.
    private var pump: (Pumping, since: Duration)?
    private(set) var isAbandoned = false
    /// Whether the transfer continues to its end without readers.
    private var drains: Bool
    /// The number of requests that may still become readers. While there are any, the transfer is not abandoned.
    private var holds = 0

    init(drains: Bool) {
        self.drains = drains
    }

    /// `true` if a new reader can start at the body's beginning.
    var isJoinable: Bool {
        if case .failure = ending { return false }
        switch keeping {
        case .memory: return !isAbandoned
        case .writer: return !isAbandoned && (isReadable || held.first.bytes == 0)
        case .nothing: return false
        }
    }

    /// The number of readers, except those whose bytes are gone.
    private var activeReaders: Int { readsWriter ? readers.count : held.readers }

    private var readsWriter: Bool { keeping == .writer && isReadable }

    // MARK: Readers

    mutating func hold() { holds += 1 }

    mutating func letGo() -> Wakes {
        holds -= 1
        return abandonedIfAlone()
    }

    /// - Returns: `nil` if readers can no longer join.
    mutating func join() -> UInt64? {
        guard isJoinable else { return nil }
        lastID += 1
        readers[lastID] = held.first.bytes == 0 ? held.enter() : .behind(0)
        return lastID
    }

    mutating func leave(_ id: UInt64) -> Wakes {
        guard let position = readers.removeValue(forKey: id) else { return Wakes() }
        held.leave(position)
        var wakes = abandonedIfAlone()
        if let reading = waiting.removeValue(forKey: id) {
            wakes.readings.append((reading, .ended(.failure(.cancelled))))
        }
        dropRead()
        if wakes.pump == nil { wakes.pump = wantedPump() }
        return wakes
    }

    /// Abandons the transfer if it has no holds and no readers (except those whose bytes are gone), unless it `drains`.
    private mutating func abandonedIfAlone() -> Wakes {
        var wakes = Wakes()
        guard activeReaders == 0, holds == 0, !drains, ending == nil, !isAbandoned else { return wakes }
        isAbandoned = true
        wakes.isAbandoned = true
        if let (pumping, _) = pump { wakes.pump = (pumping, false) }
        pump = nil
        return wakes
    }

    mutating func read(_ id: UInt64, _ reading: Reading) -> Wakes {
        var wakes = Wakes()
        if let answer = answer(id) {
            wakes.readings.append((reading, answer))
        } else {
            waiting[id] = reading
        }
        dropRead()
        wakes.pump = wantedPump()
        return wakes
    }

    private mutating func answer(_ id: UInt64) -> Answer? {
        guard var position = readers[id] else { return .ended(.failure(.cancelled)) }
        guard !held.isGone(position) else {
            guard readsWriter, position.bytes < held.first.bytes else {
                readers[id] = nil
                return .leftBehind(at: position.bytes)
            }
            return .written(position.bytes..<min(position.bytes + Self.readAhead, held.first.bytes))
        }
        guard let chunk = held.advance(&position) else { return ending.map { .ended($0) } }
        readers[id] = position
        return .chunk(chunk)
    }

    /// Notes that a reader has read the bytes before `end` from the writer.
    mutating func move(_ id: UInt64, to end: Int) -> Wakes {
        guard readers[id] != nil else { return Wakes() }
        readers[id] = end == held.first.bytes ? held.enter() : .behind(end)
        furthestBehind = max(furthestBehind, end)
        var wakes = Wakes()
        wakes.pump = wantedPump()
        return wakes
    }

    // MARK: The pump

    /// Pauses the pump until more bytes are needed (resumed with `true`) or the transfer is over (`false`).
    mutating func pump(_ pumping: Pumping, now: Duration) -> Wakes {
        var wakes = Wakes()
        if isAbandoned || ending != nil {
            wakes.pump = (pumping, false)
        } else {
            pump = (pumping, since: now)
            wakes.pump = wantedPump()
        }
        return wakes
    }

    private mutating func wantedPump() -> (Pumping, Bool)? {
        guard let (pumping, _) = pump, isWanted else { return nil }
        pump = nil
        return (pumping, true)
    }

    private var isWanted: Bool {
        if waitsForWriter { return false }
        if drains || keeping == .writer && held.received < rushed { return true }
        guard activeReaders > 0 else { return false }
        let furthest = held.readers > 0 ? max(held.furthest.bytes, furthestBehind) : furthestBehind
        return held.received - furthest < Self.readAhead
    }

    private var waitsForWriter: Bool { keeping == .writer && held.received - written >= Self.writeAhead }

    /// Begins to keep the bytes in a writer. Returns the bytes so far, for it.
    ///
    /// - Parameter rushed: The number of the body's first bytes that the pump fetches without waiting for readers.
    mutating func write(isReadable: Bool, rushing rushed: Int) -> [Data] {
        keeping = .writer
        self.isReadable = isReadable
        self.rushed = rushed
        return held.chunks
    }

    /// Notes the number of bytes that the writer has.
    mutating func wrote(_ bytes: Int) -> Wakes {
        written = bytes
        dropRead()
        var wakes = Wakes()
        wakes.pump = wantedPump()
        return wakes
    }

    mutating func append(_ chunk: Data) -> Wakes {
        held.append(chunk)
        return served()
    }

    /// Ends the body, after a last chunk if there is one.
    mutating func end(_ ending: Result<Void, TransportError>, last: Data? = nil) -> Wakes {
        if let last { held.append(last) }
        self.ending = ending
        return served()
    }

    private mutating func served() -> Wakes {
        var wakes = Wakes()
        for (id, reading) in waiting {
            guard let answer = answer(id) else { continue }
            waiting[id] = nil
            wakes.readings.append((reading, answer))
        }
        dropRead()
        return wakes
    }

    private mutating func dropRead() {
        switch keeping {
        case .memory: break
        case .writer:
            // Later readers of a writer that cannot be read need the first chunks for as long as possible.
            if isReadable { held.dropRead(upTo: written) }
            held.drop(beyond: Self.window, upTo: isReadable ? written : .max)
        case .nothing: held.dropRead()
        }
    }

    // MARK: Giving way

    /// Returns `true` if the transfer's memory can be freed: it will not be stored, or its readers have paused it since
    /// `limit`.
    func isIdle(since limit: Duration) -> Bool {
        guard ending == nil, !waitsForWriter else { return false }
        return keeping == .nothing || pump.map { $0.since <= limit } ?? false
    }

    /// Stops gathering the body for the store; see ``Transfer/giveWay(ifIdleSince:)``.
    mutating func giveWay() -> Wakes {
        keeping = .nothing
        drains = false
        held.drop(behind: Self.readAhead)
        held.dropRead()
        // A body that is neither read nor stored is useless.
        var wakes = abandonedIfAlone()
        if wakes.pump == nil { wakes.pump = wantedPump() }
        return wakes
    }
}
