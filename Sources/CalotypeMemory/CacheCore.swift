import CalotypeBase

/// The implementation of `MemoryCache`, independent of the type of the values so that it is compiled only once.
///
/// A read locks one of sixteen shards for a few nanoseconds, so that reads on many threads rarely collide. A write
/// locks the ledger, which contains the order of all entries and their total cost, and meanwhile one shard at a time.
/// Limits are therefore exact, and eviction considers the entries of all shards.
///
/// Removed items are released outside the locks, because a value's deinit may run any code.
@usableFromInline final class CacheCore: Sendable {
    struct Ledger {
        var limits: CacheLimits
        var queue = EntryQueue()
        var cost = 0
        var evictions = 0
        var expirations = 0
        var rejections = 0
    }

    let shards: [Locked<CacheShard>]
    let ledger: Locked<Ledger>
    let wallClock: WallClock
    let timeToLive: Double?

    init(options: MemoryCacheOptions, wallClock: WallClock) {
        shards = (0..<16).map { _ in Locked(CacheShard()) }
        ledger = Locked(Ledger(limits: CacheLimits(options: options)))
        self.wallClock = wallClock
        timeToLive = options.timeToLive.map { $0 / .seconds(1) }
    }

    func shardIndex(of key: CacheKey) -> Int { Int(truncatingIfNeeded: key.high) & 15 }

    func shard(of key: CacheKey) -> Locked<CacheShard> { shards[shardIndex(of: key)] }

    @usableFromInline func read(_ key: CacheKey, acceptsPreview: Bool, countsMiss: Bool) -> CacheItem? {
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

    /// Removes the entry if it is still expired: another thread may have replaced it since the read.
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

/// The metadata of a cached value. The subclass `MemoryCache.Item` adds the value.
@usableFromInline class CacheItem {
    final let key: CacheKey
    final let cost: Int
    /// The expiry time, in seconds of the wall clock; infinity if the entry does not expire.
    final let expires: Double
    @usableFromInline final let isPreview: Bool

    init(key: CacheKey, cost: Int, expires: Double, isPreview: Bool) {
        self.key = key
        self.cost = cost
        self.expires = expires
        self.isPreview = isPreview
    }
}
