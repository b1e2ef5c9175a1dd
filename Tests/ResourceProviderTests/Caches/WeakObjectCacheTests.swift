import Requirements
import ResourceProvider
import Testing

private final class Object: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
}

struct WeakObjectCacheTests {
    @Test(.requirement("S3.15")) func `a hit while somebody holds the object, gone after`() {
        let cache = WeakObjectCache<String, Object>()
        var object: Object? = Object(1)
        if let object { cache.store(value: object, for: "a") }
        #expect(cache["a"]?.number == 1)
        object = nil
        #expect(cache["a"] == nil)
    }

    @Test(.requirement("S3.15")) func `values it is made with are found, and held weakly as well`() {
        var object: Object? = Object(1)
        let cache = object.map { WeakObjectCache(preloadedValues: ["a": $0]) } ?? WeakObjectCache()
        #expect(cache["a"]?.number == 1)
        object = nil
        #expect(cache["a"] == nil)
    }

    @Test(.requirement("D3.15")) func `what is left of dead objects does not grow`() {
        let cache = WeakObjectCache<Int, Object>()
        let kept = Object(0)
        cache.store(value: kept, for: -1)
        for id in 0..<10_000 { cache.store(value: Object(id), for: id) }
        let report = cache.report
        #expect(report.count == 1)
        #expect(report.evictions == 10_000)
        #expect(cache[-1] === kept)
    }

    /// An identifier with a reference used to be released under the cache's lock, on which its `deinit` deadlocked.
    @Test(.timeLimit(.minutes(1)))
    func `an identifier may use the cache when it goes, whatever made it go`() {
        let cache = WeakObjectCache<ChattyID, Object>()
        let kept = Object(0)
        func fill() {
            for number in 0..<200 {
                cache.store(value: Object(number), for: ChattyID(number) { [weak cache] in _ = cache?.report })
            }
        }
        fill()
        cache.store(value: kept, for: ChattyID(-1) { [weak cache] in _ = cache?.report })
        #expect(cache.report.count == 1)
        fill()
        for number in 0..<100 { cache.removeValue(for: ChattyID(number) {}) }
        cache.removeAll()
        #expect(cache.report.count == 0)
    }

    @Test(.requirement("S3.15")) func `made async it is read by many tasks, and at once`() async {
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
