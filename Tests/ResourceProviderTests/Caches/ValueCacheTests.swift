import ResourceProvider
import Testing

/// A value that runs code when its last reference is released.
private final class ChattyValue {
    private let action: () -> Void
    init(atDeath action: @escaping () -> Void) { self.action = action }
    deinit { action() }
}

struct ValueCacheTests {
    @Test func `a cache without costs keeps as many values as its limit`() {
        let cache = ValueCache<Int, String>(limit: 3)
        for id in 0..<5 { cache.store(value: "\(id)", for: id) }
        #expect((0..<5).map { cache[$0] } == [nil, nil, "2", "3", "4"])
        let report = cache.report
        #expect(report.count == 3 && report.cost == 3 && report.stores == 5 && report.evictions == 2)
        #expect(report.hits == 3 && report.misses == 2)
    }

    @Test func `the costs of all values stay within the limit`() {
        let cache = ValueCache<Int, [UInt8]>(limit: 100) { $0.count }
        for id in 0..<50 {
            cache.store(value: Array(repeating: 1, count: 7 * id % 60), for: id)
            #expect((cache.report.cost ?? .max) <= 100)
        }
        cache.store(value: Array(repeating: 2, count: 100), for: 1)
        #expect(cache[1]?.count == 100)
        #expect(cache.report.count == 1)
    }

    @Test func `a value without a cost counts as 1, so that the number of values has a limit`() {
        let cache = ValueCache<Int, Int>(limit: 10) { _ in -1 }
        for id in 0..<1_000 { cache.store(value: id, for: id) }
        #expect(cache.report.count == 10 && cache.report.cost == 10)
    }

    @Test func `a value that was read outlives a pass over many others`() {
        let cache = ValueCache<Int, Int>(limit: 10)
        cache.store(value: 0, for: 0)
        for id in 1...100 {
            #expect(cache[0] == 0)
            cache.store(value: id, for: id)
        }
    }

    @Test func `a value beyond the limit is rejected, and the outdated one is gone`() {
        let cache = ValueCache<String, Int>(limit: 10) { $0 }
        cache.store(value: 4, for: "a")
        cache.store(value: 11, for: "a")
        #expect(cache["a"] == nil)
        #expect(cache.report.rejections == 1 && cache.report.count == 0 && cache.report.cost == 0)
    }

    @Test(arguments: [0, -1, .min]) func `a limit of 0 or less keeps nothing`(limit: Int) {
        let cache = ValueCache<Int, Int>(limit: limit)
        cache.store(value: 1, for: 1)
        #expect(cache[1] == nil && cache.limit == 0)
    }

    @Test func `costs near Int.max do not overflow`() {
        let cache = ValueCache<Int, Int>(limit: .max) { _ in .max / 2 }
        for id in 0..<3 { cache.store(value: id, for: id) }
        #expect(cache.report.count == 2)
    }

    @Test func `values are replaced and removed, one or all`() {
        let cache = ValueCache<Int, String>(limit: 10)
        for id in 0..<4 { cache.store(value: "old", for: id) }
        cache.store(value: "new", for: 1)
        cache.removeValue(for: 2)
        cache.removeValue(for: 9)
        #expect((0..<4).map { cache[$0] } == ["old", "new", nil, "old"])
        #expect(cache.report.count == 3 && cache.report.evictions == 0)
        cache.removeAll()
        #expect(cache[0] == nil && cache.report.count == 0 && cache.report.cost == 0)
        cache.store(value: "again", for: 0)
        #expect(cache[0] == "again")
    }

    @Test(.timeLimit(.minutes(1)))
    func `values and identifiers may use the cache when they go, whatever made them go`() {
        let cache = ValueCache<ChattyID, ChattyValue>(limit: 10)
        func store(_ number: Int) {
            cache.store(
                value: ChattyValue { [weak cache] in _ = cache?.report },
                for: ChattyID(number) { [weak cache] in _ = cache?.report })
        }
        for number in 0..<100 { store(number) }
        for number in 90..<100 { store(number) }
        for number in 90..<95 { cache.removeValue(for: ChattyID(number) {}) }
        #expect(cache.report.count == 5)
        for number in 0..<20 { store(number) }
        cache.removeAll()
        #expect(cache.report.count == 0)
    }

    @Test func `an async version is read by many tasks, and at once`() async {
        let cache = ValueCache<Int, Int>(limit: 100).makeAsync()
        let tasks = (0..<100).map { id in
            Task {
                await cache.store(value: id % 10, for: id % 10)
                return await cache.value(for: id % 10)
            }
        }
        for (id, task) in tasks.enumerated() { #expect(await task.value == id % 10) }
        #expect(cache.immediateValue(for: 3) == 3)
        #expect(await cache.report.count == 10)
    }
}
