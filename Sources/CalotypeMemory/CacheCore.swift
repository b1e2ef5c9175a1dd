import CalotypeBase

/// The cache without its type of value: shards for those who read, one ledger for those who write.
///
/// A read locks one shard of sixteen for a few nanoseconds. A write locks the ledger, which knows the order of entries
/// and their total, and within it a shard at a time. So limits are exact and eviction sees all entries, however few,
/// while reads on many threads rarely meet. Not generic, so that it is compiled once and for its types.
///
/// Items that were taken out are answered or gathered in `released`, and let go when no lock is held: what the deinit
/// of a value does is not ours.
@usableFromInline final class CacheCore: Sendable {
    /// The state of all entries together.
    struct Ledger {
        var limits: CacheLimits
        var queue = EntryQueue()
        var cost = 0
        var evictions = 0
        var expirations = 0
        var rejections = 0
    }

    let shards: [GuardedShard]
    let ledger: Locked<Ledger>
    let wallClock: WallClock
    let timeToLive: Double?

    init(options: MemoryCacheOptions, wallClock: WallClock) {
        shards = (0..<16).map { _ in GuardedShard() }
        ledger = Locked(Ledger(limits: CacheLimits(options)))
        self.wallClock = wallClock
        timeToLive = options.timeToLive.map { $0 / .seconds(1) }
    }

    func shardIndex(of key: CacheKey) -> Int { Int(truncatingIfNeeded: key.high) & 15 }

    func shard(of key: CacheKey) -> GuardedShard { shards[shardIndex(of: key)] }

    // MARK: Reading

    @usableFromInline func read(_ key: CacheKey, acceptsPreview: Bool, countsMiss: Bool = true) -> CacheItem? {
        let reading = shard(of: key).withLock {
            $0.read(key, acceptsPreview: acceptsPreview, countsMiss: countsMiss) { wallClock.now }
        }
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
}

/// The facts about a value. The value itself is added by `MemoryCache`, which alone knows its type.
@usableFromInline class CacheItem {
    final let key: CacheKey
    final let cost: Int
    /// By the wall clock, in seconds; infinity for never.
    final let expires: Double
    @usableFromInline final let isPreview: Bool

    init(key: CacheKey, cost: Int, expires: Double, isPreview: Bool) {
        self.key = key
        self.cost = cost
        self.expires = expires
        self.isPreview = isPreview
    }
}
