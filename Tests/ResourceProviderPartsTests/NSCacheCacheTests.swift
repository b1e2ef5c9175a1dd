import Foundation
import Requirements
import ResourceProvider
import ResourceProviderParts
import Testing

private final class Key: NSObject, Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
    override var hash: Int { number }
    override func isEqual(_ object: Any?) -> Bool { (object as? Key)?.number == number }
}

private final class Object: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
}

struct NSCacheCacheTests {
    @Test(.requirement("S3.27")) func `an NSCache serves as a cache of the algebra, in an async chain and at once`()
        async
    {
        let cache = NSCacheCache<Key, Object>()
        let provider = Provider.source { (key: Key) async in Object(key.number) }.cache(cache.makeAsync())
        let first = await provider.value(for: Key(1))
        #expect(await provider.value(for: Key(1)) === first)
        #expect(provider.immediateValue(for: Key(1)) === first)
        cache.removeValue(for: Key(1))
        #expect(cache[Key(1)] == nil)
    }

    @Test(.requirement("D3.15")) func `told what values cost, it keeps to the limit`() {
        let bounded = NSCache<Key, Object>()
        bounded.totalCostLimit = 10
        let cache = NSCacheCache(preexistingCache: bounded) { $0.number }
        cache.store(value: Object(8), for: Key(1))
        cache.store(value: Object(8), for: Key(2))
        #expect([cache[Key(1)], cache[Key(2)]].compactMap(\.self).count == 1)
    }
}
