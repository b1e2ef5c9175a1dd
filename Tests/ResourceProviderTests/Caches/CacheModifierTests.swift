import CalotypeBase
import CalotypeTesting
import TestSupport
import Dispatch
import Requirements
import ResourceProvider
import Testing
import Waiting

struct CacheModifierTests {
    @Test(.requirement("S3.25")) func `what a cache returns is the last value stored, by the subscript too`() {
        let cache = ProbeCache<Int, String>()
        #expect(cache[1] == nil)
        cache.store(value: "old", for: 1)
        cache.store(value: "new", for: 1)
        #expect(cache[1] == "new")
    }

    @Test(.requirement("S3.12", "S3.13"))
    func `values are kept in another form; nil to storage is not stored, nil back is a miss`() async {
        let stored = ProbeCache<Int, String>()
        let sync = stored.eraseToAnyCache().mapValueToStorage { (number: Int, id: Int) in
            number < 0 ? nil : "\(number)@\(id)"
        } fromStorage: { text, id in
            text.hasSuffix("@\(id)") ? Int(text.dropLast(2)) : nil
        }
        sync.store(value: 42, for: 1)
        #expect(stored.values == [1: "42@1"])
        #expect(sync[1] == 42)
        sync.store(value: -1, for: 2)
        #expect(stored.values[2] == nil)
        stored.store(value: "garbage", for: 3)
        #expect(sync[3] == nil)
        #expect(stored.values[3] == "garbage")
    }

    @Test(.requirement("D3.7"), arguments: [false, true])
    func `an entry that does not convert back is removed where the cache can`(onThreads: Bool) async {
        let stored = ProbeCache([1: "garbage", 2: "2"])
        let sync = stored.mapValueToStorage { (number: Int, _) in
            "\(number)"
        } fromStorage: { text, _ in
            Int(text)
        }
        #expect(sync[1] == nil)
        #expect(stored.values == [2: "2"])

        stored.store(value: "garbage", for: 3)
        let pool = BlockingPool(threads: 1)
        let asynchronous: any RemovableAsyncCache<Int, String> =
            onThreads ? stored.concurrent(on: pool) : stored.concurrent()
        await check(asynchronous)

        func check(_ cache: some RemovableAsyncCache<Int, String>) async {
            let numbers = cache.mapValueToStorage { (number: Int, _) in
                "\(number)"
            } fromStorage: { text, _ in
                Int(text)
            }
            #expect(await numbers.value(for: 3) == nil)
            #expect(await numbers.value(for: 2) == 2)
            #expect(stored.values == [2: "2"])
        }
    }

    @Test(.requirement("D3.6")) func `caches remove, clear, count and report, through mapID and into the async world`()
        async
    {
        let stored = ProbeCache(["1": "one", "2": "two", "3": "three"])
        let sync = stored.mapID { (id: Int) in "\(id)" }
        sync.removeValue(for: 1)
        #expect(stored.values.keys.sorted() == ["2", "3"])

        let asynchronous = stored.concurrent(on: BlockingPool(threads: 1)).mapID { (id: Int) in "\(id)" }
        await asynchronous.removeValue(for: 2)
        #expect(await asynchronous.value(for: 2) == nil)
        #expect(await asynchronous.value(for: 3) == "three")
        let report = await asynchronous.report
        #expect((report.count, report.hits, report.misses) == (1, 1, 1))
        await asynchronous.removeAll()
        #expect(stored.report.count == 0)
    }

    /// Returns a full pool: one job that runs until the end, and one that waits.
    private func fullPool(until end: DispatchSemaphore) async -> (BlockingPool, [Task<Void, any Error>]) {
        let pool = BlockingPool(threads: 1, queueLimit: 0)
        let running = Task { try await pool.run { () throws(LoadError) in end.wait() } }
        await waitUntil { pool.load.running > 0 }
        let waiting = Task { try await pool.run { () throws(LoadError) in } }
        await waitUntil { pool.load.waiting > 0 }
        return (pool, [running, waiting])
    }

