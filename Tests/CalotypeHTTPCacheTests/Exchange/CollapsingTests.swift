import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeTesting
import Foundation
import Testing
import Waiting

@Suite struct `Equal requests at the same time` {
    @Test func `become one exchange, of which all read the body`() async throws {
        let cache = try CacheHarness()
        let gate = Gate()
        let body = Data((0..<300_000).map { UInt8($0 % 251) })
        cache.origin.on(
            "/a", OriginReply(fields: ["Cache-Control": "max-age=60", "Date": cache.date], body: body).held(by: gate))
        let answers = (0..<20).map { _ in Task { try await cache.send("/a") } }
        await waitUntil { cache.cache.waiters >= 19 }
        gate.open()
        var collapsed = 0
        for answer in answers {
            let answer = try await answer.value
            #expect(answer.body == body)
            if answer.cacheStatus.contains("collapsed") { collapsed += 1 }
        }
        #expect(collapsed == 19)
        #expect(cache.origin.requestCount() == 1)
        #expect(cache.cache.transfersUnderWay == 0)
    }

    @Test func `share a body that has begun, from its beginning`() async throws {
        let cache = try CacheHarness()
        let gate = Gate()
        let body = Data(repeating: 7, count: 100_000)
        cache.origin.on(
            "/a",
            OriginReply(fields: ["Cache-Control": "max-age=60", "Date": cache.date], body: body)
                .bodyHeld(by: gate, after: 50_000))
        let first = try await cache.transport.send(cache.request("/a"))
        var reader = first.body.makeAsyncIterator()
        var read = try await reader.next()?.count ?? 0
        let second = try await cache.transport.send(cache.request("/a"))
        #expect(second.fields["Cache-Status"]?.contains("collapsed") == true)
        gate.open()
        while let chunk = try await reader.next() { read += chunk.count }
        #expect(read == body.count)
        #expect(try await second.body.collect() == body)
        #expect(cache.origin.requestCount() == 1)
    }

    @Test(arguments: [[HTTPCachePolicy.useProtocol, .unstored], [.unstored, .useProtocol]])
    func `become one exchange, whether they may be answered from the store or not`(policies: [HTTPCachePolicy])
        async throws
    {
        let cache = try CacheHarness()
        let gate = Gate()
        cache.origin.on("/a", .text("new", cache: "max-age=60", date: cache.date).held(by: gate))
        let first = Task { try await cache.send("/a", policy: policies[0]) }
        await cache.origin.waitForRequests(1)
        let second = Task { try await cache.send("/a", policy: policies[1]) }
        await waitUntil { cache.cache.waiters >= 1 }
        gate.open()
        #expect(try await [first.value.text, second.value.text] == ["new", "new"])
        #expect(cache.origin.requestCount() == 1)
        // The response stored by now answers only the first of these.
        _ = try await (cache.send("/a"), cache.send("/a", policy: .unstored))
        #expect(cache.origin.requestCount() == 2)
    }

    @Test func `go on alone where a stored answer was confirmed that they may not use`() async throws {
        let cache = try CacheHarness()
        let gate = Gate()
        let date = cache.date
        cache.origin.on("/a") { request in
            request.fields["If-None-Match"] == nil
                ? .text("new", cache: "max-age=1", tag: "\"1\"", date: date)
                : OriginReply(status: 304, fields: ["ETag": "\"1\"", "Cache-Control": "max-age=60"]).held(by: gate)
        }
        _ = try await cache.send("/a")
        cache.clock.advance(by: .seconds(5))
        let confirming = Task { try await cache.send("/a") }
        await cache.origin.waitForRequests(2)
        let other = Task { try await cache.send("/a", policy: .unstored) }
        await waitUntil { cache.cache.waiters >= 1 }
        gate.open()
        #expect(try await confirming.value.source == .revalidated)
        #expect(try await other.value.source == .network)
        #expect(cache.origin.requestCount() == 3)
    }

