/// How much a memory cache keeps, and for how long. Limits below 0 count as 0.
public struct MemoryCacheOptions: Sendable {
    /// The sum of costs to keep, for images in bytes. 15 % of the memory that this process may use, 768 MB at most.
    /// 0 keeps nothing.
    public var costLimit = MemoryCacheOptions.defaultCostLimit

    /// The number of entries to keep. 1,000,000, so that entries without a cost are bounded as well. 0 keeps nothing.
    public var countLimit = 1_000_000

    /// The largest cost of a single entry. Nil, the default: a tenth of `costLimit`, so that one large image does not
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

/// Limits as they apply: no negative ones, and the entry's filled in.
struct CacheLimits {
    private(set) var cost: Int
    private(set) var count: Int
    private var chosenEntryCost: Int?

    init(_ options: MemoryCacheOptions) {
        cost = max(options.costLimit, 0)
        count = Self.count(options.countLimit)
        chosenEntryCost = options.entryCostLimit
    }

    var entryCost: Int { max(min(chosenEntryCost ?? cost / 10, cost), 0) }
    var keepsNothing: Bool { cost == 0 || count == 0 }

    mutating func setCost(_ limit: Int) { cost = max(limit, 0) }

    mutating func setCount(_ limit: Int) { count = Self.count(limit) }

    mutating func setEntryCost(_ limit: Int) { chosenEntryCost = limit }

    /// The queue counts in 32 bits.
    private static func count(_ limit: Int) -> Int { min(max(limit, 0), Int(Int32.max)) }
}
