internal import CalotypeHTTP
internal import Foundation

/// How far a transfer has come and how far its readers are. A value: its owner locks it and does what it returns.
///
/// The pump keeps to the pace of the reader that has come furthest. While `keepsAll`, every byte stays, for the store and for
/// readers that come later. Afterwards what the slowest reader still needs stays, until the transfer gives way.
struct TransferState {
    enum Answer {
        case chunk(Data)
        case ended(Result<Void, TransportError>)
        /// The next bytes of this reader are no longer there.
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

    /// How many bytes the pump may be ahead of whom it serves, and how far behind a reader may stay when a transfer gives way.
    static let readAhead = 256 << 10

    private(set) var held = HeldChunks()
    private(set) var keepsAll = true
    private(set) var ending: Result<Void, TransportError>?
    private var readers: [UInt64: HeldChunks.Place] = [:]
    private var waiting: [UInt64: Reading] = [:]
    private var lastID: UInt64 = 0
    /// The pump, while nobody wants more, and since when.
    private var pump: (Pumping, since: Duration)?
    private(set) var isAbandoned = false
    /// Goes on to the end, though nobody reads.
    private var drains: Bool
    /// Somebody may still join.
    private var holds = 0

    init(drains: Bool) {
        self.drains = drains
    }

    /// A Boolean value indicating whether a reader that comes now gets the body from its beginning.
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

    /// - Returns: nil where the beginning is gone.
    mutating func join() -> UInt64? {
        guard isJoinable else { return nil }
        lastID += 1
        readers[lastID] = held.enter()
        return lastID
    }

    mutating func leave(_ id: UInt64) -> Wakes {
        guard let place = readers.removeValue(forKey: id) else { return Wakes() }
        held.leave(place)
        var wakes = abandonedIfAlone()
        if let reading = waiting.removeValue(forKey: id) {
            wakes.readings.append((reading, .ended(.failure(.cancelled))))
        }
        dropRead()
        if wakes.pump == nil { wakes.pump = wantedPump() }
        return wakes
    }

    /// A reader that was left behind needs no more of this.
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
        guard var place = readers[id] else { return .ended(.failure(.cancelled)) }
        guard !held.isGone(place) else {
            readers[id] = nil
            return .leftBehind(at: place.bytes)
        }
        guard let chunk = held.advance(&place) else { return ending.map { .ended($0) } }
        readers[id] = place
        return .chunk(chunk)
    }

    // MARK: The pump

    /// Returns whether to ask the origin for more, now or once somebody wants it; false when nobody ever will.
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

    /// A chunk has come.
    mutating func append(_ chunk: Data) -> Wakes {
        held.append(chunk)
        return served()
    }

    /// The end, after a last chunk if there is one.
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

    /// Returns whether others need the memory more: the body is not going to be stored, or its readers have let it wait.
    func isIdle(since limit: Duration) -> Bool {
        guard ending == nil else { return false }
        return !keepsAll || pump.map { $0.since <= limit } ?? false
    }

    /// From now on the body is not stored, and nothing stays for readers that are far behind.
    mutating func giveWay() -> Wakes {
        keepsAll = false
        drains = false
        held.drop(behind: Self.readAhead)
        held.dropRead()
        // Nobody gains from a body that is neither read nor stored.
        return abandonedIfAlone()
    }
}
