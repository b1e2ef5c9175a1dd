import CalotypeBase
import CalotypeMemory
import CalotypeTesting
import Requirements
import Testing

@Suite struct MemoryCacheTests {
    /// Returns a cache of numbers that cost their value, in which one entry may take the whole limit.
    private func cache(
        cost: Int = 30, count: Int = 1000, entryCost: Int? = nil, timeToLive: Duration? = nil,
        wallClock: WallClock = .system,
        onRejection: @escaping @Sendable (CacheKey, Int) -> Void = { _, _ in }
    ) -> MemoryCache<Int> {
        let options = MemoryCacheOptions(
            costLimit: cost, countLimit: count, entryCostLimit: entryCost ?? cost, timeToLive: timeToLive)
        return MemoryCache(options: options, wallClock: wallClock, onRejection: onRejection) { $0 }
    }

    private let a = CacheKey("a")
    private let b = CacheKey("b")
    private let c = CacheKey("c")
    private let d = CacheKey("d")

    @Test(.requirement("B26")) func `what exceeds the cost goes at once, the oldest first`() {
        let cache = cache(cost: 30)
        for key in [a, b, c, d] { #expect(cache.store(value: 10, for: key)) }
        #expect(cache.statistics.cost == 30)
        #expect(cache.statistics.evictions == 1)
        #expect(cache.value(for: a) == nil)
        for key in [b, c, d] { #expect(cache.value(for: key) == 10) }
    }

    @Test(.requirement("B26")) func `what exceeds the count goes at once, the oldest first`() {
        let cache = cache(count: 3)
        for key in [a, b, c, d] { cache.store(value: 1, for: key) }
        #expect(cache.statistics.count == 3)
        #expect(cache.value(for: a) == nil)
        #expect(cache.value(for: b) == 1)
    }

    @Test(.requirement("B26")) func `a read protects an entry`() {
        let cache = cache(cost: 30)
        for key in [a, b, c] { cache.store(value: 10, for: key) }
        _ = cache.value(for: a)
        cache.store(value: 10, for: d)
        #expect(cache.value(for: a) == 10)
        #expect(cache.value(for: b) == nil)
    }

    @Test(.requirement("B26")) func `a large value pushes out as many as it needs`() {
        let cache = cache(cost: 30)
        for key in [a, b, c] { cache.store(value: 10, for: key) }
        cache.store(value: 15, for: d)
        #expect(cache.statistics.count == 2)
        #expect(cache.statistics.cost == 25)
        #expect(cache.value(for: c) == 10)
    }

    @Test(.requirement("B27")) func `overwriting keeps the total cost right`() {
        let cache = cache(cost: 30)
        cache.store(value: 10, for: a)
        cache.store(value: 4, for: a)
        #expect(cache.value(for: a) == 4)
        #expect(cache.statistics.cost == 4)
        #expect(cache.statistics.count == 1)
        cache.store(value: 10, for: b)
        cache.store(value: 25, for: a)
        #expect(cache.statistics.cost == 25)
        #expect(cache.value(for: a) == 25)
        #expect(cache.value(for: b) == nil)
    }

    @Test(.requirement("B27")) func `growing never pushes out the entry that grows`() {
        let cache = cache(cost: 30)
        for key in [a, b, c] { cache.store(value: 10, for: key) }
        for key in [b, c] { _ = cache.value(for: key) }
        cache.store(value: 30, for: a)
        #expect(cache.value(for: a) == 30)
        #expect(cache.statistics.cost == 30)
        #expect(cache.statistics.count == 1)
    }

    @Test(.requirement("B28")) func `a limit of 0 keeps nothing`() {
        for cache in [cache(cost: 0), cache(count: 0), cache(cost: -5)] {
            #expect(!cache.store(value: 0, for: a))
            #expect(!cache.store(value: 3, for: a))
            #expect(cache.value(for: a) == nil)
            #expect(cache.statistics.rejections == 0)
        }
    }

    @Test(.requirement("B28")) func `lowering a limit trims now`() {
        let cache = cache(cost: 30)
        for key in [a, b, c] { cache.store(value: 10, for: key) }
        cache.costLimit = 20
        #expect(cache.statistics.cost == 20)
        cache.countLimit = 1
        #expect(cache.statistics.count == 1)
        #expect(cache.value(for: c) == 10)
        cache.costLimit = 0
        #expect(cache.statistics.count == 0)
        #expect(cache.costLimit == 0 && cache.countLimit == 1)
    }

    @Test(.requirement("B28")) func `a limit of 0 also ends entries that cost nothing`() {
        let cache = cache()
        cache.store(value: 0, for: a)
        cache.costLimit = 0
        #expect(cache.statistics.count == 0)
    }

    @Test(.requirement("B29")) func `an entry above its limit is not kept, counted and reported`() {
        let reported = Locked<[(key: CacheKey, cost: Int)]>([])
        let cache = cache(cost: 30, entryCost: 9) { key, cost in reported.withLock { $0.append((key, cost)) } }
        #expect(!cache.store(value: 10, for: a))
        #expect(cache.store(value: 9, for: b))
        #expect(cache.statistics.rejections == 1)
        #expect(reported.withLock { $0 }.map(\.key) == [a])
        #expect(reported.withLock { $0 }.map(\.cost) == [10])
    }

    @Test(.requirement("B29")) func `one entry may cost a tenth unless told otherwise`() {
        let cache = MemoryCache<Int>(options: MemoryCacheOptions(costLimit: 1000)) { $0 }
        #expect(cache.entryCostLimit == 100)
        #expect(!cache.store(value: 101, for: a))
        #expect(cache.store(value: 100, for: a))
        cache.costLimit = 2000
        #expect(cache.entryCostLimit == 200)
        cache.entryCostLimit = 5000
        #expect(cache.entryCostLimit == 2000)
    }

    @Test func `a value too large to keep ends the one that it was to replace`() {
        let cache = cache(cost: 30, entryCost: 10)
        cache.store(value: 10, for: a)
        cache.store(value: 11, for: a)
        #expect(cache.value(for: a) == nil)
        #expect(cache.statistics.cost == 0)
    }

    @Test(.requirement("B30")) func `a read finds an entry too old and removes it`() {
        let clock = ManualClock()
        let cache = cache(timeToLive: .seconds(60), wallClock: clock.wall)
        cache.store(value: 10, for: a)
        clock.advance(by: .seconds(59))
        #expect(cache.value(for: a) == 10)
        cache.store(value: 5, for: b)
        clock.advance(by: .seconds(1))
        #expect(cache.statistics.count == 2)
        #expect(cache.value(for: a) == nil)
        #expect(cache.value(for: b) == 5)
        #expect(cache.statistics.cost == 5)
        #expect(cache.statistics.expirations == 1)
        cache.store(value: 7, for: a)
        #expect(cache.value(for: a) == 7)
    }

    @Test(.requirement("B30")) func `entries do not grow old by default`() {
        let clock = ManualClock()
        let cache = cache(wallClock: clock.wall)
        cache.store(value: 1, for: a)
        clock.advance(by: .seconds(1_000_000_000))
        #expect(cache.value(for: a) == 1)
    }

    @Test(.requirement("B31")) func `memory pressure halves what is kept`() {
        let cache = cache(cost: 40)
        for key in [a, b, c, d] { cache.store(value: 10, for: key) }
        cache.shrink()
        #expect(cache.statistics.cost == 20)
        #expect(cache.value(for: d) == 10)
        #expect(cache.costLimit == 40)
        cache.trim(toCost: 0)
        #expect(cache.statistics.count == 0)
    }

    @Test(.requirement("B32")) func `reads are synchronous, on the caller's thread`() {
        // The proof is that this compiles: there is no `await`, and the function is not async.
        let cache = cache()
        cache.store(value: 1, for: a)
        let value: Int? = cache.value(for: a)
        #expect(value == 1)
    }

    @Test(.requirement("B33")) func `previews are flagged and never replace a final value`() {
        let cache = cache()
        #expect(cache.store(value: 1, for: a, isPreview: true))
        #expect(cache.value(for: a) == nil)
        #expect(cache.entry(for: a)?.value == 1)
        #expect(cache.entry(for: a)?.isPreview == true)
        #expect(cache.store(value: 2, for: a, isPreview: true))
        #expect(cache.entry(for: a)?.value == 2)
        #expect(cache.store(value: 3, for: a))
        #expect(!cache.store(value: 4, for: a, isPreview: true))
        #expect(cache.value(for: a) == 3)
        #expect(cache.entry(for: a)?.isPreview == false)
    }

    @Test(.requirement("B33")) func `a preview may take the place of a final value that is too old`() {
        let clock = ManualClock()
        let cache = cache(timeToLive: .seconds(1), wallClock: clock.wall)
        cache.store(value: 3, for: a)
        clock.advance(by: .seconds(2))
        #expect(cache.store(value: 1, for: a, isPreview: true))
        #expect(cache.entry(for: a)?.isPreview == true)
    }

    @Test func `removing takes the cost along`() {
        let cache = cache()
        for key in [a, b, c] { cache.store(value: 5, for: key) }
        cache.remove(for: b)
        cache.remove(for: d)
        #expect(cache.statistics.cost == 10)
        #expect(cache.value(for: b) == nil)
        cache.removeAll()
        #expect(cache.statistics.count == 0 && cache.statistics.cost == 0)
        #expect(cache.store(value: 30, for: b))
    }

    @Test func `hits and misses are counted`() {
        let cache = cache()
        #expect(cache.statistics.hitRatio == 0)
        cache.store(value: 1, for: a)
        for key in [a, a, a, b] { _ = cache.value(for: key) }
        #expect(cache.statistics.hits == 3)
        #expect(cache.statistics.misses == 1)
        #expect(cache.statistics.hitRatio == 0.75)
    }

    @Test func `limits and costs of any size do not overflow`() {
        let cache = cache(cost: .max, count: .max)
        for key in [a, b, c] { cache.store(value: .max, for: key) }
        #expect(cache.statistics.count == 1)
        cache.store(value: .min, for: d)
        cache.store(value: 1, for: c)
        #expect(cache.statistics.cost == 1)
    }

    @Test func `a value's deinit may use the cache`() {
        final class Nosy: Sendable {
            let onEnd: @Sendable () -> Void
            init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
            deinit { onEnd() }
        }
        let options = MemoryCacheOptions(costLimit: 2, entryCostLimit: 2)
        let cache = MemoryCache<Nosy>(options: options) { _ in 1 }
        let ended = Locked(0)
        for index in 0..<20 {
            let nosy = Nosy { [weak cache] in
                ended.withLock { $0 += 1 }
                _ = cache?.statistics
                cache?.remove(for: CacheKey("none"))
            }
            cache.store(value: nosy, for: CacheKey("\(index % 7)"))
        }
        cache.store(value: Nosy {}, for: CacheKey("6"))
        cache.shrink()
        cache.removeAll()
        #expect(ended.withLock { $0 } == 20)
    }
}
