/// The identity of a connection in one event loop, never reused.
struct ConnectionID: Hashable, Sendable {
    let rawValue: UInt64
}

/// The connections of an event loop, by identity.
struct ConnectionTable {
    private struct Slot {
        var generation: UInt32 = 0
        var connection: Connection?
    }

    private var slots: [Slot] = []
    private var free: [UInt32] = []

    mutating func insert(_ make: (ConnectionID) -> Connection) -> Connection {
        if free.isEmpty {
            free.append(UInt32(slots.count))
            slots.append(Slot())
        }
        let index = free.removeLast()
        let connection = make(ConnectionID(index, slots[Int(index)].generation))
        slots[Int(index)].connection = connection
        return connection
    }

    mutating func remove(_ id: ConnectionID) {
        guard self[id] != nil else { return }
        slots[id.index].connection = nil
        // Messages to the old connection that are still in the mailbox must not reach the next one in this slot.
        slots[id.index].generation &+= 1
        free.append(UInt32(id.index))
    }

    subscript(_ id: ConnectionID) -> Connection? {
        guard id.index < slots.count, slots[id.index].generation == id.generation else { return nil }
        return slots[id.index].connection
    }

    var all: [Connection] { slots.compactMap(\.connection) }

    func forEach(_ body: (Connection) -> Void) {
        for slot in slots { if let connection = slot.connection { body(connection) } }
    }
}

extension ConnectionID {
    /// The keys of the descriptors in ``Epoll`` that are not connections.
    static let wakeup = ConnectionID(rawValue: 0)
    static let listeningSocket = ConnectionID(rawValue: 1)
    private static let firstIndex = 2

    fileprivate init(_ index: UInt32, _ generation: UInt32) {
        rawValue = UInt64(generation) << 32 | UInt64(Int(index) + Self.firstIndex)
    }

    fileprivate var index: Int { Int(UInt32(truncatingIfNeeded: rawValue)) - Self.firstIndex }
    fileprivate var generation: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 32) }
}
