import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeTesting
import Foundation
import Requirements
import Testing
import Waiting

@Suite struct `What is stored answers` {
    @Test func `a fresh answer is served without asking, with its age and where it came from`() async throws {
        let cache = try CacheHarness()
        cache.origin.on("/a", .text("one", cache: "max-age=60", tag: "\"1\"", date: cache.date))
        let first = try await cache.send("/a")
        #expect(first.source == .network)
        #expect(first.text == "one")
        #expect(first["Age"] == nil)
        #expect(first.cacheStatus.hasPrefix("Calotype; fwd=uri-miss"))
        #expect(first.cacheStatus.contains("stored"))
        cache.clock.advance(by: .seconds(20))
        let second = try await cache.send("/a")
        #expect(second.text == "one")
        #expect(second.source == .fresh)
        #expect(second["Age"] == "20")
        #expect(second.cacheStatus.hasPrefix("Calotype; hit"))
        #expect(second.cacheStatus.contains("ttl=40"))
        let outcome = try #require(second.response.cacheOutcome)
        #expect(outcome.age == 20)
        #expect(outcome.validator == "\"1\"")
        #expect(outcome.freshUntil == cache.clock.wall.now + 40)
        #expect(second.response.identity?.text == first.response.identity?.text)
        #expect(second.response.identity?.text != nil)
        #expect(cache.origin.requestCount() == 1)
    }

    @Test func `an answer that is not stored says which rule forbids it`() async throws {
        let cache = try CacheHarness()
        cache.origin.on("/a", .text("one", cache: "no-store", date: cache.date))
        #expect(try await cache.send("/a").cacheStatus == "Calotype; fwd=uri-miss; detail=no-store")
    }

    @Test func `an immediate answer needs no task`() async throws {
        let cache = try CacheHarness()
        cache.origin.on("/a", .text("one", cache: "max-age=60", date: cache.date))
        #expect(cache.cache.immediateAnswer(to: cache.request("/a")) == nil)
        _ = try await cache.send("/a")
        let response = try #require(cache.cache.immediateAnswer(to: cache.request("/a")))
        #expect(try await response.body.collect() == Data("one".utf8))
        #expect(response.cacheOutcome?.source == .fresh)
        cache.clock.advance(by: .seconds(61))
        #expect(cache.cache.immediateAnswer(to: cache.request("/a")) == nil)
    }

    @Test func `a cache that has a response, or waits for one, does not surely lack it`() async throws {
        let cache = try CacheHarness()
        let gate = Gate()
        let request = cache.request("/a")
        cache.origin.on("/a", .text("one", cache: "max-age=60", date: cache.date).held(by: gate))
        #expect(cache.cache.surelyLacks(request))
        let answer = Task { try await cache.text("/a") }
        await waitUntil { !cache.cache.surelyLacks(request) }
        #expect(cache.cache.surelyLacks(cache.request("/b")))
        gate.open()
        #expect(try await answer.value == "one")
        #expect(!cache.cache.surelyLacks(request))
        cache.clock.advance(by: .seconds(61))
        #expect(cache.cache.immediateAnswer(to: request) == nil && !cache.cache.surelyLacks(request))
        await cache.cache.removeStored(for: request)
        #expect(cache.cache.surelyLacks(request))
    }

    @Test func `hit after hit says the age of its moment, and none is served past its time`() async throws {
        let now = Locked(1_767_225_600.0)
        let wall = WallClock { now.withLock { $0 } }
        let date = HTTPDate.format(wall.now)
        let base = FakeTransport(
            fields: [
                "Cache-Control": "max-age=60", "Date": date, "Age": "10", "Cache-Status": "Upper; hit",
                "Connection": "close",
            ], body: Data("one".utf8))
        let cache = HTTPCache(rules: CacheRules(.shared), store: MemoryHTTPCacheStore(), wallClock: wall)
        let origin = try OriginServer()
        let request = HTTPRequest(origin.url("/a"))
        _ = try await Answer(base.cached(in: cache).send(request))
        for (step, age) in [(0.0, 10), (5, 15), (0.5, 15), (30, 45), (14, 59)] {
            now.withLock { $0 += step }
            let hit = try #require(cache.immediateAnswer(to: request))
            #expect(hit.fields.values(of: "Age") == ["\(age)"])
            #expect(hit.fields["Cache-Status"]?.hasPrefix("Upper; hit, Calotype; hit; ttl=") == true)
            #expect(hit.fields["Connection"] == nil)
            #expect(hit.cacheOutcome?.age.rounded(.down) == Double(age))
        }
        var special = request
        special.fields["Cache-Control"] = "max-age=20"
        #expect(cache.immediateAnswer(to: special) == nil)
        now.withLock { $0 += 0.6 }
        #expect(cache.immediateAnswer(to: request) == nil)
        now.withLock { $0 -= 1000 }
        #expect(cache.immediateAnswer(to: request) == nil)
    }

