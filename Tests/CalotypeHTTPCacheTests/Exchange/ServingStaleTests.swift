import CalotypeBase
import CalotypeHTTP
@testable import CalotypeHTTPCache
import CalotypeTesting
import TestSupport
import CalotypeTransport
import Foundation
import Testing
import Waiting

@Suite struct `Stale answers` {
    /// Returns a reply with the date of the test's clock.
    private func dated(_ clock: ManualClock, _ reply: OriginReply) -> OriginReply {
        var reply = reply
        reply.fields["Date"] = HTTPDate.format(clock.wall.now)
        return reply
    }

    @Test func `stale-while-revalidate serves at once and revalidates once for all`() async throws {
        let cache = try CacheHarness()
        let gate = Gate()
        cache.origin.on(
            "/a",
            replies: [
                .text("one", cache: "max-age=10, stale-while-revalidate=60", tag: "\"1\"", date: cache.date),
                .text("two", cache: "max-age=10000", tag: "\"2\"", date: cache.date).held(by: gate),
            ])
        _ = try await cache.send("/a")
        cache.clock.advance(by: .seconds(20))
        for _ in 0..<5 {
            let answer = try await cache.send("/a")
            #expect(answer.text == "one")
            #expect(answer.source == .stale)
            #expect(answer.cacheStatus.contains("hit"))
        }
        await cache.origin.waitForRequests(2)
        gate.open()
        try await repeatUntil { try await cache.send("/a").text == "two" }
        #expect(cache.origin.requestCount() == 2)
        #expect(cache.origin.requests.last?.fields["If-None-Match"] == "\"1\"")
    }

    @Test func `a failure with a lifetime leaves the response that is served for it`() async throws {
        let cache = try CacheHarness()
        cache.origin.on(
            "/a",
            replies: [
                .text("one", cache: "max-age=10, stale-if-error=60", date: cache.date),
                .text("down", status: 503, cache: "max-age=1000", date: cache.date),
                .text("down", status: 503, cache: "max-age=1000", date: cache.date),
                .text("down", status: 503, cache: "max-age=1000"),
            ])
        _ = try await cache.send("/a")
        cache.clock.advance(by: .seconds(20))
        for _ in 0..<2 {
            let answer = try await cache.send("/a")
            #expect(answer.status == 200 && answer.text == "one" && answer.source == .stale)
        }
        cache.clock.advance(by: .seconds(100))
        #expect(try await cache.send("/a").status == 503)
        #expect(cache.origin.requestCount() == 4)
    }

    @Test func `while the new body comes nobody revalidates again`() async throws {
        let cache = try CacheHarness()
        let gate = Gate()
        cache.origin.on(
            "/a",
            replies: [
                .text("one", cache: "max-age=10, stale-while-revalidate=60", tag: "\"1\"", date: cache.date),
                .text("two two", cache: "max-age=10000", tag: "\"2\"", date: cache.date).bodyHeld(by: gate, after: 3),
            ])
        _ = try await cache.send("/a")
        cache.clock.advance(by: .seconds(20))
        for _ in 0..<5 {
            #expect(try await cache.send("/a").text == "one")
            // The head has arrived, so that the exchange is over.
            await waitUntil { cache.cache.transfersUnderWay > 0 && cache.cache.revalidations.count == 0 }
        }
        #expect(cache.origin.requestCount() == 2)
        gate.open()
        try await repeatUntil { try await cache.send("/a").text == "two two" }
        #expect(cache.origin.requestCount() == 2)
    }

