import CalotypeMemory
import Foundation

extension Scenario {
    /// The quality of eviction: the cache should evict entries that are not read again. The figures are hit ratios.
    static let hitRatio = Scenario(
        name: "hit-ratio", summary: "reads that hit, by five kinds of use, with caches of the same size"
    ) { bench in
        for use in CacheUse.all {
            var samples: [(ours: Double, baseline: Double)] = []
            for seed in 0..<UInt64(bench.isQuick ? 5 : 9) {
                let reads = use.reads(seed)
                samples.append((sieve(reads, use.capacity) * 100, lru(reads, use.capacity) * 100))
            }
            bench.report("hit-ratio-\(use.name)", with: "LRU", unit: "%", bar: .atLeast(use.bar), samples)
        }
    }

    /// Returns the hit ratio of the library's cache, in which each entry costs 1.
    private static func sieve(_ reads: [Int], _ capacity: Int) -> Double {
        let cache = MemoryCache<Int>(options: MemoryCacheOptions(costLimit: capacity, entryCostLimit: 1)) { _ in 1 }
        let keys = Dictionary(uniqueKeysWithValues: Set(reads).map { ($0, CacheKey("\($0)")) })
        var hits = 0
        for read in reads {
            guard let key = keys[read] else { continue }
            if cache.value(for: key) != nil { hits += 1 } else { cache.store(value: read, for: key) }
        }
        return Double(hits) / Double(reads.count)
    }

    private static func lru(_ reads: [Int], _ capacity: Int) -> Double {
        var cache = LRUCache(limit: capacity)
        var hits = 0
        for read in reads where cache.touch(read) { hits += 1 }
        return Double(hits) / Double(reads.count)
    }
}