    @Test func `what was made of a hit serves for as long as its fields say the same`() async throws {
        let now = Locked(1_767_225_600.25)
        let wall = WallClock { now.withLock { $0 } }
        let base = FakeTransport(
            fields: ["Cache-Control": "max-age=60", "Date": HTTPDate.format(wall.now)], body: Data("one".utf8))
        let cache = HTTPCache(rules: CacheRules(.shared), store: MemoryHTTPCacheStore(), wallClock: wall)
        let request = HTTPRequest(try OriginServer().url("/a"))
        _ = try await Answer(base.cached(in: cache).send(request))
        var products: [Product] = []
        for step in [0.0, 0.25, 0.25, 0.5, 1] {
            now.withLock { $0 += step }
            let product = try #require(cache.immediateAnswer(to: request, make: Product.init))
            let response = try #require(cache.immediateAnswer(to: request))
            #expect(Set(product.fields) == Set(response.fields))
            products.append(product)
        }
        // The rules make the first hit; later ones share its product, one of them within the same second.
        #expect(products[1] === products[2])
        #expect(products[2] !== products[3])
        #expect(products[3] !== products[4])
        var head = request
        head.method = .head
        let other = try #require(cache.immediateAnswer(to: head, make: Product.init))
        #expect(other !== products[4])
        #expect(other.body?.isEmpty == true)
    }

    @Test func `clients that have a response share its 304, and no other condition gets it`() async throws {
        let clock = ManualClock()
        let base = FakeTransport(
            fields: ["Cache-Control": "max-age=60", "Date": HTTPDate.format(clock.wall.now), "ETag": "\"a\""],
            body: Data("one".utf8))
        let cache = HTTPCache(rules: CacheRules(.shared), store: MemoryHTTPCacheStore(), wallClock: clock.wall)
        let request = HTTPRequest(try OriginServer().url("/a"))
        func answer(_ fields: HTTPFields) throws -> Product {
            var conditional = request
            conditional.fields = fields
            return try #require(cache.immediateAnswer(to: conditional, make: Product.init))
        }
        _ = try await Answer(base.cached(in: cache).send(request))
        let first = try answer(["If-None-Match": "\"a\""])
        let second = try answer(["If-None-Match": "\"a\""]), third = try answer(["If-None-Match": "\"a\""])
        #expect(first.status == 304)
        #expect(Set(first.fields) == Set(second.fields))
        #expect(first.body?.isEmpty == true && second.body?.isEmpty == true)
        #expect(second === third)
        let others: [(HTTPFields, Int)] = [
            ([:], 200), (["If-None-Match": "\"b\""], 200), (["If-None-Match": "\"b\", \"a\""], 304),
            (["If-None-Match": "\"a\"", "Range": "bytes=0-0"], 304), (["Range": "bytes=0-0"], 206),
        ]
        for (fields, status) in others {
            let other = try answer(fields)
            #expect(other.status == status)
            #expect(other !== second)
        }
    }

    @Test func `what was made of a hit does not outlive what is stored`() async throws {
        let texts = Locked(["one", "two"])
        let base = FakeTransport { request throws(TransportError) in
            let text = texts.withLock { $0.removeFirst() }
            return HTTPResponse(
                url: request.url, status: 200, fields: ["Cache-Control": "max-age=60"], body: HTTPBody(Data(text.utf8)))
        }
        let clock = ManualClock()
        let cache = HTTPCache(rules: CacheRules(.shared), store: MemoryHTTPCacheStore(), wallClock: clock.wall)
        let request = HTTPRequest(try OriginServer().url("/a"))
        var reload = request
        reload.fields["Cache-Control"] = "no-cache"
        for (text, load) in [("one", request), ("two", reload)] {
            _ = try await Answer(base.cached(in: cache).send(load))
            for _ in 1...2 {
                #expect(cache.immediateAnswer(to: request, make: Product.init)?.body == Data(text.utf8))
            }
        }
    }