    // Requests to one origin that never answered used to take all slots for refreshes.
    @Test(arguments: [(64, 32, 16), (4, 2, 1), (1, 1, 0)])
    func `revalidations that hang leave room for those of other hosts`(limit: Int, own: Int, next: Int) async throws {
        let gate = Gate()
        let date = Locked<ByteString>("")
        let base = FakeTransport { request throws(TransportError) in
            if request.fields["If-None-Match"] != nil { await gate.wait() }
            let fields: HTTPFields = [
                "Cache-Control": "max-age=10, stale-while-revalidate=60", "ETag": "\"1\"", "Date": date.withLock { $0 },
            ]
            return HTTPResponse(url: request.url, status: 200, fields: fields, body: HTTPBody(Data("one".utf8)))
        }
        var options = HTTPCacheOptions()
        options.revalidationLimit = limit
        let cache = try CacheHarness(base: base, options: options)
        date.withLock { $0 = cache.date }
        // Several ports count as one host.
        let urls = try ["a.test", "b.test"].map { host in
            try (0..<70).map { try #require(URL(string: "http://\(host):\(8000 + $0 % 7)/\($0)")) }
        }
        for url in urls.joined() { _ = try await Answer(cache.transport.send(HTTPRequest(url))) }
        cache.clock.advance(by: .seconds(20))
        for (urls, running) in zip(urls, [own, own + next]) {
            for url in urls { _ = try await Answer(cache.transport.send(HTTPRequest(url))) }
            #expect(cache.cache.revalidations.count == running)
        }
        gate.open()
        await waitUntil { cache.cache.revalidations.count == 0 }
    }

    @Test func `where the origin is gone the stale answer does, within its bound`() async throws {
        var rules = CacheRules(.private)
        rules.staleIfUnreachable = .seconds(1000)
        let cache = try CacheHarness(rules)
        cache.origin.on("/a", .text("one", cache: "max-age=10", tag: "\"1\"", date: cache.date))
        cache.origin.on("/strict", .text("s", cache: "max-age=10, must-revalidate", tag: "\"1\"", date: cache.date))
        for path in ["/a", "/strict"] { _ = try await cache.send(path) }
        cache.origin.stop()
        cache.clock.advance(by: .seconds(100))
        let answer = try await cache.send("/a")
        #expect(answer.text == "one")
        #expect(answer.source == .stale)
        #expect(answer.cacheStatus.contains("fwd=stale"))
        await #expect(throws: TransportError.self) { try await cache.send("/strict") }
        cache.clock.advance(by: .seconds(1000))
        await #expect(throws: TransportError.self) { try await cache.send("/a") }
    }

    @Test func `where the origin drops the connection the stale answer does`() async throws {
        let cache = try CacheHarness()
        cache.origin.on(
            "/a",
            replies: [
                .text("one", cache: "max-age=10", tag: "\"1\"", date: cache.date), .status(200).resetImmediately(),
            ])
        _ = try await cache.send("/a")
        cache.clock.advance(by: .seconds(100))
        #expect(try await cache.send("/a").text == "one")
    }

    @Test(arguments: [("max-age=10", 503), ("max-age=10, stale-if-error=1000", 200)])
    func `a server's error is answered by what is stored only within stale-if-error`(
        directives: String, status: Int
    ) async throws {
        let cache = try CacheHarness()
        cache.origin.on(
            "/a", replies: [.text("one", cache: ByteString(directives), tag: "\"1\"", date: cache.date), .status(503)])
        _ = try await cache.send("/a")
        cache.clock.advance(by: .seconds(100))
        #expect(try await cache.send("/a").status == status)
    }

    // Two different Content-Length fields, and an unexpected 304.
    @Test(arguments: [("max-age=10", 0), ("max-age=10, stale-if-error=1000", 200)], ["200", "304"])
    func `an answer that is no HTTP is replaced by what is stored only within stale-if-error`(
        _ stored: (directives: String, status: Int), _ second: String
    ) async throws {
        let broken = try RawListener(
            answer: Array("HTTP/1.1 \(second) X\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\ntwo".utf8))
        defer { broken.stop() }
        let curl = CurlTransport()
        let count = Locked(0)
        let origin = try OriginServer()
        let base = FakeTransport { request throws(TransportError) in
            var request = request
            let isFirst = count.withLock { count in
                defer { count += 1 }
                return count == 0
            }
            if !isFirst, let url = URL(string: "http://127.0.0.1:\(broken.port)/a") { request.url = url }
            return try await curl.send(request)
        }
        let cache = try CacheHarness(origin: origin, base: base)
        origin.on("/a", .text("one", cache: ByteString(stored.directives), date: cache.date))
        _ = try await cache.send("/a")
        cache.clock.advance(by: .seconds(100))
        guard stored.status == 200 else {
            let error = await #expect(throws: TransportError.self) { try await cache.send("/a") }
            #expect(error?.code == .malformedResponse)
            return
        }
        let answer = try await cache.send("/a")
        #expect(answer.text == "one" && answer.source == .stale)
        #expect(answer.cacheStatus.contains("detail=malformed"))
    }

    @Test func `a clock that jumps back makes nothing fresh for ever`() async throws {
        let now = Locked(1_767_225_600.0)
        let origin = try OriginServer()
        let cache = HTTPCache(
            rules: CacheRules(.private), store: MemoryHTTPCacheStore(), wallClock: WallClock { now.withLock { $0 } })
        let transport = FakeTransport { request in
            HTTPResponse(
                url: request.url, status: 200,
                fields: ["Cache-Control": "max-age=60", "Date": HTTPDate.format(now.withLock { $0 })],
                body: HTTPBody(Data("one".utf8)))
        }
        let cached = transport.cached(in: cache)
        for step in [0.0, -100_000, 50, 1e9] {
            now.withLock { $0 += step }
            _ = try await Answer(cached.send(HTTPRequest(origin.url("/a"))))
        }
        #expect(transport.requestCount == 3)
    }
}
