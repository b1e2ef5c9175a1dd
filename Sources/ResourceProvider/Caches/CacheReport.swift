/// The contents of a cache, and its statistics since its creation.
///
/// Counts that a cache does not collect remain 0.
public struct CacheReport: Hashable, Sendable {
    /// The number of values in the cache.
    public var count: Int
    /// The total cost of the entries in the cache's unit, usually bytes, or `nil` if the cache has no costs.
    public var cost: Int?
    /// The number of reads that found a value.
    public var hits = 0
    /// The number of reads that found no value.
    public var misses = 0
    /// The number of values stored.
    public var stores = 0
    /// The number of values evicted to make room.
    public var evictions = 0
    /// The number of values that the cache declined to store, for example because of their size.
    public var rejections = 0
    /// The number of failed reads, writes and removals. Callers see a failed read as a miss.
    public var failures = 0
    /// The description of the latest failure.
    public var lastFailure: String?

    /// Creates a report with zero for all counts but `count`.
    public init(count: Int, cost: Int? = nil) {
        self.count = count
        self.cost = cost
    }
}
