import CalotypeMemory
import CalotypeTesting
import Foundation
import Testing

/// The hit ratio of the cache relative to LRU of the same size, for access patterns of image viewers.
@Suite struct HitRatioTests {
    @Test func `Zipf: a few images are asked for most of the time`() {
        var zipf = Zipf(count: 10_000, exponent: 0.9, seed: 1)
        let trace = (0..<60_000).map { _ in zipf.next() }
        #expect(ratio(trace, limit: 500) >= 1.05)
    }

    @Test func `Zipf and scan: somebody pages through everything meanwhile`() {
        var zipf = Zipf(count: 10_000, exponent: 0.9, seed: 2)
        let trace = (0..<60_000).map { step in step % 2 == 0 ? zipf.next() : 100_000 + step }
        #expect(ratio(trace, limit: 500) >= 1.2)
    }

    @Test func `scrolling down and up again`() {
        let down = Array(0..<2000)
        let trace = (0..<10).flatMap { _ in down + down.reversed() }
        #expect(ratio(trace, limit: 500) >= 1.0)
    }

    @Test func `scrolling down and up again, where cells come into view twice`() {
        let down = (0..<2000).flatMap { row in row % 2 == 0 ? [row] : [row, max(row - 5, 0)] }
        let trace = (0..<10).flatMap { _ in down + down.reversed() }
        #expect(ratio(trace, limit: 500) >= 0.999)
    }

    @Test func `popularity that shifts`() {
        var zipf = Zipf(count: 10_000, exponent: 0.9, seed: 3)
        let trace = (0..<60_000).map { step in zipf.next() + step / 6000 * 500 }
        #expect(ratio(trace, limit: 500) >= 0.9)
    }

    private func ratio(_ trace: [Int], limit: Int) -> Double {
        let cache = MemoryCache<Int>(options: MemoryCacheOptions(costLimit: limit, entryCostLimit: 1)) { _ in 1 }
        var lru = LRUCache(limit: limit)
        var hits = 0
        for key in trace {
            if lru.touch(key) { hits += 1 }
            let cacheKey = CacheKey("\(key)")
            if cache.value(for: cacheKey) == nil { cache.store(value: key, for: cacheKey) }
        }
        return Double(cache.statistics.hits) / Double(hits)
    }
}

/// Numbers of which the n-th is drawn in proportion to 1/n^exponent.
private struct Zipf {
    private var random: SplitMix
    private var sums: [Double] = []

    init(count: Int, exponent: Double, seed: UInt64) {
        random = SplitMix(seed: seed)
        var sum = 0.0
        for rank in 1...count {
            sum += 1 / pow(Double(rank), exponent)
            sums.append(sum)
        }
    }

    mutating func next() -> Int {
        let draw = Double.random(in: 0..<(sums.last ?? 1), using: &random)
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] > draw { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
