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
        store.set(Data("one".utf8), of: variant.id, for: "u")
        #expect(store.immediateVariants(of: "u")?.first?.body == Data("one".utf8))
        await store.remove(nil, for: "u")
        store.set(Data("one".utf8), of: variant.id, for: "u")
        #expect(store.immediateVariants(of: "u") == nil && store.byteCount == 0)
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
