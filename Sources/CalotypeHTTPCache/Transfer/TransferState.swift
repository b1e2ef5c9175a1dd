internal import CalotypeHTTP
internal import Foundation

/// The progress of a transfer and its readers. The owner locks this value and performs the actions that it returns.
///
/// Unless the transfer `drains`, the pump, which reads the body, waits once it is `readAhead` bytes ahead of the reader
/// that has read the most. While `keepsAll` is true, all bytes stay in memory, for the store and later readers. After
/// that, a chunk stays until all readers have read it. To free memory, `giveWay()` drops chunks that slow readers need.
struct TransferState {
    enum Answer {
        case chunk(Data)
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

    private(set) var held = HeldChunks()
    private(set) var keepsAll = true
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
        return keepsAll && !isAbandoned
    }

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
        readers[lastID] = held.enter()
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
        guard held.readers == 0, holds == 0, !drains, ending == nil, !isAbandoned else { return wakes }
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
            readers[id] = nil
            return .leftBehind(at: position.bytes)
        }
        guard let chunk = held.advance(&position) else { return ending.map { .ended($0) } }
        readers[id] = position
        return .chunk(chunk)
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
        drains || held.readers > 0 && held.received - held.furthest.bytes < Self.readAhead
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
        if !keepsAll { held.dropRead() }
    }

    // MARK: Giving way

    /// Returns `true` if the transfer's memory can be freed: it will not be stored, or has been paused since `limit`.
    func isIdle(since limit: Duration) -> Bool {
        guard ending == nil else { return false }
        return !keepsAll || pump.map { $0.since <= limit } ?? false
    }

    /// Stops gathering the body for the store; see ``Transfer/giveWay(ifIdleSince:)``.
    mutating func giveWay() -> Wakes {
        keepsAll = false
        drains = false
        held.drop(behind: Self.readAhead)
        held.dropRead()
        // A body that is neither read nor stored is useless.
        return abandonedIfAlone()
    }
}
