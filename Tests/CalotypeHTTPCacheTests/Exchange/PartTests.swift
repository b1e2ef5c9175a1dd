import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeTesting
import CalotypeTransport
import Foundation
import Testing
import Waiting

@Suite struct `Interrupted downloads` {
    static let body = Data((0..<100_000).map { UInt8($0 % 241) })

    /// Sets up an origin with ranges: its first response breaks off, later ones are whole or the requested part.
    static func serve(_ origin: OriginServer, date: ByteString, tags: [ByteString] = ["\"1\""], ranges: Bool = true) {
        let count = Locked(0)
        origin.on("/a") { request in
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            let tag = tags[min(number, tags.count - 1)]
            var fields: HTTPFields = ["Cache-Control": "max-age=1000", "ETag": tag, "Date": date]
            if ranges { fields["Accept-Ranges"] = "bytes" }
            if number == 0 { return OriginReply(fields: fields, body: body).droppedAfter(bytes: 40_000) }
            guard let range = request.fields["Range"], request.fields["If-Range"] == tag,
                let start = Int(range.string.dropFirst("bytes=".count).dropLast())
            else { return OriginReply(fields: fields, body: body) }
            fields["Content-Range"] = "bytes \(start)-\(body.count - 1)/\(body.count)"
            return OriginReply(status: 206, fields: fields, body: body[start...])
        }
    }

    @Test func `are never whole, and go on where they broke off`() async throws {
        let cache = try CacheHarness()
        Self.serve(cache.origin, date: cache.date)
        await #expect(throws: TransportError.self) { try await cache.send("/a") }
        let answer = try await cache.send("/a")
        #expect(answer.status == 200)
        #expect(answer.body == Self.body)
        #expect(answer["Content-Length"] == "100000")
        #expect(answer["Content-Range"] == nil)
        #expect(answer.cacheStatus.contains("fwd=partial"))
        let request = try #require(cache.origin.requests.last)
        #expect(request.fields["If-Range"] == "\"1\"")
        let held = try #require(request.fields["Range"].flatMap { Int($0.string.dropFirst(6).dropLast()) })
        #expect(held > 0 && held <= 40_000)
        #expect(try await cache.send("/a").source == .fresh)
        #expect(try await cache.send("/a").body == Self.body)
        #expect(cache.origin.requestCount() == 2)
    }

    // The stored part used to take no room, and the response had no bytes.
    @Test func `are completed though there is no memory to store the whole`() async throws {
        let first = try CacheHarness()
        Self.serve(first.origin, date: first.date)
        await #expect(throws: TransportError.self) { try await first.send("/a") }
        var options = HTTPCacheOptions()
        options.gatheringLimit = 100
        let second = try CacheHarness(origin: first.origin, clock: first.clock, store: first.store, options: options)
        #expect(try await second.send("/a").body == Self.body)
        #expect(first.origin.requests.last?.fields["If-Range"] == "\"1\"")
    }

