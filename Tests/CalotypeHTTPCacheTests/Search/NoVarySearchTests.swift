import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Testing

@testable import CalotypeHTTPCache

/// Responses to several URLs of a path (draft-ietf-httpbis-no-vary-search).
@Suite struct `Responses with No-Vary-Search` {
    private static let utm: ByteString = "params=(\"utm_source\" \"utm_medium\")"

    private let origin: OriginServer
    private let clock = ManualClock()
    /// The field of the responses. `nil` sends none.
    private let field = Locked<ByteString?>(Self.utm)

    init() throws {
        origin = try OriginServer()
        for path in ["/a", "/b"] { serve(path) }
    }

    /// Answers with the target, and its length as the tag.
    private func serve(_ path: String, maxAge: Int = 60, _ more: HTTPFields = [:]) {
        origin.on(path) { [clock, field] request in
            var fields = more
            fields["No-Vary-Search"] = field.withLock { $0 }
            return .text(
                request.target, cache: "max-age=\(maxAge)", tag: "\"\(request.target.count)\"",
                date: HTTPDate.format(clock.wall.now), fields)
        }
    }

    private func harness(
        _ rules: CacheRules = .private, options: HTTPCacheOptions = HTTPCacheOptions(),
        partition: @escaping @Sendable (HTTPRequest) -> ByteString = { _ in "" }
    ) throws -> CacheHarness {
        try CacheHarness(rules, origin: origin, clock: clock, options: options, partition: partition)
    }

    private var shared: CacheRules {
        var rules = CacheRules.shared
        rules.obeysNoVarySearch = true
        return rules
    }

    private func set(_ text: ByteString?) { field.withLock { $0 = text } }

    @Test func `URLs with tracking parameters are hits after the first one, also at once`() async throws {
        for rules in [CacheRules.private, shared] {
            let cache = try harness(rules)
            let before = origin.requestCount()
            #expect(try await cache.text("/a?utm_source=0") == "/a?utm_source=0")
            for number in 1..<100 {
                let path = "/a?utm_source=\(number)&utm_medium=mail"
                let answer = try await cache.send(path)
                #expect(answer.text == "/a?utm_source=0" && answer.source == .fresh)
                #expect(answer.response.url == origin.url(path))
                let request = cache.request("/a?utm_medium=\(number)")
                for _ in 0..<2 {
                    let response = try #require(cache.cache.immediateAnswer(to: request))
                    #expect(response.url == request.url && response.identity?.text == answer.response.identity?.text)
                }
            }
            #expect(origin.requestCount() == before + 1)
            for path in ["/a?id=1", "/b?utm_source=1", "/a?utm_source=1&id=2"] {
                #expect(try await cache.text(path) == path)
            }
            #expect(try await cache.text("/a?utm_medium=5&id=2") == "/a?utm_source=1&id=2")
            #expect(try await cache.send("/a?utm_medium=9", method: .head).cacheStatus.contains("hit"))
            #expect(origin.requestCount() == before + 4)
        }
    }

    static let fields: [(ByteString, [String], Int)] = [
        ("key-order", ["?a=1&b=2", "?b=2&a=1", "?a=2&b=1"], 2),
        ("except=(\"id\")", ["?id=1&x=1", "?y=2&id=1", "?id=2", ""], 3),
        ("params, except=(\"id\")", ["?id=1&x=1", "?y=2&id=1", "?id=2", ""], 3),
        ("params", ["?a", "?b", "", "?"], 1), ("params=(a)", ["?a=1", "?a=2"], 2),
        ("params=(\"a\"", ["?a=1", "?a=2"], 2),
        ("", ["?a=1", "?a=2"], 2),
    ]

    @Test(arguments: fields) func `a field decides which URLs have one response`(
        _ text: ByteString, _ queries: [String], _ count: Int
    ) async throws {
        set(text)
        let cache = try harness()
        for _ in 0..<3 { for query in queries { _ = try await cache.text("/a\(query)") } }
        #expect(origin.requestCount() == count)
    }

