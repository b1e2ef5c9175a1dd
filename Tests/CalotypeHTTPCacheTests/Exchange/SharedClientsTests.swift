import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeTesting
import Foundation
import Testing
import Waiting

/// Over real connections: a response meant for one client of a shared cache must not reach the next one.
@Suite struct `What is meant for one client` {
    /// Sets a session in every response, ALICE with credentials, else GUEST. 304s and answers to HEAD have
    /// `directives`.
    private func serve(_ cache: CacheHarness, confirming directives: ByteString, tag: ByteString = "\"1\"") {
        let clock = cache.clock
        cache.origin.on("/a") { request in
            let date = HTTPDate.format(clock.wall.now)
            let isAlice = request.fields["Authorization"] != nil || request.fields["Cookie"] != nil
            var fields: HTTPFields = ["ETag": tag, "Date": date]
            fields["Set-Cookie"] = isAlice ? "session=ALICE" : "session=GUEST"
            let isConfirmed = request.fields["If-None-Match"] == tag
            fields["Cache-Control"] = isConfirmed || request.method == "HEAD" ? directives : "max-age=60"
            return OriginReply(
                status: isConfirmed ? 304 : 200, fields: fields, body: isConfirmed ? Data() : Data("one".utf8))
        }
    }

    // By RFC 9111 §3.2 a 304 updates stored fields; its Set-Cookie used to go out with every hit.
    @Test(
        arguments: [
            ("Authorization", "max-age=600", CacheOutcome.Source.revalidated),
            ("Authorization", "public, max-age=600", .fresh), ("Cookie", "max-age=600", .fresh),
        ] as [(CaselessString, ByteString, CacheOutcome.Source)])
    func `a session in a 304 goes to the client that asked`(
        credentials: CaselessString, directives: ByteString, afterwards: CacheOutcome.Source
    ) async throws {
        let cache = try CacheHarness(CacheRules(.shared))
        serve(cache, confirming: directives)
        #expect(try await cache.send("/a")["Set-Cookie"] == "session=GUEST")
        cache.clock.advance(by: .seconds(100))
        let alice = try await cache.send("/a", [HTTPFields.Field(name: credentials, value: "alice")].fields)
        #expect(alice.source == .revalidated)
        #expect(alice["Set-Cookie"] == "session=ALICE")
        let anonymous = try await cache.send("/a")
        #expect(anonymous.source == afterwards)
        // A client that had to ask received its own session.
        #expect(anonymous["Set-Cookie"] == (afterwards == .fresh ? nil : "session=GUEST"))
        #expect(anonymous.text == "one")
    }

    @Test(
        arguments: [
            ("Authorization", "max-age=600"), ("Authorization", "public, max-age=600"), ("Cookie", "max-age=600"),
        ] as [(CaselessString, ByteString)])
    func `a session in an answer to HEAD goes to the client that asked`(
        credentials: CaselessString, directives: ByteString
    ) async throws {
        let cache = try CacheHarness(CacheRules(.shared))
        serve(cache, confirming: directives)
        _ = try await cache.send("/a")
        cache.clock.advance(by: .seconds(100))
        let fields = [HTTPFields.Field(name: credentials, value: "alice")].fields
        let alice = try await cache.send("/a", fields, method: .head)
        #expect(alice["Set-Cookie"] == "session=ALICE")
        let anonymous = try await cache.send("/a")
        let isFreshened = credentials == "Cookie" || directives.hasPrefix("public")
        #expect(anonymous.source == (isFreshened ? .fresh : .revalidated))
        #expect(anonymous["Set-Cookie"] == (isFreshened ? nil : "session=GUEST"))
    }

    @Test func `a session in a confirmation that several wait for goes to one of them`() async throws {
        let cache = try CacheHarness(CacheRules(.shared))
        let clock = cache.clock
        let gate = Gate()
        cache.origin.on("/a") { request in
            var reply = OriginReply.text(
                "one", cache: "max-age=60", tag: "\"1\"", date: HTTPDate.format(clock.wall.now),
                ["Set-Cookie": "session=\(request.fields["Cookie"] ?? "GUEST")"])
            if request.fields["If-None-Match"] != nil {
                reply.status = 304
                reply.body = Data()
                reply = reply.held(by: gate)
            }
            return reply
        }
        _ = try await cache.send("/a")
        clock.advance(by: .seconds(100))
        let asking = Task { try await cache.send("/a", ["Cookie": "ALICE"]) }
        await cache.origin.waitForRequests(2)
        let waiting = Task { try await cache.send("/a", ["Cookie": "BOB"]) }
        await waitUntil { cache.cache.waiters >= 1 }
        gate.open()
        #expect(try await asking.value["Set-Cookie"] == "session=ALICE")
        let other = try await waiting.value
        #expect(other.text == "one" && other.cacheStatus.contains("collapsed"))
        #expect(other["Set-Cookie"] == nil)
        #expect(cache.origin.requestCount() == 2)
    }

