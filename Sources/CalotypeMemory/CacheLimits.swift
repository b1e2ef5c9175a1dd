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
