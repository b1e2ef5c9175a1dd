internal import CalotypeBase

/// The order of all entries, which knows in which shard each is found and by which tag.
typealias EntryQueue = SieveQueue<CacheShard.Place>

/// One part of the entries: a table with open addressing, guarded by its own lock.
struct CacheShard {
    /// Where the entry of a node is found.
    struct Place {
        let tag: UInt64
        let shard: Int
    }

    /// After how many rounds of the broom without a read an entry is evicted.
    private static let staleRounds: UInt8 = 10

    enum Reading { case hit(CacheItem), expired, miss }

    /// The part of an entry that a probe reads, and that changes.
    private struct Slot {
        /// The hash of the key; 0 where the slot is empty.
        var tag: UInt64 = 0
        var node: EntryQueue.Node = 0
        /// SIEVE's mark: read since the hand last came by.
        var isVisited = false
        /// Too new to be marked.
        var isFresh = true
        /// Rounds of the broom since the last read.
        var idleRounds: UInt8 = 0

        mutating func touch() {
            idleRounds = 0
            if !isFresh { isVisited = true }
        }
    }

    /// Never more than half full, so that a probe is short. `items` has the items of `slots`, place by place.
    private var slots = [Slot](repeating: Slot(), count: 16)
    private var items = [CacheItem?](repeating: nil, count: 16)
    private var count = 0

    private(set) var hits = 0
    private(set) var misses = 0

    /// The tag of a hash: the hash itself, save that 0 is taken.
    static func tag(_ key: CacheKey) -> UInt64 { key.low == 0 ? 1 : key.low }

    // MARK: Reading

    /// The item of the key, which is marked as read.
    mutating func read(_ key: CacheKey, acceptsPreview: Bool, countsMiss: Bool = true, now: () -> Double) -> Reading {
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

    /// The item of the key, neither marked nor counted.
    func item(for key: CacheKey) -> (item: CacheItem, node: EntryQueue.Node)? {
        guard let index = index(of: key), let item = items[index] else { return nil }
        return (item, slots[index].node)
    }

    // MARK: Changing

    /// Adds an item whose key is not in the table.
    mutating func insert(_ item: CacheItem, node: EntryQueue.Node) {
        if (count + 1) * 2 > slots.count { grow() }
        put(item, Slot(tag: Self.tag(item.key), node: node))
        count += 1
    }

    /// Puts the item in the place of the one with the same key. Counts as a read.
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

    /// Empties the table and answers what was in it.
    mutating func removeAll() -> [CacheItem] {
        let removed = items.compactMap { $0 }
        slots = [Slot](repeating: Slot(), count: 16)
        items = [CacheItem?](repeating: nil, count: 16)
        count = 0
        return removed
    }

    // MARK: What the queue asks for

    /// The hand: takes the mark away and answers nil, or takes out the item that had none.
    mutating func evictUnlessVisited(_ node: EntryQueue.Node, tag: UInt64) -> CacheItem? {
        guard let index = index(of: node, tag: tag) else { return nil }
        guard slots[index].isVisited else { return remove(at: index) }
        slots[index].isVisited = false
        return nil
    }

    /// The broom: counts a round, and takes out the item that nobody read for too many.
    mutating func evictIfStale(_ node: EntryQueue.Node, tag: UInt64) -> CacheItem? {
        guard let index = index(of: node, tag: tag) else { return nil }
        slots[index].idleRounds += 1
        return slots[index].idleRounds >= CacheShard.staleRounds ? remove(at: index) : nil
    }

    /// From now on reads mark the item.
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

    /// Moves what follows up into the gap where its probe would pass it, so that no grave is left.
    private mutating func remove(at index: Int) -> CacheItem? {
        let removed = items[index]
        var gap = index
        var place = next(index)
        while slots[place].tag != 0 {
            let probed = (place - home(slots[place].tag)) & (slots.count - 1)
            if probed >= (place - gap) & (slots.count - 1) {
                slots[gap] = slots[place]
                items[gap] = items[place]
                gap = place
            }
            place = next(place)
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
