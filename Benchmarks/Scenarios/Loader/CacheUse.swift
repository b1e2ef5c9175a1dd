import CalotypeTesting

/// A pattern of reads from a cache of images.
struct CacheUse: Sendable {
    let name: String
    /// The maximum number of entries in the cache.
    let capacity: Int
    /// The required ratio of the cache's hits to LRU's.
    let bar: Double
    let reads: @Sendable (_ seed: UInt64) -> [Int]

    static let all = [zipf, scans, scrolling, unsteady, shifting]

    /// A few images are read often, many seldom, as on a server.
    private static let zipf = CacheUse(name: "zipf", capacity: 1000, bar: 1.05) { seed in
        var random = SplitMix(seed: seed)
        let keys = Zipf(count: 20_000, exponent: 0.9)
        return (0..<200_000).map { _ in keys.next(&random) }
    }

    /// A steeper distribution than `zipf`, with repeated runs of 2,000 images that are read only once.
    private static let scans = CacheUse(name: "zipf-scan", capacity: 1000, bar: 1.2) { seed in
        var random = SplitMix(seed: seed)
        let keys = Zipf(count: 20_000, exponent: 1)
        var fresh = 1_000_000
        var reads: [Int] = []
        while reads.count < 200_000 {
            for _ in 0..<2000 { reads.append(keys.next(&random)) }
            for _ in 0..<2000 {
                reads.append(fresh)
                fresh += 1
            }
        }
        return reads
    }

    /// A list of two to twenty times the cache's capacity, scrolled from top to bottom and back.
    private static let scrolling = CacheUse(name: "scroll", capacity: 500, bar: 1) { seed in
        let lengths = [1000, 2000, 3000, 5000, 10_000]
        let down = Array(0..<lengths[Int(seed) % lengths.count])
        return (0..<10).flatMap { _ in down + down.reversed() }
    }

    /// A list of four times the capacity, scrolled unsteadily: after about every other row, the row five above it is
    /// read again. Plain SIEVE, which does not ignore reads of the newest entries, reaches a third of LRU's hits here.
    private static let unsteady = CacheUse(name: "scroll-unsteady", capacity: 500, bar: 0.9) { seed in
        var random = SplitMix(seed: seed)
        return (0..<10).flatMap { _ in
            let down = (0..<2000).flatMap { row in Bool.random(using: &random) ? [row] : [row, max(row - 5, 0)] }
            return down + down.reversed()
        }
    }

    /// Popularity shifts: after every tenth of the reads, other images become the popular ones.
    private static let shifting = CacheUse(name: "shifting", capacity: 1000, bar: 0.9) { seed in
        var random = SplitMix(seed: seed)
        let keys = Zipf(count: 20_000, exponent: 0.9)
        return (0..<200_000).map { read in keys.next(&random) + read / 20_000 * 5000 }
    }
}
