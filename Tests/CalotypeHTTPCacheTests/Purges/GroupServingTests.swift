import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeHTTPCache

@Suite struct `Groups of responses` {
    private let cache: CacheHarness
    private let count = Locked(0)

    init() throws { cache = try CacheHarness(.shared) }

    /// Answers with the number of the request, in groups.
    private func serve(
        _ path: String, _ groups: ByteString?, invalidates: ByteString? = nil, status: Int = 200, by gate: Gate? = nil
    ) {
        let clock = cache.clock
        cache.origin.on(path) { [count] request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            var fields: HTTPFields = [:]
            fields["Cache-Groups"] = groups
            fields["Cache-Group-Invalidation"] = invalidates
            let isUnsafe = request.method != "GET"
            let reply = OriginReply.text(
                "\(number)", status: isUnsafe ? status : 200, cache: "max-age=600", tag: "\"\(number)\"",
                date: HTTPDate.format(clock.wall.now), fields)
            return isUnsafe ? reply : gate.map { reply.held(by: $0) } ?? reply
        }
    }

    private func text(_ path: String) async throws -> String {
        cache.clock.advance(by: .seconds(1))
        return try await cache.text(path)
    }

    private func post(_ path: String = "/post", _ method: HTTPMethod = .post) async throws {
        cache.clock.advance(by: .seconds(1))
        _ = try await cache.send(path, method: method)
    }

    private func url(_ path: String = "/") -> URL { cache.origin.url(path) }

    @Test(.requirement("RFC 9875 §3"), arguments: [200, 201, 404, 500])
    func `an unsafe request invalidates the groups that its response names`(status: Int) async throws {
        for (path, groups) in [("/a", "\"x\", \"y\""), ("/b", "\"y\""), ("/c", "\"z\""), ("/d", nil)] {
            serve(path, groups.map { ByteString($0) })
        }
        serve("/post", nil, invalidates: "\"y\", \"w\"", status: status)
        for path in ["/a", "/b", "/c", "/d", "/a", "/b"] { _ = try await text(path) }
        #expect(cache.origin.requestCount() == 4)
        try await post()
        let request = cache.request("/a")
        #expect(cache.cache.immediateAnswer(to: request) == nil)
        #expect(cache.cache.immediateAnswer(to: cache.request("/c")) != nil)
        for _ in 0..<2 {
            #expect(try await text("/c") == "3")
            #expect(try await text("/d") == "4")
            #expect(try await text("/a") == "6")
            #expect(try await text("/b") == "7")
        }
        #expect(cache.origin.requestCount() == 7)
        #expect(cache.origin.requests.last?.fields["If-None-Match"] == nil)
    }

    @Test(.requirement("RFC 9875 §3")) func `a safe request invalidates no group`() async throws {
        serve("/a", "\"x\"")
        serve("/b", nil, invalidates: "\"x\"")
        for path in ["/a", "/b", "/a"] { _ = try await text(path) }
        #expect(cache.origin.requestCount() == 2)
    }

    @Test(.requirement("RFC 9875 §2.1")) func `groups of another origin are others, and capitals count`() async throws {
        let other = try OriginServer()
        other.on("/post", OriginReply(fields: ["Cache-Group-Invalidation": "\"x\", \"Y\""]))
        serve("/a", "\"x\"")
        serve("/post", nil, invalidates: "\"X\"")
        _ = try await text("/a")
        try await post()
        _ = try await cache.transport.send(HTTPRequest(other.url("/post"), method: .post)).body.collect()
        #expect(try await text("/a") == "1")
    }

    @Test(arguments: ["\"x", "x", "\"x\",", "(\"x\")", ""])
    func `a malformed field invalidates nothing`(_ text: String) async throws {
        serve("/a", "\"x\"")
        serve("/post", nil, invalidates: ByteString(text))
        _ = try await self.text("/a")
        try await post()
        #expect(try await self.text("/a") == "1")
    }

    @Test func `a response with more groups than can be told apart is in each of its origin`() async throws {
        let names = (0..<200).map { "\"\($0)\"" }.joined(separator: ",")
        serve("/a", ByteString(names))
        serve("/b", "\"x\"")
        serve("/post", nil, invalidates: "\"other\"")
        for path in ["/a", "/b"] { _ = try await text(path) }
        try await post()
        #expect(try await text("/a") == "4")
        #expect(try await text("/b") == "2")
        serve("/post", nil, invalidates: ByteString(names))
        try await post()
        #expect(try await text("/b") == "6")
    }

    @Test func `a response that was requested before is not stored, and answers no later request`() async throws {
        let gate = Gate()
        serve("/a", "\"x\"", by: gate)
        serve("/post", nil, invalidates: "\"x\"")
        let first = Task { try await text("/a") }
        await cache.origin.waitForRequests(1)
        try await post()
        let second = Task { try await text("/a") }
        await waitUntil { cache.cache.waiters == 1 }
        gate.open()
        #expect(try await first.value == "1")
        #expect(try await second.value == "3")
        #expect(try await text("/a") == "3")
    }

    @Test func `a response that is stale, or confirmed later, counts as the others do`() async throws {
        let origin = cache.origin
        serve("/a", "\"x\"")
        _ = try await text("/a")
        cache.clock.advance(by: .seconds(700))
        origin.on("/a") { _ in OriginReply(status: 304, fields: ["ETag": "\"1\"", "Cache-Control": "max-age=600"]) }
        #expect(try await text("/a") == "1")
        cache.cache.removeStored(inGroups: ["x"], of: url("/other?y"))
        serve("/a", "\"x\"")
        #expect(try await text("/a") == "2")
    }

    // MARK: Purges

    @Test func `a purge of groups removes them, for all users, and empties the store as requests come`() async throws {
        let users = try CacheHarness(
            .shared, origin: cache.origin, clock: cache.clock, partition: { $0.fields["Cookie"] ?? "" })
        serve("/a", "\"x\"")
        serve("/b", "\"y\"")
        for user: ByteString in ["anna", "ben"] {
            for path in ["/a", "/b"] { _ = try await users.text(path, ["Cookie": user]) }
        }
        users.clock.advance(by: .seconds(1))
        users.cache.removeStored(inGroups: ["x", "z"], of: url())
        users.clock.advance(by: .seconds(1))
        for user: ByteString in ["anna", "ben"] {
            #expect(users.cache.immediateAnswer(to: users.request("/a", ["Cookie": user])) == nil)
            #expect(users.cache.immediateAnswer(to: users.request("/b", ["Cookie": user])) != nil)
            let stored = try await users.send("/a", ["Cookie": user, "Cache-Control": "only-if-cached"])
            #expect(stored.status == 504)
        }
        let key = ByteString("anna\n\(url("/a").absoluteString)")
        #expect(users.store.immediateVariants(of: key) == nil)
    }

    @Test func `a purge without groups, or of no origin, removes nothing`() async throws {
        serve("/a", "\"x\"")
        _ = try await text("/a")
        cache.cache.removeStored(inGroups: [], of: url())
        cache.cache.removeStored(inGroups: ["x"], of: URL(fileURLWithPath: "/a"))
        #expect(try await text("/a") == "1")
    }
}