    @Test func `a removal is done even if its task is cancelled or the pool's queue is full`() async throws {
        let end = DispatchSemaphore(value: 0)
        let (pool, jobs) = await fullPool(until: end)
        for isCancelled in [true, false] {
            let stored = ProbeCache([1: "one"])
            let task = Task {
                if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
                await stored.concurrent(on: pool).removeValue(for: 1)
            }
            await task.value
            #expect(stored.values.isEmpty)
        }
        end.signal()
        for job in jobs { try await job.value }
    }

    @Test func `on a pool whose queue is full a read is a miss and a store is dropped`() async throws {
        let stored = ProbeCache([1: "one"])
        let end = DispatchSemaphore(value: 0)
        let (pool, jobs) = await fullPool(until: end)
        let cache = stored.eraseToAnyCache().concurrent(on: pool)
        #expect(await cache.value(for: 1) == nil)
        await cache.store(value: "two", for: 2)
        #expect(stored.values == [1: "one"])
        end.signal()
        for job in jobs { try await job.value }
        // An idle pool refuses no job that can start at once.
        #expect(await cache.value(for: 1) == "one")
    }

    @Test(.requirement("S3.24")) func `side effects see each read with what it found, and each store`() {
        let log = Log<String>()
        let cache = ProbeCache<Int, String>().eraseToAnyCache()
            .valueForSideEffect { value, id in log.add("read \(id): \(value ?? "-")") }
            .storeValueForSideEffect { value, id in log.add("stored \(id): \(value)") }
        _ = cache[1]
        cache.store(value: "one", for: 1)
        _ = cache[1]
        #expect(log.entries == ["read 1: -", "stored 1: one", "read 1: one"])
    }

    @Test(.requirement("D3.16")) func `the side effects of an async cache may be async`() async {
        let log = Log<String>()
        let gate = Gate(isOpen: true)
        let cache = ProbeCache<Int, String>().concurrent()
            .valueForSideEffect { value, id in
                await gate.wait()
                log.add("read \(id): \(value ?? "-")")
            }
            .storeValueForSideEffect { value, id in
                await gate.wait()
                log.add("stored \(id): \(value)")
            }
        await cache.store(value: "one", for: 1)
        _ = await cache.value(for: 1)
        #expect(log.entries == ["stored 1: one", "read 1: one"])
    }

    @Test(.requirement("S3.14")) func `a cache that may not be asked twice at once serves many behind an actor`() async
    {
        final class Plain: SyncCache {
            var values: [Int: Int] = [:]
            func value(for id: Int) -> Int? { values[id] }
            func store(value: Int, for id: Int) { values[id] = value }
        }
        let cache = Plain().forceSendable().serialized()
        let tasks = (0..<100).map { id in Task { await cache.store(value: id, for: id) } }
        for task in tasks { await task.value }
        for id in 0..<100 { #expect(await cache.value(for: id) == id) }
    }

    @Test(.requirement("S3.10")) func `a hit in an inner cache is stored in the outer ones`() async throws {
        let inner = ProbeCache([1: "one"])
        let outer = ProbeCache<Int, String>()
        let provider = Provider.source { (_: Int) async throws(LoadError) -> String in throw .broken }
            .cache(inner.concurrent()).cache(outer.concurrent())
        #expect(try await provider.value(for: 1) == "one")
        #expect(outer.values == [1: "one"])
    }

    @Test(.requirement("D3.11"))
    func `a request that must not be answered from the cache is not, and its value is stored`() async {
        struct Request: Hashable, Sendable {
            var id: Int
            var isReload = false
        }
        let memory = ProbeCache([1: "old"])
        let provider = Provider.source { (_: Request) async in "new" }
            .cache(memory.mapID(\Request.id).concurrent(isCheap: true)) { !$0.isReload }
        #expect(await provider.value(for: Request(id: 1)) == "old")
        #expect(provider.immediateValue(for: Request(id: 1, isReload: true)) == nil)
        #expect(await provider.value(for: Request(id: 1, isReload: true)) == "new")
        #expect(memory.values == [1: "new"])
    }
}