    @Test func `a session in the rest of a download goes to the client that asked for it`() async throws {
        let cache = try CacheHarness(CacheRules(.shared))
        let date = cache.date
        let body = Data((0..<100_000).map { UInt8($0 % 241) })
        let gate = Gate()
        cache.origin.on("/a") { request in
            var fields: HTTPFields = [
                "Cache-Control": "max-age=1000", "ETag": "\"1\"", "Date": date, "Accept-Ranges": "bytes",
                "Set-Cookie": "session=\(request.fields["Cookie"] ?? "GUEST")",
            ]
            guard let range = request.fields["Range"],
                let start = Int(range.string.dropFirst("bytes=".count).dropLast())
            else { return OriginReply(fields: fields, body: body).droppedAfter(bytes: 40_000) }
            fields["Content-Range"] = "bytes \(start)-\(body.count - 1)/\(body.count)"
            return OriginReply(status: 206, fields: fields, body: body[start...]).bodyHeld(by: gate, after: 1000)
        }
        await #expect(throws: TransportError.self) { try await cache.send("/a") }
        let alice = try await cache.transport.send(cache.request("/a", ["Cookie": "ALICE"]))
        #expect(alice.status == 200)
        #expect(alice.fields.values(of: "Set-Cookie") == ["session=ALICE"])
        // One client joins while the rest arrives, and one finds it stored.
        let joined = try await cache.transport.send(cache.request("/a"))
        #expect(joined.fields["Set-Cookie"] == nil)
        gate.open()
        #expect(try await alice.body.collect() == body)
        #expect(try await joined.body.collect() == body)
        let later = try await cache.send("/a")
        #expect(later.source == .fresh && later.body == body)
        #expect(later["Set-Cookie"] == nil)
        #expect(cache.origin.requestCount() == 2)
    }

    @Test func `a session in a part goes to the client that asked for it`() async throws {
        let cache = try CacheHarness(CacheRules(.shared))
        cache.origin.on(
            "/a",
            OriginReply(
                status: 206,
                fields: [
                    "Cache-Control": "max-age=60", "Date": cache.date, "Content-Range": "bytes 0-2/10",
                    "Set-Cookie": "session=ALICE",
                ], body: Data("012".utf8)))
        let alice = try await cache.send("/a", ["Range": "bytes=0-2"])
        #expect(alice["Set-Cookie"] == "session=ALICE")
        let other = try await cache.send("/a", ["Range": "bytes=0-2"])
        #expect(other.source == .fresh && other.text == "012")
        #expect(other["Set-Cookie"] == nil)
    }

    @Test func `credentials do not complete what others get`() async throws {
        let cache = try CacheHarness(CacheRules(.shared))
        `Interrupted downloads`.serve(cache.origin, date: cache.date)
        await #expect(throws: TransportError.self) { try await cache.send("/a") }
        #expect(try await cache.send("/a", ["Authorization": "alice"]).body == `Interrupted downloads`.body)
        #expect(cache.origin.requests.last?.fields["Range"] == nil)
        #expect(try await cache.send("/a").body == `Interrupted downloads`.body)
        #expect(cache.origin.requests.last?.fields["Range"] != nil)
    }

    // The key used to have its escapes decoded, so that one path's response went to another.
    @Test func `an answer to an escaped path is no answer to the plain one`() async throws {
        let cache = try CacheHarness(CacheRules(.shared))
        cache.origin.on("/strict", .text("here", cache: "max-age=60", date: cache.date))
        cache.origin.on("/%73trict", .text("gone", status: 404, cache: "max-age=60", date: cache.date))
        #expect(try await cache.send("/%73trict").status == 404)
        #expect(try await cache.send("/strict").text == "here")
        #expect(cache.origin.requests.map(\.target) == ["/%73trict", "/strict"])
    }

    @Test(
        arguments: [
            (["Cache-Control": "max-age=600, foo=\"bar, no-store"], "one line"),
            (["Cache-Control": "max-age=600, foo=\"bar", "Cache-control": "no-store"], "two lines"),
            (["Connection": "Cache-Control", "Cache-Control": "no-store", "Expires": "@600"], "named by Connection"),
            (["Connection": "Vary", "Cache-Control": "max-age=600", "Vary": "Cookie"], "Vary named by Connection"),
            (["Last-Modified": "@-100000", "Set-Cookie": "session=ALICE"], "a guess"),
        ] as [(HTTPFields, String)])
    func `what an origin kept from others is kept from them`(_ fields: HTTPFields, _ claim: String) async throws {
        let cache = try CacheHarness(CacheRules(.shared))
        let now = cache.clock.wall.now
        var dated = HTTPFields(
            fields.map { field in
                guard field.value.hasPrefix("@"), let offset = Double(field.value.string.dropFirst()) else {
                    return field
                }
                return .init(name: field.name, value: HTTPDate.format(now + offset))
            })
        dated["Date"] = cache.date
        cache.origin.on("/a", OriginReply(fields: dated, body: Data("mine".utf8)))
        _ = try await cache.send("/a", ["Cookie": "alice"])
        #expect(try await cache.send("/a", ["Cookie": "bob"]).source == .network, "\(claim)")
        #expect(cache.origin.requestCount() == 2, "\(claim)")
    }
}

extension [HTTPFields.Field] {
    fileprivate var fields: HTTPFields { HTTPFields(self) }
}