    @Test func `go on as often as they break off`() async throws {
        let body = Self.body
        let cache = try CacheHarness()
        let date = cache.date
        cache.origin.on("/a") { request in
            var fields: HTTPFields = [
                "Cache-Control": "max-age=1000", "ETag": "\"1\"", "Accept-Ranges": "bytes", "Date": date,
            ]
            let start = request.fields["Range"].flatMap { Int($0.string.dropFirst(6).dropLast()) } ?? 0
            if start > 0 { fields["Content-Range"] = "bytes \(start)-99999/100000" }
            let reply = OriginReply(status: start > 0 ? 206 : 200, fields: fields, body: body[start...])
            return start < 60_000 ? reply.droppedAfter(bytes: 30_000) : reply
        }
        for _ in 0..<2 { await #expect(throws: TransportError.self) { try await cache.send("/a") } }
        var answer = try? await cache.send("/a")
        while answer == nil { answer = try? await cache.send("/a") }
        #expect(answer?.body == body)
        let starts = cache.origin.requests.map {
            $0.fields["Range"].flatMap { Int($0.string.dropFirst(6).dropLast()) } ?? 0
        }
        #expect(starts == starts.sorted() && Set(starts).count == starts.count)
    }

    @Test func `start again where the origin has another one by now`() async throws {
        let cache = try CacheHarness()
        Self.serve(cache.origin, date: cache.date, tags: ["\"1\"", "\"2\""])
        await #expect(throws: TransportError.self) { try await cache.send("/a") }
        let answer = try await cache.send("/a")
        #expect(answer.body == Self.body)
        #expect(answer["ETag"] == "\"2\"")
        #expect(try await cache.send("/a").source == .fresh)
        #expect(cache.origin.requestCount() == 2)
    }

    @Test(arguments: [("W/\"1\"", true), ("\"1\"", false)] as [(ByteString, Bool)])
    func `are not resumed without a strong validator or ranges`(tag: ByteString, ranges: Bool) async throws {
        let cache = try CacheHarness()
        Self.serve(cache.origin, date: cache.date, tags: [tag], ranges: ranges)
        await #expect(throws: TransportError.self) { try await cache.send("/a") }
        #expect(try await cache.send("/a").body == Self.body)
        #expect(cache.origin.requests.allSatisfy { $0.fields["Range"] == nil })
    }

    @Test func `that their last reader left go on where they were left`() async throws {
        let cache = try CacheHarness()
        let gate = Gate()
        let fields: HTTPFields = [
            "Cache-Control": "max-age=1000", "ETag": "\"1\"", "Accept-Ranges": "bytes", "Date": cache.date,
        ]
        cache.origin.on("/a") { request in
            guard let range = request.fields["Range"], let start = Int(range.string.dropFirst(6).dropLast()) else {
                return OriginReply(fields: fields, body: Self.body).bodyHeld(by: gate, after: 30_000)
            }
            var fields = fields
            fields["Content-Range"] = "bytes \(start)-\(Self.body.count - 1)/\(Self.body.count)"
            return OriginReply(status: 206, fields: fields, body: Self.body[start...])
        }
        var response: HTTPResponse? = try await cache.transport.send(cache.request("/a"))
        var reader = response?.body.makeAsyncIterator()
        var read = 0
        while read < 30_000, let chunk = try await reader?.next() { read += chunk.count }
        response = nil
        reader = nil
        await cache.origin.waitForDisconnects(1)
        await waitUntil { cache.store.byteCount > 0 }
        #expect(try await cache.send("/a").body == Self.body)
        #expect(cache.origin.requests.last?.fields["Range"] == "bytes=30000-")
    }

    @Test(arguments: [
        ("bytes 40001-99999/100000", "begins elsewhere"), ("bytes 0-59999/100000", "is the beginning"),
        ("bytes 40000-99999/200000", "is of another length"), ("junk", "is no range"),
        ("bytes 99999-40000/100000", "goes backward"),
    ])
    func `never get a part whose range lies`(range: String, _: String) async throws {
        let body = Self.body
        let count = Locked(0)
        let base = FakeTransport { request throws(TransportError) in
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            var fields: HTTPFields = [
                "Cache-Control": "max-age=1000", "ETag": "\"1\"", "Accept-Ranges": "bytes",
                "Content-Length": "100000", "Date": "Thu, 01 Jan 2026 00:00:00 GMT",
            ]
            switch number {
            case 0:
                let cut = GatedSource([body[0..<40_000]], failure: TransportError(.connectionLost, "gone"))
                return HTTPResponse(url: request.url, status: 200, fields: fields, body: HTTPBody(cut))
            case 1:
                fields["Content-Range"] = ByteString(range)
                fields["Content-Length"] = "60000"
                return HTTPResponse(
                    url: request.url, status: 206, fields: fields, body: HTTPBody(Data(repeating: 0, count: 60_000)))
            default: return HTTPResponse(url: request.url, status: 200, fields: fields, body: HTTPBody(body))
            }
        }
        let cache = try CacheHarness(base: base)
        await #expect(throws: TransportError.self) { try await cache.send("/a") }
        #expect(try await cache.send("/a").body == body)
        #expect(base.requests.map { $0.fields["Range"] } == [nil, "bytes=40000-", nil])
    }
}

@Suite struct `Hostile origins` {
    private func cache(_ response: @escaping @Sendable (HTTPRequest) -> HTTPResponse) throws -> CacheHarness {
        try CacheHarness(base: FakeTransport { response($0) })
    }

