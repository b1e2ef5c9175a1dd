internal import CalotypeBase
internal import CalotypeHTTP

/// A dictionary within a cost limit, which evicts values by the SIEVE algorithm. Not thread-safe.
struct SieveMemory<Value> {
    private struct Slot {
        let value: Value
        let cost: Int
        let node: SieveQueue<ByteString>.Node
        var isUsed = false
    }

    let limit: Int
    private(set) var cost = 0
    private var slots: [ByteString: Slot] = [:]
    private var queue = SieveQueue<ByteString>()

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { slots.count }

    mutating func value(for key: ByteString) -> Value? {
        guard let index = slots.index(forKey: key) else { return nil }
        slots.values[index].isUsed = true
        return slots.values[index].value
    }

    /// Replaces the value of the key. A new value that alone exceeds the limit only removes the old one.
    mutating func set(_ value: Value, cost: Int, for key: ByteString) {
        remove(key)
        guard cost <= limit else { return }
        while self.cost + cost > limit, evictOne() {}
        slots[key] = Slot(value: value, cost: cost, node: queue.append(key))
        self.cost += cost
    }

    mutating func remove(_ key: ByteString) {
        guard let slot = slots.removeValue(forKey: key) else { return }
        queue.remove(slot.node)
        cost -= slot.cost
    }

    /// Evicts the first value not used since the previous round. Each round goes from the oldest to the newest value.
    private mutating func evictOne() -> Bool {
        while let node = queue.candidate {
            let key = queue.location(of: node)
            guard let index = slots.index(forKey: key), slots.values[index].isUsed else {
                remove(key)
                return true
            }
            slots.values[index].isUsed = false
            queue.spareCandidate()
        }
        return false
    }
}