    @Test(arguments: ["no-store", "private"])
    func `go on alone where the answer is not to be shared`(directive: String) async throws {
        let cache = try CacheHarness(CacheRules(.shared))
        let gate = Gate()
        cache.origin.on("/a", .text("mine", cache: ByteString(directive), date: cache.date).held(by: gate))
        let answers = (0..<5).map { _ in Task { try await cache.text("/a") } }
        await waitUntil { cache.cache.waiters >= 4 }
        await cache.origin.waitForRequests(1)
        #expect(cache.origin.requestCount() == 1)
        gate.open()
        for answer in answers { #expect(try await answer.value == "mine") }
        #expect(cache.origin.requestCount() == 5)
    }

    // All but the first variant used to go on alone.
    @Test func `that ask for ten variants become ten exchanges`() async throws {
        let cache = try CacheHarness()
        let gate = Gate()
        let date = cache.date
        cache.origin.on("/a") { request in
            OriginReply.text(
                request.fields["X-Kind"]?.string ?? "", cache: "max-age=60", date: date, ["Vary": "X-Kind"]
            ).held(by: gate)
        }
        let answers = (0..<1000).map { number in
            Task { (number % 10, try await cache.text("/a", ["X-Kind": "\(number % 10)"])) }
        }
        await waitUntil { cache.cache.waiters >= 999 }
        gate.open()
        for answer in answers {
            let (kind, text) = try await answer.value
            #expect(text == "\(kind)")
        }
        #expect(cache.origin.requestCount() == 10)
    }

    @Test func `that differ in what Vary names get each their own`() async throws {
        let cache = try CacheHarness()
        let gate = Gate()
        let date = cache.date
        cache.origin.on("/a") { request in
            OriginReply.text(
                request.fields["X-Kind"]?.string ?? "", cache: "max-age=60", date: date, ["Vary": "X-Kind"]
            ).held(by: gate)
        }
        let answers = ["one", "two", "one"].map { kind in
            Task { (kind, try await cache.text("/a", ["X-Kind": ByteString(kind)])) }
        }
        await waitUntil { cache.cache.waiters >= 2 }
        gate.open()
        for answer in answers {
            let (kind, text) = try await answer.value
            #expect(kind == text)
        }
        #expect((2...3).contains(cache.origin.requestCount()))
    }

    @Test func `one that is cancelled leaves, the others notice nothing`() async throws {
        let cache = try CacheHarness()
        let gate = Gate()
        cache.origin.on("/a", .text("one", cache: "max-age=60", date: cache.date).held(by: gate))
        let leaving = Task { try await cache.text("/a") }
        await cache.origin.waitForRequests(1)
        let staying = Task { try await cache.text("/a") }
        await waitUntil { cache.cache.waiters >= 1 }
        leaving.cancel()
        let error = await #expect(throws: TransportError.self) { try await leaving.value }
        #expect(error?.code == .cancelled)
        gate.open()
        #expect(try await staying.value == "one")
        #expect(cache.origin.requestCount() == 1)
    }

    @Test func `the last one that leaves ends the exchange`() async throws {
        let cache = try CacheHarness()
        let gate = Gate()
        cache.origin.on("/a", .text("one", cache: "max-age=60", date: cache.date).held(by: gate))
        let leaving = Task { try await cache.text("/a") }
        await cache.origin.waitForRequests(1)
        leaving.cancel()
        _ = try? await leaving.value
        await cache.origin.waitForDisconnects(1)
        gate.open()
        #expect(try await cache.text("/a") == "one")
        #expect(cache.origin.requestCount() == 2)
    }

    @Test func `an exchange goes on into the store without readers where the options say so`() async throws {
        var options = HTTPCacheOptions()
        options.finishesAbandoned = true
        let cache = try CacheHarness(options: options)
        let gate = Gate()
        let body = Data(repeating: 1, count: 200_000)
        cache.origin.on(
            "/a",
            OriginReply(fields: ["Cache-Control": "max-age=60", "Date": cache.date], body: body)
                .bodyHeld(by: gate, after: 1000))
        var response: HTTPResponse? = try await cache.transport.send(cache.request("/a"))
        #expect(response != nil)
        response = nil
        gate.open()
        #expect(try await cache.send("/a").body == body)
        #expect(cache.origin.requestCount() == 1)
    }

    @Test func `share a failure and leave nothing behind`() async throws {
        let cache = try CacheHarness()
        let gate = Gate()
        cache.origin.on(
            "/a",
            replies: [
                .status(200).held(by: gate).resetImmediately(), .text("one", cache: "max-age=60", date: cache.date),
            ])
        let answers = (0..<3).map { _ in Task { try await cache.text("/a") } }
        await waitUntil { cache.cache.waiters >= 2 }
        gate.open()
        for answer in answers { await #expect(throws: TransportError.self) { try await answer.value } }
        #expect(try await cache.text("/a") == "one")
    }
}
