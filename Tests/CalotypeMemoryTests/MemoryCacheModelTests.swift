import CalotypeMemory
import CalotypeTesting
import Testing

/// The cache's promises over a plain array: slow, and easy to verify. See `SieveQueue` for the rules.
private struct CacheModel {
    struct Entry { var key, cost: Int, isVisited = false, isFresh = true, idleRounds = 0 }

    /// The entries, oldest first. Hand and broom are positions in it; `entries.count` means beyond the newest.
    var entries: [Entry] = []
    var hand = Int.max
    var broom = Int.max
    var arrivalsToNextRound = 0
    var costLimit: Int
    var countLimit: Int

    var cost: Int { entries.reduce(0) { $0 + $1.cost } }

    mutating func read(_ key: Int) -> Int? {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
        touch(index)
        return entries[index].cost
    }

    mutating func touch(_ index: Int) {
        entries[index].idleRounds = 0
        if !entries[index].isFresh { entries[index].isVisited = true }
    }

    mutating func store(_ key: Int, cost: Int) {
        guard cost <= costLimit else { return remove(key) }
        if let index = entries.firstIndex(where: { $0.key == key }) {
            makeRoom(cost: costLimit - max(cost - entries[index].cost, 0), count: countLimit, sparing: key)
            guard let index = entries.firstIndex(where: { $0.key == key }) else { return }
            entries[index].cost = cost
            touch(index)
        } else {
            if self.cost > costLimit - cost || entries.count > countLimit - 1 { sweep() }
            makeRoom(cost: costLimit - cost, count: countLimit - 1)
            entries.append(Entry(key: key, cost: cost))
            // "Beyond the newest" does not mean the new entry.
            if hand == entries.count - 1 { hand = .max }
            if broom == entries.count - 1 { broom = .max }
            while entries.count(where: \.isFresh) > entries.count / 32 {
                guard let settled = entries.firstIndex(where: \.isFresh) else { return }
                entries[settled].isFresh = false
            }
        }
    }

    mutating func sweep() {
        arrivalsToNextRound -= 1
        if broom >= entries.count || broom == hand, arrivalsToNextRound <= 0 {
            broom = 0
            arrivalsToNextRound = entries.count
        }
        guard broom < entries.count, broom != hand else { return }
        entries[broom].idleRounds += 1
        if entries[broom].idleRounds >= 10 { remove(at: broom) } else { broom += 1 }
    }

    mutating func makeRoom(cost: Int, count: Int, sparing spared: Int? = nil) {
        while self.cost > cost || entries.count > count, !entries.isEmpty {
            let candidate = hand < entries.count ? hand : 0
            if entries[candidate].key != spared, !entries[candidate].isVisited {
                hand = candidate
                remove(at: candidate)
            } else {
                if entries[candidate].key != spared { entries[candidate].isVisited = false }
                hand = candidate + 1 < entries.count ? candidate + 1 : .max
            }
        }
    }

    mutating func remove(_ key: Int) {
        if let index = entries.firstIndex(where: { $0.key == key }) { remove(at: index) }
    }

    mutating func remove(at index: Int) {
        entries.remove(at: index)
        hand = Self.moved(hand, removed: index, count: entries.count)
        broom = Self.moved(broom, removed: index, count: entries.count)
    }

    /// Hand and broom stay on their entry, or move on to the next newer one.
    static func moved(_ place: Int, removed index: Int, count: Int) -> Int {
        guard place != .max else { return place }
        let moved = index < place ? place - 1 : place
        return moved < count ? moved : .max
    }
}

@Suite struct MemoryCacheModelTests {
    @Test(arguments: [(1, 3, 500), (2, 10, 1000), (3, 40, 2000), (4, 200, 4000)])
    func `the cache does what a simple model does`(seed: UInt64, size: Int, operations: Int) {
        var random = SplitMix(seed: seed)
        let options = MemoryCacheOptions(costLimit: size * 10, countLimit: size, entryCostLimit: .max)
        let cache = MemoryCache<Int>(options: options) { $0 }
        var model = CacheModel(costLimit: size * 10, countLimit: size)
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