    @Test func `interim responses reach who began the exchange`() async throws {
        let base = FakeTransport { request throws(TransportError) in
            InterimResponses.observer?(103, ["Link": "</style.css>"])
            return HTTPResponse(
                url: request.url, status: 200, fields: ["Cache-Control": "max-age=60"],
                body: HTTPBody(Data("one".utf8)))
        }
        let cache = try CacheHarness(base: base)
        let heard = Locked([Int]())
        for _ in 0..<2 {
            let text = try await InterimResponses.observed(by: { status, _ in heard.withLock { $0.append(status) } }) {
                try await cache.text("/a")
            }
            #expect(text == "one")
        }
        #expect(heard.withLock { $0 } == [103])
    }

    @Test func `a stale answer is confirmed by its validator and keeps its bytes`() async throws {
        let cache = try CacheHarness()
        let clock = cache.clock
        cache.origin.on("/a") { request in
            let date = HTTPDate.format(clock.wall.now)
            return request.fields["If-None-Match"] == "\"1\""
                ? OriginReply(
                    status: 304, fields: ["ETag": "\"1\"", "Cache-Control": "max-age=60", "Date": date, "X-New": "yes"])
                : .text("one", cache: "max-age=60", tag: "\"1\"", date: date)
        }
        let first = try await cache.send("/a")
        clock.advance(by: .seconds(100))
        let second = try await cache.send("/a")
        #expect(second.status == 200)
        #expect(second.text == "one")
        #expect(second.source == .revalidated)
        #expect(second["X-New"] == "yes")
        #expect(second["Content-Length"] == "3")
        #expect(second.response.identity?.text == first.response.identity?.text)
        #expect(try await cache.send("/a").source == .fresh)
        #expect(cache.origin.requestCount() == 2)
    }

    @Test(arguments: [
        (CacheRules.Mode.shared, "private, max-age=600", CacheOutcome.Source.network),
        (.shared, "no-store, max-age=600", .network), (.private, "no-store", .network),
        (.shared, "no-store, must-understand, max-age=600", .fresh), (.private, "private, max-age=600", .fresh),
    ])
    func `what a confirmation forbids to store answers once more and is forgotten`(
        mode: CacheRules.Mode, directives: String, afterwards: CacheOutcome.Source
    ) async throws {
        let cache = try CacheHarness(CacheRules(mode))
        let clock = cache.clock
        cache.origin.on("/a") { request in
            let date = HTTPDate.format(clock.wall.now)
            let fields: HTTPFields = ["ETag": "\"1\"", "Cache-Control": ByteString(directives), "Date": date]
            return request.fields["If-None-Match"] != nil
                ? OriginReply(status: 304, fields: fields) : .text("one", cache: "max-age=60", tag: "\"1\"", date: date)
        }
        _ = try await cache.send("/a")
        clock.advance(by: .seconds(100))
        let confirmed = try await cache.send("/a")
        #expect(confirmed.text == "one")
        #expect(confirmed.source == .revalidated)
        let next = try await cache.send("/a")
        #expect(next.text == "one")
        #expect(next.source == afterwards)
    }

    @Test func `a field that a confirmation calls private is not kept for others`() async throws {
        let cache = try CacheHarness(CacheRules(.shared))
        let clock = cache.clock
        cache.origin.on("/a") { request in
            let date = HTTPDate.format(clock.wall.now)
            let fields: HTTPFields = [
                "ETag": "\"1\"", "Cache-Control": "private=\"X-User\", max-age=600", "Date": date, "X-User": "anna",
            ]
            return request.fields["If-None-Match"] != nil
                ? OriginReply(status: 304, fields: fields) : .text("one", cache: "max-age=60", tag: "\"1\"", date: date)
        }
        _ = try await cache.send("/a")
        clock.advance(by: .seconds(100))
        _ = try await cache.send("/a")
        let next = try await cache.send("/a")
        #expect(next.source == .fresh)
        #expect(next["X-User"] == nil)
    }