    @Test(arguments: [304, 206])
    func `a status that was not asked for is an error`(status: Int) async throws {
        let cache = try cache { request in
            HTTPResponse(
                url: request.url, status: status,
                fields: ["ETag": "\"1\"", "Cache-Control": "max-age=60", "Content-Range": "bytes 0-2/10"],
                body: HTTPBody(Data("abc".utf8)))
        }
        let error = await #expect(throws: TransportError.self) { try await cache.send("/a") }
        #expect(error?.code == .malformedResponse)
        #expect(cache.store.byteCount == 0)
    }

    @Test func `a 304 for another validator is asked again without a condition`() async throws {
        let base = FakeTransport { request throws(TransportError) in
            if request.fields["If-None-Match"] != nil {
                return HTTPResponse(url: request.url, status: 304, fields: ["ETag": "\"other\""])
            }
            return HTTPResponse(
                url: request.url, status: 200, fields: ["ETag": "\"1\"", "Cache-Control": "max-age=0"],
                body: HTTPBody(Data("one".utf8)))
        }
        let cache = try CacheHarness(base: base)
        for _ in 0..<2 { #expect(try await cache.text("/a") == "one") }
        #expect(base.requestCount == 3)
    }

    @Test func `a body cut off in chunks is an error and not stored`() async throws {
        let cache = try CacheHarness()
        cache.origin.on(
            "/a",
            replies: [
                .text("half of it", cache: "max-age=60", date: cache.date).chunked().droppedAfter(bytes: 4),
                .text("all of it", cache: "max-age=60", date: cache.date).chunked(),
            ])
        await #expect(throws: TransportError.self) { try await cache.send("/a") }
        #expect(cache.store.byteCount == 0)
        #expect(try await cache.text("/a") == "all of it")
        #expect(try await cache.text("/a") == "all of it")
        #expect(cache.origin.requestCount() == 2)
    }

    @Test func `a body too large for the store passes through`() async throws {
        var options = HTTPCacheOptions()
        options.bodyLimit = 100_000
        let cache = try CacheHarness(options: options)
        let body = Data(repeating: 9, count: 300_000)
        for path in ["/long", "/chunked"] {
            let reply = OriginReply(fields: ["Cache-Control": "max-age=60", "Date": cache.date], body: body)
            cache.origin.on(path, path == "/long" ? reply : reply.chunked())
            for _ in 0..<2 { #expect(try await cache.send(path).body == body) }
        }
        #expect(cache.origin.requestCount() == 4)
        #expect(cache.store.byteCount == 0)
    }

    @Test func `a store that fails fails nobody`() async throws {
        let problems = Problems()
        let cache = HTTPCache(rules: CacheRules(.private), store: FailingStore(), onProblem: { problems.add("\($0)") })
        let origin = try OriginServer()
        origin.on("/a", .text("one", cache: "max-age=60"))
        let transport = CurlTransport().cached(in: cache)
        for _ in 0..<2 { #expect(try await Answer(transport.send(HTTPRequest(origin.url("/a")))).text == "one") }
        #expect(origin.requestCount() == 2)
        #expect(problems.all.count == 4)
    }
}

private struct FailingStore: HTTPCacheStore {
    private static let failure = TransportError(.other, "the disk is on fire")

    func variants(of key: ByteString) async throws -> [StoredVariant] { throw Self.failure }
    func body(of variant: StoredVariant, for key: ByteString) async throws -> Data? { throw Self.failure }
    func store(_ variant: StoredVariant, for key: ByteString, replacing old: [StoredVariant.ID]) async throws {
        throw Self.failure
    }
    func update(_ variants: [StoredVariant], for key: ByteString) async throws { throw Self.failure }
    func remove(_ ids: [StoredVariant.ID]?, for key: ByteString) async throws { throw Self.failure }
    func removeAll() async throws { throw Self.failure }
}
