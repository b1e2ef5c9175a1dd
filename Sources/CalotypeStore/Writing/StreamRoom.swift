import CalotypeBase

/// The bytes on the disk of bodies that are not entries yet. The store counts them against its limit.
final class StreamRoom: Sendable {
    private struct State {
        var reserved = 0
        var unchecked = 0
    }

    private let limit: Int
    private let state = Locked(State())

    /// - Parameter limit: The maximum size of all these bodies together, in bytes: that of the largest entry.
    init(limit: Int) { self.limit = limit }

    /// The number of bytes, taken as they arrive, before the store looks whether older entries have to make room.
    private var interval: Int { min(16 << 20, limit / 16) }

    var reserved: Int { state.withLock { $0.reserved } }

    /// Whether a body of this length could be written now.
    func admits(_ length: Int) -> Bool {
        state.withLock { length <= limit - DiskStoreOptions.entryOverhead - $0.reserved }
    }

    /// Reserves bytes.
    ///
    /// - Returns: Whether the store has to make room for them; `nil` if they do not fit.
    func take(_ bytes: Int) -> Bool? {
        state.withLock { state in
            guard bytes <= limit - state.reserved else { return nil }
            state.reserved += bytes
            state.unchecked += bytes
            guard state.unchecked > interval else { return false }
            state.unchecked = 0
            return true
        }
    }

    func giveBack(_ bytes: Int) { state.withLock { $0.reserved -= bytes } }
}

/// The bytes reserved for one body, given back with the last reference.
final class StreamShare: Sendable {
    private let room: StreamRoom
    private let bytes = Locked(0)

    init(_ room: StreamRoom) { self.room = room }

    deinit { giveBack() }

    /// - Returns: Whether the store has to make room; `nil` if the bytes do not fit.
    func take(_ count: Int) -> Bool? {
        let isDue = room.take(count)
        if isDue != nil { bytes.withLock { $0 += count } }
        return isDue
    }

    /// Gives all bytes back, because the body is an entry now, or gone.
    func giveBack() {
        room.giveBack(
            bytes.withLock { bytes in
                defer { bytes = 0 }
                return bytes
            })
    }
}
