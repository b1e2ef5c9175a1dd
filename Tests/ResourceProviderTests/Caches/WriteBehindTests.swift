import CalotypeBase
import CalotypeTesting
import TestSupport
import Requirements
import ResourceProvider
import Testing
import Waiting

struct WriteBehindTests {
    /// A cache whose stores wait at a gate.
    private struct SlowCache: AsyncCache {
        let gate = Gate()
        let memory = ProbeCache<Int, String>()
        let stores = Log<String>()

        func value(for id: Int) async -> String? { memory.value(for: id) }

        func store(value: String, for id: Int) async {
            await gate.wait()
            stores.add(value)
            memory.store(value: value, for: id)
        }
    }

    private let slow = SlowCache()

    @Test(.requirement("D3.8")) func `the value is returned before its store has ended`() async {
        let provider = Provider.source { (id: Int) async in "\(id)" }.cache(slow, writes: .behind(limit: 10))
        #expect(await provider.value(for: 1) == "1")
        #expect(slow.memory.values.isEmpty)
        slow.gate.open()
        await waitUntil { slow.memory.values == [1: "1"] }
    }

    @Test(.requirement("D3.8")) func `written through, the value is returned when it is stored`() async {
        let returned = Log<String>()
        let provider = Provider.source { (id: Int) async in "\(id)" }.cache(slow)
        let task = Task { returned.add(await provider.value(for: 1)) }
        await slow.gate.waitForWaiters(1)
        #expect(returned.entries.isEmpty)
        slow.gate.open()
        await task.value
        #expect(slow.memory.values == [1: "1"])
    }

    @Test(.requirement("B35")) func `what waits to be stored can be read, at once too`() async {
        let cache = WriteBehindCache(slow)
        await cache.store(value: "a", for: 1)
        #expect(cache.immediateValue(for: 1) == "a")
        #expect(await cache.value(for: 1) == "a")
        slow.gate.open()
        await cache.flush()
        #expect(cache.outstanding == 0)
        #expect(await cache.value(for: 1) == "a")
    }

    @Test(.requirement("B36")) func `stores for one identifier are done in order, and the last one stays`() async {
        let cache = WriteBehindCache(slow)
        await cache.store(value: "first", for: 1)
        await slow.gate.waitForWaiters(1)
        await cache.store(value: "overtaken", for: 1)
        await cache.store(value: "last", for: 1)
        #expect(cache.immediateValue(for: 1) == "last")
        slow.gate.open()
        await cache.flush()
        #expect(slow.stores.entries == ["first", "last"])
        #expect(slow.memory.values == [1: "last"])
    }

    @Test(.requirement("D3.8")) func `no more than the limit are outstanding; the next one waits`() async {
        let cache = WriteBehindCache(slow, limit: 2)
        await cache.store(value: "1", for: 1)
        await cache.store(value: "2", for: 2)
        let done = Log<Int>()
        let third = Task {
            await cache.store(value: "3", for: 3)
            done.add(3)
        }
        await slow.gate.waitForWaiters(2)
        #expect(cache.outstanding == 2)
        #expect(done.entries.isEmpty)
        slow.gate.open(count: 1)
        await third.value
        slow.gate.open()
        await cache.flush()
        #expect(slow.memory.values == [1: "1", 2: "2", 3: "3"])
    }

    @Test(.requirement("B36"), arguments: 0..<20)
    func `of many that store under one identifier at once, one at a time does`(_: Int) async {
        let busy = Locked((now: 0, most: 0))
        let cache = WriteBehindCache(
            AnyAsyncCache<Int, Int>(storeValueForID: { _, _ in
                busy.withLock { count in
                    count.now += 1
                    count.most = max(count.most, count.now)
                }
                await Task.yield()
                busy.withLock { $0.now -= 1 }
            }))
        let tasks = (0..<50).map { number in Task.detached { await cache.store(value: number, for: 1) } }
        for task in tasks { await task.value }
        await cache.flush()
        #expect(busy.withLock { $0 }.now == 0)
        #expect(busy.withLock { $0 }.most == 1)
    }

    @Test func `flushing when nothing is outstanding returns at once`() async {
        await WriteBehindCache(slow).flush()
    }
}
