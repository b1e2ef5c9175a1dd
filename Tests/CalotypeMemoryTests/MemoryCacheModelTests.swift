import CalotypeMemory
import Testing

/// SIEVE over a plain array, as in the paper: slow, and easy to see through.
private struct SieveModel {
    struct Entry { var key, cost: Int, isVisited = false }

    /// The oldest first.
    var entries: [Entry] = []
    var hand = 0
    var costLimit: Int
    var countLimit: Int

    var cost: Int { entries.reduce(0) { $0 + $1.cost } }

    mutating func read(_ key: Int) -> Int? {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
        entries[index].isVisited = true
        return entries[index].cost
    }

    mutating func store(_ key: Int, cost: Int) {
        guard cost <= costLimit, countLimit > 0, costLimit > 0 else { return remove(key) }
        if let index = entries.firstIndex(where: { $0.key == key }) {
            makeRoom(cost: costLimit - max(cost - entries[index].cost, 0), count: countLimit, sparing: key)
            guard let index = entries.firstIndex(where: { $0.key == key }) else { return }
            entries[index] = Entry(key: key, cost: cost, isVisited: true)
        } else {
            makeRoom(cost: costLimit - cost, count: countLimit - 1)
            // A hand beyond the newest has gone around: it does not start with the entry that comes now.
            if hand >= entries.count { hand = 0 }
            entries.append(Entry(key: key, cost: cost))
        }
    }

    mutating func makeRoom(cost: Int, count: Int, sparing spared: Int? = nil) {
        while self.cost > cost || entries.count > count, !entries.isEmpty {
            if hand >= entries.count { hand = 0 }
            if entries[hand].key == spared {
                hand += 1
            } else if entries[hand].isVisited {
                entries[hand].isVisited = false
                hand += 1
            } else {
                entries.remove(at: hand)
            }
        }
    }

    mutating func remove(_ key: Int) {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return }
        entries.remove(at: index)
        // The hand stays on its entry.
        if index < hand { hand -= 1 }
        if hand >= entries.count { hand = 0 }
    }
}

@Suite struct MemoryCacheModelTests {
    @Test(arguments: [(1, 3, 60), (2, 10, 100), (3, 40, 300), (4, 200, 2000), (5, 1000, 3000)])
    func `the cache does what a simple model does`(seed: UInt64, size: Int, operations: Int) {
        var random = SplitMix(seed: seed)
        let options = MemoryCacheOptions(costLimit: size * 10, countLimit: size, entryCostLimit: .max)
        let cache = MemoryCache<Int>(options: options) { $0 }
        var model = SieveModel(costLimit: size * 10, countLimit: size)
        let keys = (0..<size * 3).map { CacheKey("\($0)") }

        for _ in 0..<operations {
            let key = Int.random(in: 0..<keys.count, using: &random)
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<45: #expect(cache.value(for: keys[key]) == model.read(key))
            case 45..<90:
                let cost = Int.random(in: 0...20, using: &random)
                cache.store(value: cost, for: keys[key])
                model.store(key, cost: cost)
            case 90..<96:
                cache.remove(for: keys[key])
                model.remove(key)
            case 96..<98:
                let limit = Int.random(in: 1...size * 10, using: &random)
                cache.costLimit = limit
                model.costLimit = limit
                model.makeRoom(cost: limit, count: model.countLimit)
            default:
                let cost = Int.random(in: 1...size * 10, using: &random)
                cache.trim(toCost: cost)
                model.makeRoom(cost: cost, count: .max)
            }
            let statistics = cache.statistics
            #expect(statistics.cost == model.cost)
            #expect(statistics.count == model.entries.count)
            #expect(statistics.cost <= cache.costLimit && statistics.count <= size)
        }
        for (key, cacheKey) in keys.enumerated() { #expect(cache.value(for: cacheKey) == model.read(key)) }
    }
}
