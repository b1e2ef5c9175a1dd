/// How a cache does: what it holds, and what happened to it since it was made.
///
/// A cache that does not keep one of the counts leaves it at 0; one without a notion of cost leaves that nil.
public struct CacheReport: Hashable, Sendable {
    /// How many values it holds.
    public var count: Int
    /// The cost of the entries, in the cache's own unit, mostly bytes.
    public var cost: Int?
    /// Reads that found a value.
    public var hits = 0
    /// Reads that found none.
    public var misses = 0
    /// Values stored.
    public var stores = 0
    /// Values that had to make room.
    public var evictions = 0
    /// Values that it declined to store, for their size, say.
    public var rejections = 0
    /// Reads, writes and removals that failed. To the caller they were misses; here they can be told from those.
    public var failures = 0
    /// The description of the latest failure.
    public var lastFailure: String?

    /// Creates a report without counts of hits and misses.
    public init(count: Int, cost: Int? = nil) {
        self.count = count
        self.cost = cost
    }
}
