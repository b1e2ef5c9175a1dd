import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing
import Waiting

@testable import CalotypeHTTPCache

/// Purges in a list of the test.
private final class TestPurges: Purges {
    private let state = Locked<(moments: PurgeMoments, count: Int)>((.none, 0))

    var generation: Int { state.withLock { $0.count } }

    func moments(of key: ByteString) -> PurgeMoments { key.hasSuffix("/a") ? state.withLock { $0.moments } : .none }

    func purge(stale: Double = -.infinity, absent: Double = -.infinity) {
        state.withLock { state in
            state.moments.add(PurgeMoments(stale: stale, absent: absent))
            state.count += 1
        }
    }
}

@Suite struct `Purged responses` {
    private let purges = TestPurges()
    private let cache: CacheHarness

    init() throws {
        var options = HTTPCacheOptions()
        options.purges = purges
        cache = try CacheHarness(options: options)
    }

    private var now: Double { cache.clock.wall.now }

    /// Serves "one" once, and then "two"; to requests with the tag of "one", a 304.
    private func serve(_ cacheControl: ByteString = "max-age=1000") {
        let (one, date) = (AtomicFlag(), cache.date)
        cache.origin.on("/a") { request in
            guard request.fields["If-None-Match"] == nil else {
                return OriginReply(status: 304, fields: ["ETag": "\"1\"", "Cache-Control": cacheControl])
            }
            return one.isFirst
                ? .text("one", cache: cacheControl, tag: "\"1\"", date: date)
                : .text("two", cache: cacheControl, tag: "\"2\"", date: date)
        }
        cache.origin.on("/b", .text("other", cache: cacheControl, date: date))
    }

    private func purgeHard() {
        purges.purge(absent: now)
        cache.clock.advance(by: .seconds(1))
    }

    private func purgeSoftly() {
        purges.purge(stale: now)
        cache.clock.advance(by: .seconds(1))
    }

    @Test func `a hard purge makes a response absent, with its validator`() async throws {
        serve()
        #expect(try await cache.text("/a") == "one")
        purgeHard()
        #expect(try await cache.text("/a") == "two")
        #expect(cache.origin.requests.last?.fields["If-None-Match"] == nil)
        #expect(try await cache.text("/a") == "two")
        #expect(cache.origin.requestCount() == 2)
    }

    @Test func `a soft purge makes a response stale, and the origin may confirm it`() async throws {
        serve()
        #expect(try await cache.text("/a") == "one")
        purgeSoftly()
        let answer = try await cache.send("/a")
        #expect(answer.text == "one" && answer.source == .revalidated)
        #expect(cache.origin.requests.last?.fields["If-None-Match"] == "\"1\"")
        #expect(try await cache.send("/a").source == .fresh)
        #expect(cache.origin.requestCount() == 2)
    }

    @Test func `a purge leaves other keys alone`() async throws {
        serve()
        _ = try await (cache.text("/a"), cache.text("/b"))
        purgeHard()
        #expect(try await cache.send("/b").source == .fresh)
        #expect(cache.origin.requestCount() == 2)
    }