    @Test func `a long field, and many parameters, have no effect`() async throws {
        let cache = try harness()
        set("params=(\(ByteString(String(repeating: "\"x\" ", count: 3_000))))")
        for path in ["/a?x=1", "/a?x=2"] { _ = try await cache.text(path) }
        #expect(origin.requestCount() == 2)
        set("params")
        _ = try await cache.text("/b")
        let many = (0..<1_500).map { "p\($0)=1" }.joined(separator: "&")
        for _ in 0..<2 { _ = try await cache.text("/b?\(many)") }
        #expect(origin.requestCount() == 4)
    }

    @Test func `a shared cache ignores the field by default`() async throws {
        let cache = try harness(.shared)
        for path in ["/a?utm_source=1", "/a?utm_source=2"] { #expect(try await cache.text(path) == path) }
    }

    @Test func `a gateway, and a cache with purges, ignore the field`() async throws {
        var (gateway, purged) = (HTTPCacheOptions(), HTTPCacheOptions())
        gateway.isGateway = true
        purged.purges = NoPurges()
        for options in [gateway, purged] {
            let cache = try harness(shared, options: options)
            for path in ["/a?utm_source=1", "/a?utm_source=2"] { #expect(try await cache.text(path) == path) }
        }
    }

    @Test func `users, origins and names stay apart`() async throws {
        let cache = try harness(partition: { $0.fields["Cookie"] ?? "" })
        for user: ByteString in ["anna", "b?n"] {
            let path = "/a?utm_source=\(user)"
            #expect(try await cache.text(path, ["Cookie": user]) == path)
            #expect(try await cache.text("/a?utm_source=9", ["Cookie": user]) == path)
        }
        let other = try OriginServer()
        other.on("/a", .text("other", cache: "max-age=60"))
        let url = other.url("/a?utm_source=1")
        #expect(try await Answer(cache.transport.send(HTTPRequest(url, fields: ["Cookie": "anna"]))).text == "other")
        var named = cache.request("/a?utm_source=7", ["Cookie": "anna"])
        named.cacheKey = "a name"
        #expect(try await Answer(cache.transport.send(named)).text == "/a?utm_source=7")
    }

    // MARK: Removal

    @Test(arguments: ["/a?utm_source=1", "/a?utm_source=2", "/a?utm_medium=3", "/a"])
    func `an unsafe request, and a removal, for any of the URLs concern all of them`(path: String) async throws {
        let cache = try harness()
        let paths = ["/a?utm_source=1", "/a?utm_source=2", "/a"]
        for removes in [false, true] {
            for path in paths { _ = try await cache.text(path) }
            let before = origin.requestCount()
            if removes {
                await cache.cache.removeStored(for: cache.request(path))
            } else {
                _ = try await cache.send(path, method: .post)
            }
            for path in paths { _ = try await cache.text(path) }
            #expect(origin.requestCount() == before + (removes ? 1 : 2))
        }
        try await cache.cache.removeAll()
        for path in paths { _ = try await cache.text(path) }
    }

    @Test func `a response that was awaited while another URL was invalidated is not stored`() async throws {
        let cache = try harness()
        let gate = Gate()
        origin.on("/a") { [clock] request in
            let reply = OriginReply.text(
                request.target, cache: "max-age=60", date: HTTPDate.format(clock.wall.now),
                ["No-Vary-Search": Self.utm])
            return request.target == "/a?utm_source=1" ? reply.held(by: gate) : reply
        }
        let older = Task { try await cache.text("/a?utm_source=1") }
        await origin.waitForRequests(1)
        _ = try await cache.send("/a?utm_source=2", method: .post)
        gate.open()
        #expect(try await older.value == "/a?utm_source=1")
        #expect(try await cache.text("/a?utm_source=3") == "/a?utm_source=3")
        #expect(try await cache.text("/a?utm_source=1") == "/a?utm_source=3")
    }

    @Test func `a response without the field that was awaited during an invalidation is not stored`() async throws {
        let cache = try harness()
        _ = try await cache.text("/a?utm_source=1")
        clock.advance(by: .seconds(61))
        let gate = Gate()
        let isFirst = Locked(true)
        origin.on("/a") { [clock] request in
            guard request.method == "GET" else { return .text("done") }
            let date = HTTPDate.format(clock.wall.now)
            let isOlder = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            return isOlder
                ? OriginReply.text("old", cache: "max-age=60", date: date).held(by: gate)
                : .text("new", cache: "max-age=60", date: date)
        }
        let older = Task { try await cache.text("/a?utm_source=2") }
        await origin.waitForRequests(2)
        _ = try await cache.send("/a?utm_source=2", method: .post)
        gate.open()
        #expect(try await older.value == "old")
        #expect(try await cache.text("/a?utm_source=2") == "new")
    }

    // MARK: Changes

    @Test func `the latest response of a class replaces the one before, whichever URL it had`() async throws {
        let cache = try harness()
        #expect(try await cache.text("/a?utm_source=1") == "/a?utm_source=1")
        clock.advance(by: .seconds(61))
        #expect(try await cache.text("/a?utm_source=22") == "/a?utm_source=22")
        #expect(origin.requests.last?.fields["If-None-Match"] == "\"15\"")
        for path in ["/a?utm_source=1", "/a?utm_source=3"] { #expect(try await cache.text(path) == "/a?utm_source=22") }
        #expect(origin.requestCount() == 2)
        let heads = cache.store.immediateVariants(of: ByteString(origin.url("/a?utm_source=1").absoluteString))
        #expect(heads?.map(\.head.url) == [ByteString(origin.url("/a?utm_source=1").absoluteString)])
    }

    @Test func `a response without the field ends the class`() async throws {
        let cache = try harness()
        _ = try await cache.text("/a?utm_source=1")
        clock.advance(by: .seconds(61))
        set(nil)
        for _ in 0..<2 {
            for path in ["/a?utm_source=22", "/a?utm_source=333"] { #expect(try await cache.text(path) == path) }
        }
        #expect(origin.requestCount() == 3)
        #expect(try await cache.text("/a?utm_source=1") == "/a?utm_source=1")
    }

    @Test func `a 304 with another field changes the class`() async throws {
        let cache = try harness()
        _ = try await cache.text("/a?id=1&x=1")
        clock.advance(by: .seconds(61))
        origin.on("/a") { _ in
            OriginReply(
                status: 304,
                fields: ["ETag": "\"11\"", "Cache-Control": "max-age=60", "No-Vary-Search": "except=(\"id\")"])
        }
        for path in ["/a?id=1&x=1", "/a?id=1&x=2", "/a?y&id=1&utm_source=3"] {
            #expect(try await cache.text(path) == "/a?id=1&x=1")
        }
        #expect(origin.requestCount() == 2)
    }

    @Test func `responses of one path may have different fields`() async throws {
        let cache = try harness()
        set("params=(\"x\")")
        _ = try await cache.text("/a?id=1&x=1")
        set("params=(\"y\")")
        _ = try await cache.text("/a?id=2&y=1")
        for _ in 0..<2 {
            #expect(try await cache.text("/a?id=1&x=2") == "/a?id=1&x=1")
            #expect(try await cache.text("/a?id=2&y=2") == "/a?id=2&y=1")
        }
        #expect(origin.requestCount() == 2)
    }

    @Test func `variants of a class are kept side by side`() async throws {
        serve("/a", ["Vary": "Accept"])
        let cache = try harness()
        for accept: ByteString in ["x", "y"] {
            let path = "/a?utm_source=\(accept)"
            #expect(try await cache.text(path, ["Accept": accept]) == path)
            for _ in 0..<2 { #expect(try await cache.text("/a?utm_source=9", ["Accept": accept]) == path) }
        }
        #expect(origin.requestCount() == 2)
        await cache.cache.removeStored(for: cache.request("/a"))
        #expect(cache.store.byteCount == 0)
    }

    @Test func `a request joins the download of another URL of its class`() async throws {
        let cache = try harness()
        let gate = Gate()
        origin.on("/a") { [clock] request in
            .text(
                request.target, cache: "max-age=60", date: HTTPDate.format(clock.wall.now),
                ["No-Vary-Search": Self.utm]
            ).held(by: gate)
        }
        gate.open()
        _ = try await cache.text("/a?utm_source=1")
        clock.advance(by: .seconds(61))
        gate.close()
        let texts = (2..<10).map { number in Task { try await cache.text("/a?utm_source=\(number)") } }
        await origin.waitForRequests(2)
        gate.open()
        var found: Set<String> = []
        for text in texts { found.insert(try await text.value) }
        #expect(found.count == 1 && origin.requestCount() == 2)
    }

    // MARK: Stores

    @Test func `a store of a program has one entry for a class, which a new cache finds by its URL`() async throws {
        let store = OwnStore()
        func cache() -> HTTPCache { HTTPCache(rules: .private, store: store, wallClock: clock.wall) }
        func text(_ path: String, _ cache: HTTPCache) async throws -> String {
            try await Answer(CurlTransport().cached(in: cache).send(HTTPRequest(origin.url(path)))).text
        }
        let first = cache()
        for number in 1...3 { #expect(try await text("/a?utm_source=\(number)", first) == "/a?utm_source=1") }
        #expect(store.count == 1)
        let second = cache()
        for number in 1...3 { #expect(try await text("/a?utm_source=\(number)", second) == "/a?utm_source=1") }
        #expect(store.count == 1 && origin.requestCount() == 1)
    }
}

private struct NoPurges: Purges {
    let generation = 0
    func moments(of key: ByteString) -> PurgeMoments { .none }
}
