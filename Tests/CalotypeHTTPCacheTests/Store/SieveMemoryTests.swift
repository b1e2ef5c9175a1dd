import CalotypeHTTP
import Foundation
import Testing

@testable import CalotypeHTTPCache

@Suite struct `A store in memory` {
    // An entry removed between a lookup and the change based on it used to come back.
    @Test func `takes a body for what is there, and brings nothing back`() async {
        let store = MemoryHTTPCacheStore()
        let head = StoredResponse(url: "u", status: 200, fields: [:], requestTime: 0, responseTime: 0, bodyLength: 3)
        let variant = StoredVariant(head: head, body: nil)
        store.set([variant], for: "u")
        _ = store.set(Data("one".utf8), of: variant.id, for: "u")
        #expect(store.immediateVariants(of: "u")?.first?.body == Data("one".utf8))
        await store.remove(nil, for: "u")
        _ = store.set(Data("one".utf8), of: variant.id, for: "u")
        #expect(store.immediateVariants(of: "u") == nil && store.byteCount == 0)
    }

    // A thousand slow readers of as many bodies used to keep them all in memory, whatever the store's limit.
    @Test func `counts an evicted body until its last reader has released it`() async {
        let store = MemoryHTTPCacheStore(byteLimit: 1 << 20)
        func add(_ name: Int) async -> Data? {
            let key = ByteString("u\(name)")
            let size = 600 << 10
            let head = StoredResponse(
                url: key, status: 200, fields: [:], requestTime: 0, responseTime: 0, bodyLength: size)
            await store.store(StoredVariant(head: head, body: Data(count: size)), for: key, replacing: [])
            return store.immediateVariants(of: key)?.first?.body
        }
        var readers: [Data?] = []
        for name in 0..<3 { await readers.append(add(name)) }
        #expect(readers.allSatisfy { $0?.count == 600 << 10 })
        #expect(await add(3) == nil, "as much again as the limit is being read")
        readers[0] = nil
        #expect(await add(4) != nil)
    }

    @Test func `keeps the head of a response whose body finds no room`() {
        let store = MemoryHTTPCacheStore(byteLimit: 100 << 10)
        let head = StoredResponse(
            url: "u", status: 200, fields: [:], requestTime: 0, responseTime: 0, bodyLength: 300 << 10)
        store.set([StoredVariant(head: head, body: Data(count: 300 << 10))], for: "u")
        #expect(store.immediateVariants(of: "u")?.count == 1)
        #expect(store.immediateVariants(of: "u")?.first?.body == nil)
    }

    @Test func `counts a body once, however often its variants are set`() async {
        let store = MemoryHTTPCacheStore(byteLimit: 100 << 10)
        let head = StoredResponse(
            url: "u", status: 200, fields: [:], requestTime: 0, responseTime: 0, bodyLength: 80 << 10)
        store.set([StoredVariant(head: head, body: Data(count: 80 << 10))], for: "u")
        for _ in 0..<10 { store.set(store.immediateVariants(of: "u") ?? [], for: "u") }
        #expect(store.immediateVariants(of: "u")?.first?.body?.count == 80 << 10)
        store.set([], for: "u")
        store.set([StoredVariant(head: head, body: Data(count: 80 << 10))], for: "v")
        #expect(store.immediateVariants(of: "v")?.first?.body != nil)
    }
}

@Suite struct `SIEVE memory` {
    @Test func `stays within its limit and keeps what is used`() {
        var memory = SieveMemory<Int>(limit: 100)
        for number in 0..<10 { memory.set(number, cost: 10, for: "\(number)") }
        #expect(memory.value(for: "0") == 0)
        for number in 10..<14 {
            memory.set(number, cost: 10, for: "\(number)")
            #expect(memory.cost <= 100)
        }
        #expect(memory.value(for: "0") == 0)
        #expect(memory.value(for: "1") == nil)
        #expect(memory.value(for: "13") == 13)
        #expect(memory.count == 10)
    }

    @Test func `replaces, removes and refuses what is too large`() {
        var memory = SieveMemory<String>(limit: 100)
        memory.set("old", cost: 60, for: "a")
        memory.set("new", cost: 90, for: "a")
        #expect(memory.value(for: "a") == "new")
        #expect(memory.cost == 90)
        memory.set("huge", cost: 101, for: "b")
        #expect(memory.value(for: "b") == nil)
        #expect(memory.value(for: "a") == "new")
        memory.remove("a")
        #expect(memory.cost == 0)
        #expect(memory.count == 0)
    }

    @Test func `holds to its limit whatever is asked of it`() {
        var memory = SieveMemory<Int>(limit: 1000)
        var seed: UInt64 = 1
        var model: [String: Int] = [:]
        for _ in 0..<20_000 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let key = "\((seed >> 33) % 60)"
            switch (seed >> 20) % 4 {
            case 0: memory.remove(ByteString(key)); model[key] = nil
            case 1, 2:
                let value = Int((seed >> 40) % 1000)
                memory.set(value, cost: 1 + value % 200, for: ByteString(key))
                model[key] = value
            default:
                if let found = memory.value(for: ByteString(key)) { #expect(found == model[key]) }
            }
            #expect(memory.cost <= 1000)
        }
    }
}
