import CalotypeBase
import CalotypeMemory
import CalotypeTesting
import Requirements
import Testing

@Suite struct MemoryCacheConcurrencyTests {
    @Test(.requirement("B34")) func `reads, writes, removals and changing limits may meet`() async {
        let clock = ManualClock()
        let options = MemoryCacheOptions(costLimit: 500, entryCostLimit: 500, timeToLive: .seconds(5))
        let cache = MemoryCache<[Int]>(options: options, wallClock: clock.wall) { $0[0] }
        let keys = (0..<200).map { CacheKey("\($0)") }

        let tasks = (0..<8).map { task in
            Task.detached {
                var random = SplitMix(seed: UInt64(task))
                for step in 0..<2000 {
                    let index = Int.random(in: 0..<keys.count, using: &random)
                    switch Int.random(in: 0..<20, using: &random) {
                    case 0..<10:
                        if let value = cache.value(for: keys[index]) { #expect(value[1] == index) }
                    case 10..<17: cache.store(value: [step % 30, index], for: keys[index], isPreview: step % 5 == 0)
                    case 17: cache.remove(for: keys[index])
                    case 18: cache.costLimit = 300 + step % 200
                    default: #expect(cache.statistics.cost <= 500)
                    }
                    if step % 500 == 499 {
                        clock.advance(by: .seconds(1))
                        task == 0 ? cache.removeAll() : cache.shrink()
                    }
                }
            }
        }
        for task in tasks { await task.value }

        let statistics = cache.statistics
        #expect(statistics.cost <= cache.costLimit)
        let held = keys.compactMap { cache.entry(for: $0)?.value[0] }
        #expect(cache.statistics.cost == held.reduce(0, +))
        #expect(cache.statistics.count == held.count)
    }
}
