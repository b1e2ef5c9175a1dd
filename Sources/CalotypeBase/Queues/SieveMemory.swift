/// A dictionary within a cost limit, which evicts values by the SIEVE algorithm. Not thread-safe.
///
/// Changes return the entries that they take out, so that an owner with a lock releases them after it: the last release
/// of a key or a value may run a user's `deinit`.
///
/// Inlinable, so that each cache specializes it for its own keys and values.
@usableFromInline package struct SieveMemory<Key: Hashable, Value> {
    @usableFromInline package struct Entry {
        @usableFromInline let key: Key
        @usableFromInline let value: Value
        @usableFromInline let cost: Int
        @usableFromInline var isUsed = false

        @inlinable init(key: Key, value: Value, cost: Int) {
            self.key = key
            self.value = value
            self.cost = cost
        }
    }

    @usableFromInline package let limit: Int
    @usableFromInline package internal(set) var cost = 0
    @usableFromInline var nodes: [Key: SieveQueue<Void>.Node] = [:]
    /// By node. The queue, which keeps removed locations until it reuses their nodes, holds no key.
    @usableFromInline var entries: [Entry?] = []
    @usableFromInline var queue = SieveQueue<Void>()

    @inlinable package init(limit: Int) {
        self.limit = limit
    }

    @inlinable package var count: Int { nodes.count }

    @inlinable package mutating func value(for key: Key) -> Value? {
        guard let node = nodes[key] else { return nil }
        entries[Int(node)]?.isUsed = true
        return entries[Int(node)]?.value
    }

    /// Replaces the value of the key. A new value that alone exceeds the limit only removes the old one.
    ///
    /// - Parameter cost: 0 or more.
    /// - Returns: The replaced and the evicted entries.
    @discardableResult
    @inlinable package mutating func set(_ value: Value, cost: Int, for key: Key) -> [Entry] {
        var released: [Entry] = []
        if let replaced = remove(key) { released.append(replaced) }
        guard cost <= limit else { return released }
        while self.cost > limit - cost, let evicted = evictOne() { released.append(evicted) }
        let node = queue.append(())
        if Int(node) == entries.count { entries.append(nil) }
        entries[Int(node)] = Entry(key: key, value: value, cost: cost)
        nodes[key] = node
        self.cost += cost
        return released
    }

    @discardableResult
    @inlinable package mutating func remove(_ key: Key) -> Entry? {
        guard let node = nodes.removeValue(forKey: key) else { return nil }
        let entry = entries[Int(node)]
        entries[Int(node)] = nil
        queue.remove(node)
        cost -= entry?.cost ?? 0
        return entry
    }

    /// Evicts the first value not used since the previous round. Each round goes from the oldest to the newest value.
    @inlinable mutating func evictOne() -> Entry? {
        while let node = queue.candidate {
            guard let entry = entries[Int(node)], entry.isUsed else {
                return entries[Int(node)].flatMap { remove($0.key) }
            }
            entries[Int(node)]?.isUsed = false
            queue.spareCandidate()
        }
        return nil
    }
}
