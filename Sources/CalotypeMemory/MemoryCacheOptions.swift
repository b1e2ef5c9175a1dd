/// How much a memory cache keeps, and for how long. Limits below 0 count as 0.
public struct MemoryCacheOptions: Sendable {
    /// The sum of costs to keep, for images in bytes. 15 % of the memory that this process may use, 768 MB at most.
    /// 0 keeps nothing.
    public var costLimit = MemoryCacheOptions.defaultCostLimit

    /// The number of entries to keep. 1,000,000, so that entries without a cost are bounded as well. 0 keeps nothing.
    public var countLimit = 1_000_000

    /// The largest cost of a single entry. Nil, the default: a tenth of `costLimit`, so that one large picture does not
    /// push out everything else. Values above it are not kept; they are counted and reported.
    public var entryCostLimit: Int?

    /// How long after it was stored an entry may be read. Nil, the default: as long as there is room for it.
    public var timeToLive: Duration?

    /// Creates options; what is left out has the default that its property documents.
    public init(
        costLimit: Int = MemoryCacheOptions.defaultCostLimit, countLimit: Int = 1_000_000, entryCostLimit: Int? = nil,
        timeToLive: Duration? = nil
    ) {
        self.costLimit = costLimit
        self.countLimit = countLimit
        self.entryCostLimit = entryCostLimit
        self.timeToLive = timeToLive
    }

    /// 15 % of what `PhysicalMemory.limit()` says, 768 MB at most.
    public static let defaultCostLimit = share(ofMemory: PhysicalMemory.limit())

    package static func share(ofMemory bytes: Int) -> Int { min(bytes / 100 * 15, 768 << 20) }
}
