import ResourceProvider
import Testing

private final class Object: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
}

struct WeakObjectCacheTests {
    @Test("S3.15: a hit while somebody holds the object, gone after")
    func weak() {
        let cache = WeakObjectCache<String, Object>()
        var object: Object? = Object(1)
        if let object { cache.store(value: object, for: "a") }
        #expect(cache["a"]?.number == 1)
        object = nil
        #expect(cache["a"] == nil)
    }

    @Test("S3.15: values it is made with are found, and held weakly as well")
    func preloaded() {
        var object: Object? = Object(1)
        let cache = object.map { WeakObjectCache(preloadedValues: ["a": $0]) } ?? WeakObjectCache()
        #expect(cache["a"]?.number == 1)
        object = nil
        #expect(cache["a"] == nil)
    }

    @Test("D3.15: what is left of dead objects does not grow")
    func pruned() {
        let cache = WeakObjectCache<Int, Object>()
        let kept = Object(0)
        cache.store(value: kept, for: -1)
        for id in 0..<10_000 { cache.store(value: Object(id), for: id) }
        let report = cache.report
        #expect(report.count == 1)
        #expect(report.evictions == 10_000)
        #expect(cache[-1] === kept)
    }

    @Test("S3.15: made async it is read by many tasks, and at once")
    func makeAsync() async {
        let object = Object(7)
        let cache = WeakObjectCache<Int, Object>().makeAsync()
        let tasks = (0..<100).map { id in
            Task {
                await cache.store(value: object, for: id % 10)
                return await cache.value(for: id % 10)?.number
            }
        }
        for task in tasks { #expect(await task.value == 7) }
        #expect(cache.immediateValue(for: 3) === object)
        await cache.removeAll()
        #expect(await cache.report.count == 0)
    }
}
