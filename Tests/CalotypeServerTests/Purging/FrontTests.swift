import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeServer

/// The calls to a cache in front of the server, against stand-ins that answer as documented.
@Suite struct FrontTests {
    private static let token = "0123456789abcdef-secret"
    private static let cat: ByteString = "http://example.com/cat.jpg"

    private static func front(_ text: String) throws -> FrontCache {
        FrontCache(try #require(FrontCache.kind(ByteString(text))), token: AdminToken(ByteString(token)))
    }

    private static func purge(_ target: PurgeTarget, isHard: Bool = true) -> Purge {
        Purge(target, isHard: isHard, at: 0)
    }

    // MARK: Calls

    @Test func `Cloudflare gets the tag of a source, and purges everything for a prefix`() throws {
        let front = try Self.front("cloudflare:0a1b")
        let target = try PurgeTarget.source(Self.cat)
        let call = try #require(front.request(for: Self.purge(target)))
        #expect(call.method == .post)
        #expect(call.url.absoluteString == "https://api.cloudflare.com/client/v4/zones/0a1b/purge_cache")
        #expect(call.fields["Authorization"] == ByteString("Bearer \(Self.token)"))
        #expect(call.fields["Content-Type"] == "application/json")
        let tag = try #require(target.tag)
        #expect(call.body == Data("{\"tags\":[\"\(tag)\"]}".utf8))
        for target in [try PurgeTarget.prefix("http://example.com/"), .all] {
            let everything = try #require(front.request(for: Self.purge(target)))
            #expect(everything.body == Data(#"{"purge_everything":true}"#.utf8))
        }
    }

    @Test(arguments: [true, false]) func `Fastly gets the tag in the path, and soft purges as such`(isHard: Bool) throws
    {
        let front = try Self.front("fastly:SU1Z0isxPaozGVKXdv0eY")
        let target = try PurgeTarget.source(Self.cat)
        let call = try #require(front.request(for: Self.purge(target, isHard: isHard)))
        let tag = try #require(target.tag)
        #expect(call.method == .post)
        #expect(call.url.absoluteString == "https://api.fastly.com/service/SU1Z0isxPaozGVKXdv0eY/purge/\(tag)")
        #expect(call.fields["Fastly-Key"] == ByteString(Self.token))
        #expect(call.fields["Fastly-Soft-Purge"] == (isHard ? nil : "1"))
        let all = try #require(front.request(for: Self.purge(.all, isHard: isHard)))
        #expect(all.url.path == "/service/SU1Z0isxPaozGVKXdv0eY/purge_all" && all.fields["Fastly-Soft-Purge"] == nil)
    }

    @Test func `Varnish gets BAN with the tag, and without one for everything`() throws {
        let front = try Self.front("varnish:http://127.0.0.1:6081/")
        let target = try PurgeTarget.source(Self.cat)
        let call = try #require(front.request(for: Self.purge(target)))
        #expect(call.method.rawValue == "BAN" && call.url.absoluteString == "http://127.0.0.1:6081/")
        #expect(call.fields["Surrogate-Key"] == target.tag && call.body == nil)
        #expect(try #require(front.request(for: Self.purge(.all))).fields["Surrogate-Key"] == nil)
    }

    @Test(arguments: [
        "", "cloudflare", "cloudflare:a/b", "cloudflare:../x", "fastly:a b", "fastly:a?b", "akamai:1", "varnish:",
        "varnish:127.0.0.1", "varnish:ftp://a/", "varnish:http://u:p@a/", "varnish:http://a/?b",
        "fastly:" + String(repeating: "a", count: 65),
    ]) func `another text names no cache`(text: String) {
        #expect(FrontCache.kind(ByteString(text)) == nil)
    }

    static let answers: [(String, Int, String, Bool)] = [
        ("cloudflare:a", 200, #"{"success":true,"errors":[]}"#, true),
        ("cloudflare:a", 200, #"{"success":false}"#, false),
        ("cloudflare:a", 200, "", false), ("cloudflare:a", 200, "<html>", false),
        ("cloudflare:a", 403, #"{"success":true}"#, false), ("fastly:a", 200, #"{"status":"ok"}"#, true),
        ("fastly:a", 401, "", false), ("varnish:http://a/", 200, "", true), ("varnish:http://a/", 302, "", false),
    ]

    @Test(arguments: answers) func `an answer confirms the purge or refuses it`(
        _ front: String, _ status: Int, _ body: String, _ isConfirmed: Bool
    ) throws {
        #expect((try Self.front(front).refusal(status: status, body: Data(body.utf8)) == nil) == isConfirmed)
    }

    // MARK: Repetition

    /// Answers with these statuses in turn, the last one again and again; 0 is a lost connection.
    private static func standIn(_ statuses: [Int], retryAfter: ByteString? = nil) -> FakeTransport {
        let rest = Locked(statuses[...])
        return FakeTransport { request throws(TransportError) in
            let status = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? 200 }
            guard status > 0 else { throw TransportError(.connectionLost, "gone") }
            var response = HTTPResponse(url: request.url, status: status)
            response.fields["Retry-After"] = status == 429 ? retryAfter : nil
            return response
        }
    }

    static let repetitions: [([Int], ByteString?, [Double], Bool)] = [
        ([200], nil, [], true), ([503, 200], nil, [0.5], true), ([0, 500, 200], nil, [0.5, 1], true),
        ([429, 200], "4", [4], true), ([403], nil, [], false), ([503], nil, [0.5, 1, 2, 4], false),
        ([0], nil, [0.5, 1, 2, 4], false),
    ]

    @Test(arguments: repetitions) func `a call is repeated with pauses, and not for ever`(
        _ statuses: [Int], _ retryAfter: ByteString?, _ pauses: [Double], _ isConfirmed: Bool
    ) async throws {
        let clock = ManualClock()
        let standIn = Self.standIn(statuses, retryAfter: retryAfter)
        let calls = FrontCalls(
            try Self.front("varnish:http://127.0.0.1:6081/"), clock: clock, wallClock: clock.wall, over: standIn)
        let result = Task { await calls.purge(Self.purge(.all)) }
        await clock.waitForSleepers(1)
        #expect(standIn.requestCount == 0)
        clock.advance(by: .seconds(Purge.reach))
        for pause in pauses {
            // The other sleeper is the limit of all calls.
            await clock.waitForSleepers(2)
            clock.advance(by: .seconds(pause))
        }
        #expect((await result.value.error == nil) == isConfirmed)
        #expect(standIn.requestCount == pauses.count + 1)
    }

    @Test func `a cache that asks for a long pause is given up after 30 seconds`() async throws {
        let clock = ManualClock()
        let standIn = Self.standIn([429], retryAfter: "3600")
        let calls = FrontCalls(
            try Self.front("varnish:http://127.0.0.1:6081/"), clock: clock, wallClock: clock.wall, over: standIn)
        let result = Task { await calls.purge(Self.purge(.all)) }
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(Purge.reach))
        await clock.waitForSleepers(2)
        clock.advance(by: FrontCalls.limit)
        #expect(await result.value.error?.contains("30 s") == true)
        #expect(standIn.requestCount == 1)
    }

    // MARK: The fleet

    @Test(arguments: [200, 403]) func `the node that takes a purge calls once, and those that get it do not`(
        status: Int
    ) async throws {
        let server = try TestServer()
        let clock = ManualClock()
        let standIn = Self.standIn([status])
        let calls = FrontCalls(
            try Self.front("varnish:http://127.0.0.1:6081/"), clock: clock, wallClock: clock.wall,
            over: standIn)
        let fleet = FleetPurges(server.server.purging, server.options.basis, front: calls)
        let body = Data(#"{"source":"http://example.com/cat.jpg"}"#.utf8)
        let order = try PurgeOrder(body)
        let taken = Task { try await fleet.take(order, body) }
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(Purge.reach))
        let purge = try await taken.value
        #expect((purge.failure == nil) == (status == 200))
        let text = String(decoding: try JSONEncoder().encode(purge), as: UTF8.self)
        #expect(text.contains("\"front\":{") && text.contains("\"tag\":\"src-"))
        #expect(try await fleet.take(order, from: "another")?.front == nil)
        #expect(standIn.requestCount == 1)
    }
}
