internal import CalotypeBase

/// The order of all entries, with the shard and the tag of each.
typealias EntryQueue = SieveQueue<CacheShard.Location>

/// One sixteenth of the cache's entries: a hash table with open addressing, guarded by its own lock.
struct CacheShard {
    struct Location {
        let tag: UInt64
        let shard: Int
    }

    /// The number of broom rounds (see ``SieveQueue``) without a read after which an entry is evicted.
    private static let staleRounds: UInt8 = 10

    enum Reading { case hit(CacheItem), expired, miss }

    /// The mutable part of an entry, stored apart from its item.
    private struct Slot {
        /// The ``tag(_:)`` of the key; 0 if the slot is empty.
        var tag: UInt64 = 0
        var node: EntryQueue.Node = 0
        /// SIEVE's mark: whether the entry has been read since the eviction hand last passed it. Reads of a fresh entry
        /// do not count.
        var isVisited = false
        /// Whether the entry is so new that reads do not mark it.
        var isFresh = true
        /// The number of broom rounds since the last read.
        var idleRounds: UInt8 = 0

        mutating func touch() {
            idleRounds = 0
            if !isFresh { isVisited = true }
        }
    }

    /// At most half of the slots are used, so that probes are short. `items[i]` is the item of `slots[i]`.
    private var slots = [Slot](repeating: Slot(), count: 16)
    private var items = [CacheItem?](repeating: nil, count: 16)
    private var count = 0

    private(set) var hits = 0
    private(set) var misses = 0

    /// The tag of a key: the low 64 bits of its hash, or 1 instead of 0, which marks empty slots.
    static func tag(_ key: CacheKey) -> UInt64 { key.low == 0 ? 1 : key.low }

    mutating func read(_ key: CacheKey, acceptsPreview: Bool, countsMiss: Bool, now: () -> Double) -> Reading {
        guard let index = index(of: key), let item = items[index], acceptsPreview || !item.isPreview else {
            if countsMiss { misses += 1 }
            return .miss
        }
        if item.expires < .infinity, item.expires <= now() {
            if countsMiss { misses += 1 }
            return .expired
        }
        slots[index].touch()
        hits += 1
        return .hit(item)
    }

    /// Returns the item of the key, without marking or counting the access.
    func item(for key: CacheKey) -> (item: CacheItem, node: EntryQueue.Node)? {
        guard let index = index(of: key), let item = items[index] else { return nil }
        return (item, slots[index].node)
    }

    /// Adds an item whose key is not in the table.
    mutating func insert(_ item: CacheItem, node: EntryQueue.Node) {
        if (count + 1) * 2 > slots.count { grow() }
        put(item, Slot(tag: Self.tag(item.key), node: node))
        count += 1
    }

    /// Replaces the item with the same key, and marks the entry as read.
    mutating func replace(with item: CacheItem) {
        guard let index = index(of: item.key) else { return }
        items[index] = item
        slots[index].touch()
    }

    mutating func remove(_ key: CacheKey) -> (item: CacheItem, node: EntryQueue.Node)? {
        guard let index = index(of: key) else { return nil }
        let node = slots[index].node
        return remove(at: index).map { ($0, node) }
    }

    mutating func removeAll() -> [CacheItem] {
        let removed = items.compactMap { $0 }
        slots = [Slot](repeating: Slot(), count: 16)
        items = [CacheItem?](repeating: nil, count: 16)
        count = 0
        return removed
    }

    // MARK: Operations for the queue

    /// Handles the item at the eviction hand: if it is marked as read, clears the mark and returns `nil`; otherwise
    /// removes and returns the item.
    mutating func evictUnlessVisited(_ node: EntryQueue.Node, tag: UInt64) -> CacheItem? {
        guard let index = index(of: node, tag: tag) else { return nil }
        guard slots[index].isVisited else { return remove(at: index) }
        slots[index].isVisited = false
        return nil
    }

    /// Counts a broom round. Removes and returns the item if it has gone unread for too many rounds.
    mutating func evictIfStale(_ node: EntryQueue.Node, tag: UInt64) -> CacheItem? {
        guard let index = index(of: node, tag: tag) else { return nil }
        slots[index].idleRounds += 1
        return slots[index].idleRounds >= CacheShard.staleRounds ? remove(at: index) : nil
    }

    /// Ends the item's freshness: reads mark the item from now on.
    mutating func settle(_ node: EntryQueue.Node, tag: UInt64) {
        if let index = index(of: node, tag: tag) { slots[index].isFresh = false }
    }

    // MARK: The table

    private func home(_ tag: UInt64) -> Int { Int(truncatingIfNeeded: tag) & (slots.count - 1) }

    private func next(_ index: Int) -> Int { (index + 1) & (slots.count - 1) }

    private func index(of key: CacheKey) -> Int? {
        let tag = Self.tag(key)
        var index = home(tag)
        while slots[index].tag != 0 {
            if slots[index].tag == tag, items[index]?.key == key { return index }
            index = next(index)
        }
        return nil
    }

    private func index(of node: EntryQueue.Node, tag: UInt64) -> Int? {
        var index = home(tag)
        while slots[index].tag != 0 {
            if slots[index].tag == tag, slots[index].node == node { return index }
            index = next(index)
        }
        return nil
    }

    private mutating func put(_ item: CacheItem, _ slot: Slot) {
        var index = home(slot.tag)
        while slots[index].tag != 0 { index = next(index) }
        slots[index] = slot
        items[index] = item
    }

    /// Removes an item. Moves later entries into the gap if their probes cross it, so that no tombstone is needed.
    private mutating func remove(at index: Int) -> CacheItem? {
        let removed = items[index]
        var gap = index
        var probe = next(index)
        while slots[probe].tag != 0 {
            let probed = (probe - home(slots[probe].tag)) & (slots.count - 1)
            if probed >= (probe - gap) & (slots.count - 1) {
                slots[gap] = slots[probe]
                items[gap] = items[probe]
                gap = probe
            }
            probe = next(probe)
        }
        slots[gap] = Slot()
        items[gap] = nil
        count -= 1
        return removed
    }

    private mutating func grow() {
        let (oldSlots, oldItems) = (slots, items)
        slots = [Slot](repeating: Slot(), count: oldSlots.count * 2)
        items = [CacheItem?](repeating: nil, count: slots.count)
        for (slot, item) in zip(oldSlots, oldItems) {
            if let item { put(item, slot) }
        }
    }
}