    @Test func `a stale answer that has changed is replaced`() async throws {
        let cache = try CacheHarness()
        cache.origin.on(
            "/a",
            replies: [
                .text("one", cache: "max-age=60", tag: "\"1\"", date: cache.date),
                .text("two", cache: "max-age=1000", tag: "\"2\"", date: cache.date),
            ])
        let first = try await cache.send("/a")
        cache.clock.advance(by: .seconds(100))
        let second = try await cache.send("/a")
        #expect(second.text == "two")
        #expect(second.source == .network)
        #expect(second.response.identity?.text != first.response.identity?.text)
        #expect(try await cache.text("/a") == "two")
        #expect(cache.origin.requestCount() == 2)
    }

    @Test func `a stored GET answers HEAD, conditions and ranges`() async throws {
        let cache = try CacheHarness()
        cache.origin.on("/a", .text("0123456789", cache: "max-age=60", tag: "\"1\"", date: cache.date))
        _ = try await cache.send("/a")
        let head = try await cache.send("/a", method: .head)
        #expect(head.status == 200)
        #expect(head.body.isEmpty)
        #expect(head["Content-Length"] == "10")
        let condition = try await cache.send("/a", ["If-None-Match": "\"1\""])
        #expect(condition.status == 304)
        #expect(condition.body.isEmpty)
        #expect(condition["ETag"] == "\"1\"")
        let part = try await cache.send("/a", ["Range": "bytes=2-4"])
        #expect(part.status == 206)
        #expect(part.text == "234")
        #expect(part["Content-Range"] == "bytes 2-4/10")
        #expect(part["Content-Length"] == "3")
        let nothing = try await cache.send("/a", ["Range": "bytes=20-"])
        #expect(nothing.status == 416)
        #expect(nothing["Content-Range"] == "bytes */10")
        #expect(cache.origin.requestCount() == 1)
    }

    @Test func `variants of one URL are kept side by side`() async throws {
        let cache = try CacheHarness()
        let date = cache.date
        cache.origin.on("/a") { request in
            .text(
                "in \(request.fields["Accept-Language"] ?? "nothing")", cache: "max-age=60", date: date,
                ["Vary": "Accept-Language"])
        }
        for _ in 0..<2 {
            #expect(try await cache.text("/a", ["Accept-Language": "de"]) == "in de")
            #expect(try await cache.text("/a", ["Accept-Language": "fr"]) == "in fr")
            #expect(try await cache.text("/a") == "in nothing")
        }
        #expect(cache.origin.requestCount() == 3)
    }

    @Test func `an unsafe request that succeeds makes what is stored out of date`() async throws {
        let cache = try CacheHarness()
        cache.origin.on("/a", .text("one", cache: "max-age=60", date: cache.date))
        _ = try await cache.send("/a")
        _ = try await cache.send("/a", method: .post)
        _ = try await cache.send("/a")
        #expect(cache.origin.requestCount() == 3)
    }

