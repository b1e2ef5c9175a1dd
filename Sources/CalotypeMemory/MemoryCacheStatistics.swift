import CalotypeBase

/// The contents of a memory cache, and its counters since it was created.
public struct MemoryCacheStatistics: Hashable, Sendable {
    /// The number of entries, including previews.
    public var count = 0
    /// The total cost of the entries, in the unit of the cache's limits; for images, bytes.
    public var cost = 0
    /// The number of reads that returned a value.
    public var hits = 0
    /// The number of reads that returned no value, for whatever reason.
    public var misses = 0
    /// The number of entries evicted to satisfy a limit, or by `trim(toCost:)` or `shrink()`.
    public var evictions = 0
    /// The number of expired entries that a read has removed.
    public var expirations = 0
    /// The number of values rejected because of their cost.
    public var rejections = 0

    /// Creates statistics of an empty cache.
    public init() {}

    /// The fraction of reads that are hits, from 0 to 1; 0 if there are no hits.
    public var hitRatio: Double { hits == 0 ? 0 : Double(hits) / Double(hits + misses) }
}

extension CacheCore {
    var statistics: MemoryCacheStatistics {
        ledger.withLock { ledger in
            var statistics = MemoryCacheStatistics()
            statistics.count = ledger.queue.count
            statistics.cost = ledger.cost
            statistics.evictions = ledger.evictions
            statistics.expirations = ledger.expirations
            statistics.rejections = ledger.rejections
            for shard in shards {
                let (hits, misses) = shard.withLock { ($0.hits, $0.misses) }
                statistics.hits += hits
                statistics.misses += misses
            }
            return statistics
        }
    }
}
