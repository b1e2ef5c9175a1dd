internal import CalotypeHTTP

/// Values by key, bounded by their cost: what was not used since the hand passed goes first (SIEVE). For one thread at a
/// time.
struct SieveMemory<Value> {
    private struct Slot {
        let key: ByteString
        var value: Value
        var cost: Int
        var isUsed = false
        var older: Int
        var newer: Int
    }

    private static var none: Int { -1 }

    let limit: Int
    private(set) var cost = 0
    private var slots: [Slot?] = []
    private var free: [Int] = []
    private var places: [ByteString: Int] = [:]
    private var newest = SieveMemory.none
    private var oldest = SieveMemory.none
    private var hand = SieveMemory.none

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { places.count }

    mutating func value(for key: ByteString) -> Value? {
        guard let place = places[key] else { return nil }
        slots[place]?.isUsed = true
        return slots[place]?.value
    }

    /// Stores a value. One that costs more than the limit is not kept.
    mutating func set(_ value: Value, cost: Int, for key: ByteString) {
        remove(key)
        guard cost <= limit else { return }
        while self.cost + cost > limit, evictOne() {}
        insert(Slot(key: key, value: value, cost: cost, older: newest, newer: Self.none))
    }

    mutating func remove(_ key: ByteString) {
        if let place = places[key] { take(place) }
    }

    mutating func removeAll() { self = SieveMemory(limit: limit) }

    private mutating func insert(_ slot: Slot) {
        let place: Int
        if let reused = free.popLast() {
            place = reused
            slots[place] = slot
        } else {
            place = slots.count
            slots.append(slot)
        }
        places[slot.key] = place
        cost += slot.cost
        if newest == Self.none { oldest = place } else { slots[newest]?.newer = place }
        newest = place
    }

    private mutating func take(_ place: Int) {
        guard let slot = slots[place] else { return }
        if slot.older == Self.none { oldest = slot.newer } else { slots[slot.older]?.newer = slot.newer }
        if slot.newer == Self.none { newest = slot.older } else { slots[slot.newer]?.older = slot.older }
        if hand == place { hand = slot.newer }
        places[slot.key] = nil
        cost -= slot.cost
        slots[place] = nil
        free.append(place)
    }

    /// The hand goes from the oldest to the newest, and around.
    private mutating func evictOne() -> Bool {
        guard !places.isEmpty else { return false }
        while true {
            let place = hand == Self.none ? oldest : hand
            hand = slots[place]?.newer ?? Self.none
            guard slots[place]?.isUsed == true else {
                take(place)
                return true
            }
            slots[place]?.isUsed = false
        }
    }
}
