import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Testing
import Waiting

@testable import CalotypeHTTPCache

/// A cache whose clients do not decide how it asks the origin.
@Suite struct `A gateway` {
    private func harness(
        _ reply: OriginReply = .text("whole", cache: "max-age=60", tag: "\"1\""), base: (any Transport)? = nil
    ) throws -> CacheHarness {
        var options = HTTPCacheOptions()
        options.isGateway = true
        options.name = "Front"
        let cache = try CacheHarness(.shared, base: base, options: options)
        var reply = reply
        reply.fields["Date"] = cache.date
        cache.origin.on("/a", reply)
        return cache
    }

    /// Waits until all that has arrived is stored.
    private func settle(_ cache: CacheHarness) async {
        await waitUntil { cache.cache.transfersUnderWay == 0 }
    }

    @Test func `answers HEAD on a miss from a GET, which it stores`() async throws {
        let cache = try harness()
        let head = try await cache.send("/a", method: .head)
        #expect(head.status == 200 && head.body.isEmpty && head["Content-Length"] == "5")
        await settle(cache)
        #expect(try await cache.text("/a") == "whole")
        #expect(cache.origin.requests.map(\.method) == ["GET"])
    }

    @Test(
        arguments: [
            (["If-None-Match": "\"1\""], 304), (["If-None-Match": "\"2\""], 200),
            (["Range": "bytes=0-1"], 200), (["Range": "bytes=0-1", "If-Range": "\"1\""], 200),
            (["If-Match": "\"2\""], 200), (["If-Modified-Since": "Mon, 01 Jan 2024 00:00:00 GMT"], 200),
        ] as [(HTTPFields, Int)])
    func `sends no condition and no range of a client`(_ fields: HTTPFields, _ status: Int) async throws {
        let cache = try harness()
        let answer = try await cache.send("/a", fields)
        #expect(answer.status == status && answer.text == (status == 200 ? "whole" : ""))
        await settle(cache)
        #expect(try await cache.text("/a") == "whole")
        let asked = try #require(cache.origin.requests.first).fields
        #expect(cache.origin.requestCount() == 1)
        #expect(fields.allSatisfy { asked[$0.name] == nil })
    }

    @Test func `answers ranges and conditions from what it has stored`() async throws {
        let cache = try harness()
        _ = try await cache.send("/a")
        let part = try await cache.send("/a", ["Range": "bytes=1-2"])
        #expect(part.status == 206 && part.text == "ho")
        #expect(try await cache.send("/a", ["Range": "bytes=9-"]).status == 416)
        #expect(try await cache.send("/a", ["If-None-Match": "\"1\""]).status == 304)
        #expect(cache.origin.requestCount() == 1)
    }

    @Test(
        arguments: [
            ["Cache-Control": "no-cache"], ["Cache-Control": "no-store"], ["Cache-Control": "max-age=0"],
            ["Cache-Control": "min-fresh=600"], ["Pragma": "no-cache"], ["Cache-Control": "only-if-cached"],
        ] as [HTTPFields])
    func `ignores the directives of its clients`(_ fields: HTTPFields) async throws {
        let cache = try harness()
        for _ in 0..<2 { #expect(try await cache.text("/a", fields) == "whole") }
        #expect(cache.cache.immediateAnswer(to: cache.request("/a", fields)) != nil)
        #expect(cache.origin.requestCount() == 1)
        #expect(cache.origin.requests.allSatisfy { $0.fields["Cache-Control"] == nil && $0.fields["Pragma"] == nil })
    }

    @Test func `validates with its own tag alone, and answers the client's condition itself`() async throws {
        let cache = try harness(.text("whole", cache: "max-age=1", tag: "\"1\""))
        _ = try await cache.send("/a")
        cache.origin.on("/a", OriginReply(status: 304, fields: ["ETag": "\"1\"", "Cache-Control": "max-age=600"]))
        cache.clock.advance(by: .seconds(60))
        let other = try await cache.send("/a", ["If-None-Match": "\"0\""])
        #expect(other.status == 200 && other.text == "whole")
        #expect(cache.origin.requests.last?.fields["If-None-Match"] == "\"1\"")
        #expect(try await cache.send("/a", ["If-None-Match": "\"1\""]).status == 304)
        #expect(cache.origin.requestCount() == 2)
    }

    @Test func `sends one request for clients with different methods and conditions`() async throws {
        let gate = Gate()
        let cache = try harness(.text("whole", cache: "max-age=60", tag: "\"1\"").held(by: gate))
        let requests: [(HTTPFields, HTTPMethod)] = [
            ([:], .get), ([:], .head), (["If-None-Match": "\"1\""], .get), (["Cache-Control": "no-cache"], .get),
        ]
        let answers = requests.map { fields, method in
            Task { try await cache.send("/a", fields, method: method) }
        }
        await waitUntil { cache.cache.waiters >= answers.count - 1 }
        gate.open()
        var statuses: [Int] = []
        var texts: [String] = []
        for answer in answers {
            let answer = try await answer.value
            statuses.append(answer.status)
            texts.append(answer.text)
        }
        #expect(statuses == [200, 200, 304, 200])
        #expect(texts == ["whole", "", "", "whole"])
        #expect(cache.origin.requestCount() == 1)
    }

    @Test func `answers HEAD without a body where nothing is stored`() async throws {
        let cache = try harness(.text("whole", cache: "no-store"))
        let head = try await cache.send("/a", method: .head)
        #expect(head.status == 200 && head.body.isEmpty && head["Content-Length"] == "5")
        #expect(cache.origin.requests.map(\.method) == ["GET"])
    }

    @Test func `has a name in Cache-Status, on hits of every kind`() async throws {
        let cache = try harness()
        for _ in 0..<3 { #expect(try await cache.send("/a").cacheStatus.hasPrefix("Front; ")) }
        #expect(try await cache.send("/a", ["If-None-Match": "\"1\""]).cacheStatus.hasPrefix("Front; hit"))
    }
}

@Suite struct `A queue that is full` {
    @Test func `is answered by a stale response, and without one by the error`() async throws {
        let isFull = Locked(false)
        let base = FakeTransport { request throws(TransportError) in
            guard !isFull.withLock({ $0 }) else { throw .overloaded }
            return HTTPResponse(
                url: request.url, status: 200, fields: ["Cache-Control": "max-age=1", "Content-Length": "3"],
                body: HTTPBody(Data("old".utf8)))
        }
        let cache = try CacheHarness(base: base)
        _ = try await cache.send("/a")
        cache.clock.advance(by: .seconds(60))
        isFull.withLock { $0 = true }
        let stale = try await cache.send("/a")
        #expect(stale.text == "old" && stale.source == .stale)
        await #expect(throws: TransportError.self) { try await cache.send("/b") }
    }
}

@Suite struct `Fields for an origin` {
    @Test func `do not keep a shared cache from storing the response`() async throws {
        let origin = try OriginServer()
        origin.on("/a") { request in
            request.fields["Authorization"] == "Basic c2VjcmV0" ? .text("secret", cache: "max-age=60") : .status(401)
        }
        let prefix = try URLPrefix(origin.url.absoluteString)
        let fields: HTTPFields = ["Authorization": "Basic c2VjcmV0"]
        let base = CurlTransport().settingFields(by: { [(prefix: prefix, fields: fields)] })
        let cache = try CacheHarness(.shared, origin: origin, base: base)
        for _ in 0..<2 { #expect(try await cache.text("/a") == "secret") }
        #expect(origin.requestCount() == 1)
    }
}
