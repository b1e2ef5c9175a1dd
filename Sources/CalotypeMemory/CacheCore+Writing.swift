import CalotypeBase

extension CacheCore {
    enum StoreOutcome { case stored, refused, rejected }

    /// The expiry time of a value stored now, in seconds of the wall clock; infinity without a time to live.
    var expiryOfNow: Double { timeToLive.map { wallClock.now + $0 } ?? .infinity }

    func store(_ item: CacheItem) -> StoreOutcome {
        let now = timeToLive == nil ? 0 : wallClock.now
        var released: [CacheItem] = []
        let outcome: StoreOutcome = ledger.withLock { ledger in
            let existing = shard(of: item.key).withLock { $0.item(for: item.key) }
            if let existing {
                if item.isPreview, !existing.item.isPreview, existing.item.expires > now { return .refused }
                released.append(existing.item)
            }
            guard !ledger.limits.keepsNothing, item.cost <= ledger.limits.entryCost else {
                // The cache does not store the new value, and the old one is outdated.
                _ = remove(item.key, from: &ledger)
                if ledger.limits.keepsNothing { return .refused }
                ledger.rejections += 1
                return .rejected
            }
            if let existing {
                replace(existing.item, at: existing.node, with: item, in: &ledger, releasing: &released)
            } else {
                insert(item, into: &ledger, releasing: &released)
            }
            return .stored
        }
        withExtendedLifetime(released) {}
        return outcome
    }

    private func insert(_ item: CacheItem, into ledger: inout Ledger, releasing released: inout [CacheItem]) {
        let (cost, count) = (ledger.limits.cost - item.cost, ledger.limits.count - 1)
        if ledger.exceeds(cost: cost, count: count) { sweep(in: &ledger, releasing: &released) }
        makeRoom(in: &ledger, cost: cost, count: count, releasing: &released)

        let shard = shardIndex(of: item.key)
        let node = ledger.queue.append(.init(tag: CacheShard.tag(item.key), shard: shard))
        ledger.cost += item.cost
        shards[shard].withLock { $0.insert(item, node: node) }
        while let settled = ledger.queue.settle() {
            let location = ledger.queue.location(of: settled)
            shards[location.shard].withLock { $0.settle(settled, tag: location.tag) }
        }
    }

    private func replace(
        _ old: CacheItem, at node: EntryQueue.Node, with item: CacheItem, in ledger: inout Ledger,
        releasing released: inout [CacheItem]
    ) {
        let growth = item.cost - old.cost
        let (cost, count) = (ledger.limits.cost - max(growth, 0), ledger.limits.count)
        makeRoom(in: &ledger, cost: cost, count: count, sparing: node, releasing: &released)
        ledger.cost += growth
        shard(of: item.key).withLock { $0.replace(with: item) }
    }

    func remove(_ key: CacheKey) {
        let released = ledger.withLock { remove(key, from: &$0) }
        withExtendedLifetime(released) {}
    }

    func remove(_ key: CacheKey, from ledger: inout Ledger) -> CacheItem? {
        guard let removed = shard(of: key).withLock({ $0.remove(key) }) else { return nil }
        ledger.queue.remove(removed.node)
        ledger.cost -= removed.item.cost
        return removed.item
    }

    func removeAll() {
        let released: [[CacheItem]] = ledger.withLock { ledger in
            ledger.queue = EntryQueue()
            ledger.cost = 0
            return shards.map { shard in shard.withLock { $0.removeAll() } }
        }
        withExtendedLifetime(released) {}
    }
}
