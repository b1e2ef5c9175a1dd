import CalotypeHTTPCache
import CalotypeTesting
import CalotypeTransport
import Foundation
import Testing

/// A cache over a store that a program has written.
@Suite struct OwnStoreTests {
    private let origin: OriginServer
    private let clock = ManualClock()

    init() throws {
        origin = try OriginServer()
        for path in ["/a", "/b"] {
            origin.on(path, .text("the text of \(path)", cache: "max-age=60", tag: "\"1\""))
        }
    }

    private func cache(
        _ store: any HTTPCacheStore, partition: @escaping @Sendable (HTTPRequest) -> ByteString = { _ in "" }
    ) -> HTTPCache {
        HTTPCache(rules: .private, store: store, wallClock: clock.wall, partition: partition)
    }

    private func text(_ path: String, _ cache: HTTPCache, _ fields: HTTPFields = [:]) async throws -> String {
        try await Answer(CurlTransport().cached(in: cache).send(HTTPRequest(origin.url(path), fields: fields))).text
    }

    @Test func `a fresh response is served from the store, by another cache too`() async throws {
        let store = OwnStore()
        #expect(try await text("/a", cache(store)) == "the text of /a")
        #expect(try await text("/a", cache(store)) == "the text of /a")
        #expect(origin.requestCount() == 1)
    }

    @Test func `a validated response gets its new head and keeps its body`() async throws {
        let store = OwnStore()
        _ = try await text("/a", cache(store))
        clock.advance(by: .seconds(120))
        origin.on("/a", OriginReply(status: 304, fields: ["ETag": "\"1\"", "Cache-Control": "max-age=600"]))
        for _ in 0..<2 { #expect(try await text("/a", cache(store)) == "the text of /a") }
        #expect(origin.requestCount() == 2)
    }

    @Test func `the variants of a URL are kept side by side`() async throws {
        origin.on("/a") { request in
            let language = request.fields["Accept-Language"] ?? "none"
            return .text(language.string, cache: "max-age=60", ["Vary": "Accept-Language"])
        }
        let store = OwnStore()
        for language: ByteString in ["de", "fr", "de", "fr"] {
            #expect(try await text("/a", cache(store), ["Accept-Language": language]) == language.string)
        }
        #expect(origin.requestCount() == 2)
    }

    @Test(arguments: OwnStore.Fault.allCases)
    func `a fault of the store causes requests, and never a wrong response`(_ fault: OwnStore.Fault) async throws {
        let cache = cache(OwnStore(fault))
        for path in ["/a", "/b", "/a", "/b"] {
            #expect(try await text(path, cache) == "the text of \(path)")
        }
        #expect(origin.requestCount() == 4)
    }

    @Test func `overlapping requests share one request while the store keeps them waiting`() async throws {
        let gate = Gate()
        let cache = cache(OwnStore(gate: gate))
        let texts = (0..<8).map { _ in Task { try await text("/a", cache) } }
        await gate.waitForWaiters(8)
        gate.open()
        for text in texts { #expect(try await text.value == "the text of /a") }
        #expect(origin.requestCount() == 1)
    }

    @Test(arguments: ["a name", "a\nb"] as [ByteString])
    func `a name that replaces the URL of a request finds its response`(name: ByteString) async throws {
        let transport = CurlTransport().cached(in: cache(OwnStore()))
        var request = HTTPRequest(origin.url("/a"))
        request.cacheKey = name
        for _ in 0..<2 { #expect(try await Answer(transport.send(request)).text == "the text of /a") }
        #expect(origin.requestCount() == 1)
    }

    @Test func `a response of one partition is not served in another`() async throws {
        let store = OwnStore()
        let cache = cache(store) { $0.fields["Cookie"] ?? "" }
        for user: ByteString in ["anna", "ben", "anna"] { _ = try await text("/a", cache, ["Cookie": user]) }
        #expect(origin.requestCount() == 2)
        #expect(store.count == 2)
    }

    @Test func `removing all empties the store, and an exchange in flight stores nothing`() async throws {
        let store = OwnStore()
        let cache = cache(store)
        _ = try await text("/a", cache)
        let gate = Gate()
        origin.on("/b", .text("the text of /b", cache: "max-age=60").held(by: gate))
        let late = Task { try await text("/b", cache) }
        await gate.waitForWaiters(1)
        try await cache.removeAll()
        gate.open()
        #expect(try await late.value == "the text of /b")
        #expect(store.count == 0)
    }
}
