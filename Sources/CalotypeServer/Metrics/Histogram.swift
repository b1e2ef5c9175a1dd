/// The layout of a histogram of times in ``ShardedCounters``: a cell for each bucket, one beyond the last bound, and the
/// sum in nanoseconds.
package struct Histogram: Sendable {
    /// The upper bounds of the buckets, in nanoseconds: from half a millisecond to 15 seconds.
    private static let bounds: [UInt64] = [
        500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000,
        500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000, 15_000_000_000,
    ]
    static let cellCount = bounds.count + 2

    let first: Int

    func add(_ nanoseconds: UInt64, to shard: ShardedCounters.Shard) {
        var bucket = 0
        while bucket < Self.bounds.count, nanoseconds > Self.bounds[bucket] { bucket += 1 }
        shard.add(to: first + bucket)
        shard.add(Int(clamping: nanoseconds), to: first + Self.bounds.count + 1)
    }

    func values(in counters: ShardedCounters) -> Values {
        var count = 0
        let buckets = Self.bounds.indices.map { index in
            count += counters[first + index]
            return (bound: Double(Self.bounds[index]) / 1e9, count: count)
        }
        return Values(
            buckets: buckets, count: count + counters[first + Self.bounds.count],
            sum: Double(counters[first + Self.bounds.count + 1]) / 1e9)
    }

    /// A histogram's contents, in seconds.
    package struct Values: Sendable {
        /// The upper bound of each bucket, and the number of times up to it.
        package let buckets: [(bound: Double, count: Int)]
        package let count: Int
        package let sum: Double
    }
}
