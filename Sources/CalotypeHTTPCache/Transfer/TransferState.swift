internal import CalotypeHTTP
internal import Foundation

/// How far a transfer has come and how far its readers are. A value: its owner locks it and does what it returns.
///
/// While `keepsAll`, every byte stays, for the store and for readers that come later. When the body turns out too
/// large for that, only what the slowest reader still needs stays, and the pump waits for it.
struct TransferState {
    typealias Reading = UnsafeContinuation<Result<Data?, TransportError>, Never>
    typealias Pumping = UnsafeContinuation<Bool, Never>

    struct Reader {
        /// The number of the next chunk, counted from the body's beginning.
        var chunk = 0
        var bytes = 0
        var hasLeft = false
        var waiting: Reading?
    }

    /// The wake-ups that the owner performs outside the lock.
    struct Wakes {
        var readings: [(Reading, Result<Data?, TransportError>)] = []
        var pump: (Pumping, Bool)?
        var isAbandoned = false
    }

    /// How many bytes the pump may be ahead of whom it serves.
    static let readAhead = 256 << 10

    private(set) var chunks: [Data] = []
    private var dropped = 0
    private(set) var received = 0
    private(set) var keepsAll = true
    private(set) var ending: Result<Void, TransportError>?
    private var readers: [UInt64: Reader] = [:]
    private var lastID: UInt64 = 0
    private var pump: Pumping?
    private(set) var isAbandoned = false
    /// Goes on to the end, though nobody reads.
    var drains: Bool
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
        readers[lastID] = Reader()
        return lastID
    }

    mutating func leave(_ id: UInt64) -> Wakes {
        guard let reader = readers.removeValue(forKey: id) else { return Wakes() }
        var wakes = abandonedIfAlone()
        if let waiting = reader.waiting { wakes.readings.append((waiting, .failure(.cancelled))) }
        dropRead()
        if wakes.pump == nil { wakes.pump = wantedPump() }
        return wakes
    }

    private mutating func abandonedIfAlone() -> Wakes {
        var wakes = Wakes()
        guard readers.isEmpty, holds == 0, !drains, ending == nil, !isAbandoned else { return wakes }
        isAbandoned = true
        wakes.isAbandoned = true
        if let pump { wakes.pump = (pump, false) }
        pump = nil
        return wakes
    }

    mutating func read(_ id: UInt64, _ reading: Reading) -> Wakes {
        var wakes = Wakes()
        guard var reader = readers[id] else {
            wakes.readings.append((reading, .failure(.cancelled)))
            return wakes
        }
        if let answer = advance(&reader) {
            wakes.readings.append((reading, answer))
        } else {
            reader.waiting = reading
        }
        readers[id] = reader
        dropRead()
        wakes.pump = wantedPump()
        return wakes
    }

    private func advance(_ reader: inout Reader) -> Result<Data?, TransportError>? {
        let place = reader.chunk - dropped
        if place < chunks.count {
            reader.chunk += 1
            reader.bytes += chunks[place].count
            return .success(chunks[place])
        }
        return ending.map { $0.map { nil } }
    }

    // MARK: The pump

    /// Returns whether to ask the origin for more, now or once somebody wants it; false when nobody ever will.
    mutating func pump(_ pumping: Pumping) -> Wakes {
        var wakes = Wakes()
        if isAbandoned || ending != nil {
            wakes.pump = (pumping, false)
        } else {
            pump = pumping
            wakes.pump = wantedPump()
        }
        return wakes
    }

    private mutating func wantedPump() -> (Pumping, Bool)? {
        guard let pumping = pump, isWanted else { return nil }
        pump = nil
        return (pumping, true)
    }

    private var isWanted: Bool {
        if drains { return keepsAll || received - slowest < Self.readAhead }
        guard !readers.isEmpty else { return false }
        return received - (keepsAll ? fastest : slowest) < Self.readAhead
    }

    private var fastest: Int { readers.values.reduce(0) { max($0, $1.bytes) } }
    private var slowest: Int { readers.values.reduce(received) { min($0, $1.bytes) } }

    /// A chunk has come.
    mutating func append(_ chunk: Data) -> Wakes {
        chunks.append(chunk)
        received += chunk.count
        return served()
    }

    /// From now on only what readers have not had stays.
    mutating func stopKeeping() {
        keepsAll = false
        dropRead()
    }

    mutating func stopDraining() -> Wakes {
        drains = false
        return abandonedIfAlone()
    }

    /// The end, after a last chunk if there is one.
    mutating func end(_ ending: Result<Void, TransportError>, last: Data? = nil) -> Wakes {
        if let last {
            chunks.append(last)
            received += last.count
        }
        self.ending = ending
        return served()
    }

    private mutating func served() -> Wakes {
        var wakes = Wakes()
        for (id, var reader) in readers {
            guard let waiting = reader.waiting, let answer = advance(&reader) else { continue }
            reader.waiting = nil
            readers[id] = reader
            wakes.readings.append((waiting, answer))
        }
        dropRead()
        return wakes
    }

    private mutating func dropRead() {
        guard !keepsAll else { return }
        let needed = readers.values.reduce(dropped + chunks.count) { min($0, $1.chunk) }
        guard needed > dropped else { return }
        chunks.removeFirst(needed - dropped)
        dropped = needed
    }
}
