/// The limits of a memory cache, and the lifetime of its entries. Limits below 0 count as 0.
public struct MemoryCacheOptions: Sendable {
    /// The maximum total cost; for images, in bytes. The default is 15 % of the memory available to this process, at
    /// most 768 MiB. 0 disables the cache.
    public var costLimit = MemoryCacheOptions.defaultCostLimit

    /// The maximum number of entries, with or without a cost. The default is 1,000,000. 0 disables the cache.
    public var countLimit = 1_000_000

    /// The maximum cost of a single entry. If `nil` (the default), a tenth of `costLimit`, so that one large image does
    /// not evict everything else. The cache rejects values above this cost, counts them in its statistics, and reports
    /// them to `onRejection`.
    public var entryCostLimit: Int?

    /// The time for which an entry may be read. If `nil` (the default), until it is evicted.
    public var timeToLive: Duration?

    /// Creates options with the documented defaults for omitted arguments.
    public init(
        costLimit: Int = MemoryCacheOptions.defaultCostLimit, countLimit: Int = 1_000_000, entryCostLimit: Int? = nil,
        timeToLive: Duration? = nil
    ) {
        self.costLimit = costLimit
        self.countLimit = countLimit
        self.entryCostLimit = entryCostLimit
        self.timeToLive = timeToLive
    }

    /// 15 % of the memory available to this process, at most 768 MiB, in bytes.
    public static let defaultCostLimit = share(ofMemory: PhysicalMemory.limit())

    package static func share(ofMemory bytes: Int) -> Int { min(bytes / 100 * 15, 768 << 20) }
}

/// The limits in effect, none of them negative.
struct CacheLimits {
    var options: MemoryCacheOptions

    var cost: Int { max(options.costLimit, 0) }
    /// At most `Int32.max`, the limit of the queue.
    var count: Int { min(max(options.countLimit, 0), Int(Int32.max)) }
    var entryCost: Int { max(min(options.entryCostLimit ?? cost / 10, cost), 0) }
    var keepsNothing: Bool { cost == 0 || count == 0 }
}
