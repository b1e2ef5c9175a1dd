import ResourceProvider

/// The cache without its type of value: shards for those who read, one ledger for those who write.
///
/// A read locks one shard of sixteen for a few nanoseconds. A write locks the ledger, which knows the order of entries
/// and their total, and within it a shard at a time. So limits are exact and eviction sees all entries, however few,
/// while reads on many threads rarely meet. Not generic, so that it is compiled once and for its types.
///
/// Items that were taken out are answered or gathered in `released`, and let go when no lock is held: what the deinit
/// of a value does is not ours.
@usableFromInline final class CacheCore: Sendable {
    /// What is known of all entries together.
    struct Ledger {
        var limits: CacheLimits
        var queue = SieveQueue()
        var cost = 0
        var evictions = 0
        var expirations = 0
        var rejections = 0
    }

    let shards: [GuardedShard]
    let ledger: Locked<Ledger>
    private let wallClock: WallClock
    private let timeToLive: Double?

    init(options: MemoryCacheOptions, wallClock: WallClock) {
        shards = (0..<16).map { _ in GuardedShard() }
        ledger = Locked(Ledger(limits: CacheLimits(options)))
        self.wallClock = wallClock
        timeToLive = options.timeToLive.map { $0 / .seconds(1) }
    }

    private func shardIndex(of key: CacheKey) -> Int { Int(truncatingIfNeeded: key.high) & 15 }

    private func shard(of key: CacheKey) -> GuardedShard { shards[shardIndex(of: key)] }

    // MARK: Reading

    @usableFromInline func read(_ key: CacheKey, acceptsPreview: Bool) -> CacheItem? {
        let reading = shard(of: key).withLock { $0.read(key, acceptsPreview: acceptsPreview) { wallClock.now } }
        switch reading {
        case .hit(let item): return item
        case .miss: return nil
        case .expired:
            removeExpired(key)
            return nil
        }
    }

    /// Looks again under the ledger's lock: somebody may have stored anew since the read.
    private func removeExpired(_ key: CacheKey) {
        let now = wallClock.now
        let released: CacheItem? = ledger.withLock { ledger in
            guard let found = shard(of: key).withLock({ $0.item(for: key) }), found.item.expires <= now else {
                return nil
            }
            ledger.expirations += 1
            return remove(key, from: &ledger)
        }
        withExtendedLifetime(released) {}
    }

    // MARK: Writing

    enum StoreOutcome { case stored, refused, rejected(limit: Int) }

    /// When what is stored now will be too old.
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
                // What it was to replace is out of date.
                _ = remove(item.key, from: &ledger)
                if ledger.limits.keepsNothing { return .refused }
                ledger.rejections += 1
                return .rejected(limit: ledger.limits.entryCost)
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
        makeRoom(in: &ledger, cost: cost, count: count, releasing: &released)
        let shard = shardIndex(of: item.key)
        let node = ledger.queue.append(.init(tag: CacheShard.tag(item.key), shard: shard))
        ledger.cost += item.cost
        shards[shard].withLock { $0.insert(item, node: node) }
    }

    private func replace(
        _ old: CacheItem, at node: SieveQueue.Node, with item: CacheItem, in ledger: inout Ledger,
        releasing released: inout [CacheItem]
    ) {
        let growth = item.cost - old.cost
        let (cost, count) = (ledger.limits.cost - max(growth, 0), ledger.limits.count)
        makeRoom(in: &ledger, cost: cost, count: count, sparing: node, releasing: &released)
        ledger.cost += growth
        shard(of: item.key).withLock { $0.replace(with: item) }
    }

    /// Takes out entries in SIEVE's order until what is left costs and counts no more than this.
    private func makeRoom(
        in ledger: inout Ledger, cost: Int, count: Int, sparing spared: SieveQueue.Node? = nil,
        releasing released: inout [CacheItem]
    ) {
        while ledger.cost > cost || ledger.queue.count > count, let node = ledger.queue.candidate {
            let place = ledger.queue.place(of: node)
            if node != spared,
                let evicted = shards[place.shard].withLock({ $0.evictUnlessVisited(node, tag: place.tag) })
            {
                ledger.queue.remove(node)
                ledger.cost -= evicted.cost
                ledger.evictions += 1
                released.append(evicted)
            } else {
                ledger.queue.spareCandidate()
            }
        }
    }

    // MARK: Removing

    func remove(_ key: CacheKey) {
        let released = ledger.withLock { remove(key, from: &$0) }
        withExtendedLifetime(released) {}
    }

    private func remove(_ key: CacheKey, from ledger: inout Ledger) -> CacheItem? {
        guard let removed = shard(of: key).withLock({ $0.remove(key) }) else { return nil }
        ledger.queue.remove(removed.node)
        ledger.cost -= removed.item.cost
        return removed.item
    }

    func removeAll() {
        let released: [[CacheItem]] = ledger.withLock { ledger in
            ledger.queue = SieveQueue()
            ledger.cost = 0
            return shards.map { shard in shard.withLock { $0.removeAll() } }
        }
        withExtendedLifetime(released) {}
    }

    /// - Parameter target: says from the present cost what to shrink to.
    func trim(toCost target: (Int) -> Int) {
        var released: [CacheItem] = []
        ledger.withLock { ledger in
            let cost = max(target(ledger.cost), 0)
            // Entries that cost nothing go as well when all shall go.
            makeRoom(in: &ledger, cost: cost, count: cost == 0 ? 0 : .max, releasing: &released)
        }
        withExtendedLifetime(released) {}
    }

    // MARK: Limits

    var limits: CacheLimits { ledger.withLock { $0.limits } }

    /// New limits hold at once: what exceeds them is gone when this returns.
    func changeLimits(_ change: (inout CacheLimits) -> Void) {
        var released: [CacheItem] = []
        ledger.withLock { ledger in
            change(&ledger.limits)
            let count = ledger.limits.keepsNothing ? 0 : ledger.limits.count
            makeRoom(in: &ledger, cost: ledger.limits.cost, count: count, releasing: &released)
        }
        withExtendedLifetime(released) {}
    }
}
