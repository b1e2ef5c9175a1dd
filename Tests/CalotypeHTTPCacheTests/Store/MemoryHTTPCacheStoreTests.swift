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