    // Only responses whose body was in flight used to be marked as outdated.
    @Test func `an unsafe request that succeeds while an answer is awaited keeps that out of the store`() async throws {
        let cache = try CacheHarness()
        let gate = Gate()
        let date = cache.date
        let loads = Locked(0)
        cache.origin.on("/a") { request in
            guard request.method == "GET" else { return .text("done") }
            let number = loads.withLock { loads in
                loads += 1
                return loads
            }
            let reply = OriginReply.text("\(number)", cache: "max-age=60", date: date)
            return number == 1 ? reply.held(by: gate) : reply
        }
        let older = Task { try await cache.text("/a") }
        await cache.origin.waitForRequests(1)
        _ = try await cache.send("/a", method: .post)
        gate.open()
        #expect(try await older.value == "1")
        for _ in 0..<2 { #expect(try await cache.text("/a") == "2") }
        #expect(cache.origin.requestCount() == 3)
    }

    @Test(.requirement("RFC 9110 §9.3.3")) func `an answer to POST that stands for a GET outlives its own removal`()
        async throws
    {
        let cache = try CacheHarness()
        let url = cache.origin.url("/a").absoluteString
        let date = cache.date
        cache.origin.on("/a") { request in
            .text(request.method.string, cache: "max-age=60", date: date, ["Content-Location": ByteString(url)])
        }
        _ = try await cache.send("/a")
        _ = try await cache.send("/a", method: .post)
        #expect(try await cache.text("/a") == "POST")
        #expect(cache.origin.requestCount() == 2)
    }

    // It used to be stored for all users under the URL.
    @Test(arguments: [HTTPCachePolicy.useProtocol, .storedElseLoad])
    func `a GET with content is between client and origin`(policy: HTTPCachePolicy) async throws {
        let cache = try CacheHarness()
        let date = cache.date
        cache.origin.on("/a") { request in
            .text(request.fields["Content-Length"] == nil ? "plain" : "special", cache: "max-age=60", date: date)
        }
        var special = cache.request("/a")
        special.body = Data("x".utf8)
        special.cachePolicy = policy
        for count in [2, 3] {
            let answer = try await Answer(cache.transport.send(special))
            #expect(answer.text == "special" && answer.cacheStatus.contains("detail=request-content"))
            #expect(try await cache.text("/a") == "plain")
            #expect(cache.origin.requestCount() == count)
        }
    }

    @Test func `partitions of the key keep users apart`() async throws {
        let cache = try CacheHarness(partition: { $0.fields["Cookie"] ?? "" })
        let date = cache.date
        cache.origin.on("/a") { .text("for \($0.fields["Cookie"] ?? "all")", cache: "max-age=60", date: date) }
        for _ in 0..<2 {
            #expect(try await cache.text("/a", ["Cookie": "one"]) == "for one")
            #expect(try await cache.text("/a", ["Cookie": "two"]) == "for two")
        }
        #expect(cache.origin.requestCount() == 2)
    }

    @Test func `a missing image is remembered for a short time`() async throws {
        var rules = CacheRules(.private)
        rules.negativeLifetime = .seconds(10)
        let cache = try CacheHarness(rules)
        let clock = cache.clock
        cache.origin.on("/gone") { _ in .text("no", status: 404, date: HTTPDate.format(clock.wall.now)) }
        #expect(try await cache.send("/gone").status == 404)
        #expect(try await cache.send("/gone").status == 404)
        #expect(cache.origin.requestCount() == 1)
        clock.advance(by: .seconds(11))
        #expect(try await cache.send("/gone").status == 404)
        #expect(cache.origin.requestCount() == 2)
    }
}

@Suite struct `Cache policies` {
    private func stale() async throws -> CacheHarness {
        let cache = try CacheHarness()
        cache.origin.on("/a", .text("one", cache: "max-age=60, must-revalidate", tag: "\"1\"", date: cache.date))
        _ = try await cache.send("/a")
        cache.clock.advance(by: .seconds(100_000))
        return cache
    }

    @Test func `offline takes what is stored, however old, and never asks`() async throws {
        let cache = try await stale()
        let answer = try await cache.send("/a", policy: .storedOnly)
        #expect(answer.text == "one")
        #expect(answer.source == .stale)
        let error = await #expect(throws: TransportError.self) { try await cache.send("/b", policy: .storedOnly) }
        #expect(error?.code == .notInCache)
        #expect(cache.origin.requestCount() == 1)
    }

    @Test func `stored else load takes what is stored, however old, and loads the rest`() async throws {
        let cache = try await stale()
        cache.origin.on("/b", .text("b"))
        #expect(try await cache.send("/a", policy: .storedElseLoad).text == "one")
        #expect(cache.origin.requestCount() == 1)
        #expect(try await cache.send("/b", policy: .storedElseLoad).text == "b")
        #expect(cache.origin.requestCount() == 2)
    }

    @Test func `reload asks without a condition and stores what comes`() async throws {
        let cache = try CacheHarness()
        cache.origin.on(
            "/a", replies: ["one", "two"].map { .text($0, cache: "max-age=60", tag: "\"1\"", date: cache.date) })
        _ = try await cache.send("/a")
        #expect(try await cache.send("/a", policy: .reload).text == "two")
        #expect(try await cache.send("/a").text == "two")
        #expect(cache.origin.requestCount() == 2)
        #expect(cache.origin.requests.allSatisfy { $0.fields["If-None-Match"] == nil })
    }

    @Test func `only-if-cached is answered with 504 where nothing is stored`() async throws {
        let cache = try CacheHarness()
        let answer = try await cache.send("/a", ["Cache-Control": "only-if-cached"])
        #expect(answer.status == 504)
        #expect(answer.cacheStatus.hasPrefix("Calotype"))
        #expect(cache.origin.requestCount() == 0)
    }
}

private final class Product: Sendable {
    let status: Int
    let fields: HTTPFields
    let body: Data?

    init(_ response: HTTPResponse) {
        status = response.status
        fields = response.fields
        body = response.body.whole
    }
}
