import CalotypeBase

/// The contents of a memory cache, and its counters since it was created.
public struct MemoryCacheStatistics: Hashable, Sendable {
    /// Entries held, previews included.
    public var count = 0
    /// The sum of their costs.
    public var cost = 0
    /// Reads that were answered.
    public var hits = 0
    /// Reads that were not, for whatever reason.
    public var misses = 0
    /// Entries taken out to make room.
    public var evictions = 0
    /// Entries found too old by a read, and taken out.
    public var expirations = 0
    /// Values not kept because of their cost.
    public var rejections = 0

    /// Creates statistics of an empty cache.
    public init() {}

    /// Hits among all reads, 0 to 1; 0 before the first.
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