    @Test func `a prepared answer in memory ends with the generation that judged it`() async throws {
        serve()
        _ = try await cache.text("/a")
        let request = cache.request("/a")
        for _ in 0..<3 { #expect(cache.cache.immediateAnswer(to: request) != nil) }
        purges.purge(stale: now - 1000)
        for _ in 0..<3 { #expect(cache.cache.immediateAnswer(to: request) != nil) }
        purgeHard()
        #expect(cache.cache.immediateAnswer(to: request) == nil)
        _ = try await cache.text("/a")
        #expect(cache.cache.immediateAnswer(to: request) != nil)
    }

    @Test(arguments: [false, true])
    func `only after a soft purge, a stale response is sent during its revalidation`(isHard: Bool) async throws {
        serve("max-age=1000, stale-while-revalidate=60")
        _ = try await cache.text("/a")
        if isHard { purgeHard() } else { purgeSoftly() }
        let answer = try await cache.send("/a")
        #expect(answer.source == (isHard ? .network : .stale))
        #expect(answer.text == (isHard ? "two" : "one"))
    }

    // The period begins with the purge, not with the end of a lifetime that lasts for ages.
    @Test func `the period of staleness begins with the soft purge`() async throws {
        serve("max-age=1000, stale-while-revalidate=60")
        _ = try await cache.text("/a")
        purgeSoftly()
        cache.clock.advance(by: .seconds(60))
        #expect(try await cache.send("/a").source == .revalidated)
    }

    @Test(arguments: [false, true])
    func `only after a soft purge, a stale response stands in for a failure`(isHard: Bool) async throws {
        serve("max-age=1000, stale-if-error=600")
        _ = try await cache.text("/a")
        if isHard { purgeHard() } else { purgeSoftly() }
        cache.origin.on("/a", .text("down", status: 503))
        let answer = try await cache.send("/a")
        #expect(answer.status == (isHard ? 503 : 200))
        #expect(answer.text == (isHard ? "down" : "one"))
    }

    @Test func `a request that waits for the origin gets no response that is purged meanwhile`() async throws {
        let gate = Gate()
        serve("max-age=10, stale-if-error=600")
        _ = try await cache.text("/a")
        cache.clock.advance(by: .seconds(20))
        cache.origin.on("/a", OriginReply.text("down", status: 503).held(by: gate))
        let waiting = Task { try await cache.send("/a") }
        await cache.origin.waitForRequests(2)
        purgeHard()
        gate.open()
        #expect(try await waiting.value.status == 503)
    }

    @Test(arguments: [false, true])
    func `later requests do not join a request from before a purge, which stores nothing fresh`(
        isHard: Bool
    ) async throws {
        let gate = Gate()
        let date = cache.date
        cache.origin.on(
            "/a",
            replies: [
                .text("old", cache: "max-age=1000", date: date).held(by: gate),
                .text("new", cache: "max-age=1000", date: date),
            ])
        let early = Task { try await cache.text("/a") }
        await cache.origin.waitForRequests(1)
        if isHard { purgeHard() } else { purgeSoftly() }
        #expect(try await cache.text("/a") == "new")
        gate.open()
        #expect(try await early.value == "old")
        await waitUntil { cache.cache.transfersUnderWay == 0 }
        #expect(try await cache.text("/a") != "old")
    }

    @Test func `later requests do not join a body that began to arrive before a purge`() async throws {
        let gate = Gate()
        let date = cache.date
        cache.origin.on(
            "/a",
            replies: [
                OriginReply(fields: ["Cache-Control": "max-age=1000", "Date": date], body: Data("old body".utf8))
                    .bodyHeld(by: gate, after: 3),
                .text("new", cache: "max-age=1000", date: date),
            ])
        let early = try await cache.transport.send(cache.request("/a"))
        await waitUntil { cache.cache.transfersUnderWay == 1 }
        purgeHard()
        #expect(try await cache.text("/a") == "new")
        gate.open()
        #expect(try await early.body.collect() == Data("old body".utf8))
        await waitUntil { cache.cache.transfersUnderWay == 0 }
        #expect(try await cache.text("/a") == "new")
        #expect(cache.origin.requestCount() == 2)
    }

    @Test func `200 requests during purges get the old response or a newer one, never an older one again`()
        async throws
    {
        let count = Locked(0)
        let date = cache.date
        cache.origin.on("/a") { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return .text("\(number)", cache: "max-age=1000", date: date)
        }
        for _ in 0..<5 {
            let answers = (0..<200).map { _ in Task { try await cache.text("/a") } }
            let before = count.withLock { $0 }
            purgeHard()
            for isDone in [false, true] {
                if isDone { for answer in answers { _ = try await answer.value } }
                let number = Int(try await cache.text("/a")) ?? 0
                #expect(number > before)
            }
        }
    }

    // A response of a time to come was requested before the clock was set back: perhaps before the purge.
    @Test func `after the clock is set back, a purge covers what was stored before, and ends`() async throws {
        serve("max-age=10000")
        _ = try await cache.text("/a")
        cache.clock.advance(by: .seconds(-3600))
        purges.purge(absent: now)
        cache.clock.advance(by: .seconds(1))
        #expect(try await cache.text("/a") == "two")
        #expect(try await cache.send("/a").source == .fresh)
    }

    @Test func `a purge before the clock is set back holds until its time comes again, and not for ever`()
        async throws
    {
        serve("max-age=10000")
        _ = try await cache.text("/a")
        purges.purge(stale: now)
        cache.clock.advance(by: .seconds(-3600))
        for _ in 0..<2 { #expect(try await cache.send("/a").source != .fresh) }
        cache.clock.advance(by: .seconds(3602))
        _ = try await cache.text("/a")
        #expect(try await cache.send("/a").source == .fresh)
    }
}

private final class AtomicFlag: Sendable {
    private let isUsed = Locked(false)

    var isFirst: Bool {
        isUsed.withLock { isUsed in
            defer { isUsed = true }
            return !isUsed
        }
    }
}
