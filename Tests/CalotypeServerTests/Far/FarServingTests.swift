import Calotype
import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeStore
import CalotypeTesting
import CalotypeURLs
import TestSupport
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeServer

/// Servers that share results.
struct FarServingTests {
    private let fleet: FarFleet

    init() throws {
        fleet = try FarFleet()
        serve(WebServer.reply("max-age=10000"))
    }

    private func serve(_ first: OriginReply, _ confirmed: OriginReply = WebServer.confirmation) {
        for path in ["/images/a.jpg", "/images/b.jpg"] {
            fleet.origin.on(path) { $0.fields["If-None-Match"] == nil ? first : confirmed }
        }
    }

    // MARK: Reading

    @Test(arguments: [true, false]) func `a second node with an empty store decodes nothing`(isStored: Bool)
        async throws
    {
        let first = try await fleet.fill(try fleet.node(isStored: isStored))
        let node = try fleet.node(isStored: isStored)
        let answers = [try await fleet.get(node), try await fleet.get(node)]
        #expect(answers.allSatisfy { $0.status == 200 && $0.body == first.body && $0.outcome == "hit" })
        #expect(answers.allSatisfy { $0.fields["ETag"] == first.fields["ETag"] && !$0.fields.contains("Calotype-Far") })
        #expect(node.decodes == 0 && fleet.origin.requestCount() == 1)
        // The second answer came from the near store.
        #expect(node.far == FarCounts(lookups: 1, hits: 1))
    }

    @Test func `the best format of a first node is that of a second one, which decodes nothing`() async throws {
        let url = ByteString("\(fleet.origin.url.absoluteString)/images/a.jpg")
        func get(_ node: TestServer) async throws -> TestServer.Answer {
            try await node.get("/_/w:64/f:best/\(ByteString(base64: url.bytes))", ["Accept": "image/webp"])
        }
        let node = try fleet.node()
        let first = try await get(node)
        for _ in 0..<2 { _ = try await get(node) }
        await waitUntil { [fleet] in !fleet.objects.now.writes.isEmpty && node.server.farCounts?.queuedBytes == 0 }
        let second = try fleet.node()
        let answer = try await get(second)
        #expect(first.format == .webp && answer.body == first.body && answer.fields["ETag"] == first.fields["ETag"])
        #expect(second.decodes == 0 && second.far.hits == 1)
    }

    @Test func `100 clients for a result that only the far store has cause one read`() async throws {
        let first = try await fleet.fill(try fleet.node())
        let node = try fleet.node()
        let read = fleet.objects.now.reads.count
        fleet.objects.gate.close()
        let tasks = (0..<100).map { _ in Task { [fleet] in try await fleet.get(node) } }
        await waitUntil { node.server.far?.reader.waiters == 100 }
        fleet.objects.gate.open()
        for task in tasks {
            let answer = try await task.value
            #expect(answer.status == 200 && answer.body == first.body)
        }
        #expect(fleet.objects.now.reads.count == read + 1)
        #expect(node.decodes == 0 && fleet.origin.requestCount() == 1)
    }

    @Test(arguments: [true, false]) func `a stale result of an unknown source costs one 304, and no body`(
        isStored: Bool
    ) async throws {
        serve(WebServer.reply())
        let first = try await fleet.fill(try fleet.node(isStored: isStored))
        fleet.clock.advance(by: .seconds(101 + 3600))
        let node = try fleet.node(isStored: isStored)
        let answer = try await fleet.get(node)
        #expect(answer.outcome == "revalidated" && answer.body == first.body)
        #expect(fleet.origin.requestCount() == 2 && node.decodes == 0)
        #expect(fleet.origin.requests.last?.fields["If-None-Match"] == "\"v1\"")
        // Another size needs the body, which the node loads then.
        #expect(try await fleet.get(node, width: 32).status == 200)
        #expect(node.decodes == 1)
    }

    @Test func `a source that has changed is made again`() async throws {
        serve(WebServer.reply())
        let first = try await fleet.fill(try fleet.node())
        fleet.clock.advance(by: .seconds(101 + 3600))
        let changed = WebServer.reply(tag: "\"v2\"", seed: 2)
        serve(changed, changed)
        let node = try fleet.node()
        let answer = try await fleet.get(node)
        #expect(answer.status == 200 && answer.body != first.body && node.decodes == 1)
    }

    @Test func `a stalled far store delays a result by the limit alone`() async throws {
        let clock = ManualClock()
        let node = try fleet.node {
            $0.clock = clock
            $0.far?.timeout = .milliseconds(250)
        }
        fleet.objects.gate.close()
        let task = Task { [fleet] in try await fleet.get(node) }
        await fleet.objects.gate.waitForWaiters(1)
        await clock.waitForSleepers(TestServer.idleSleepers + 1)
        #expect(fleet.origin.requestCount() == 0)
        clock.advance(by: .milliseconds(250))
        let answer = try await task.value
        #expect(answer.status == 200 && answer.outcome == "made" && node.far.timeouts == 1)
    }

    @Test func `a far store that fails delays nothing`() async throws {
        fleet.objects.update { $0.failure = TransportError(.cannotConnect, "connection refused") }
        let lines = Locked([String]())
        let clock = fleet.clock
        let node = try fleet.node {
            // Nothing is tried again before time passes.
            $0.clock = clock
            $0.report = { line in lines.withLock { $0.append(line) } }
        }
        for width in 1...20 { #expect(try await fleet.get(node, width: width).status == 200) }
        #expect(fleet.objects.now.reads.count == 5 && node.far.failures == 5)
        #expect(lines.withLock { $0.filter { $0.contains("far store") }.count } == 1)
    }

    @Test func `servers with other settings make their own results`() async throws {
        let first = try await fleet.fill(try fleet.node())
        let node = try fleet.node { $0.maxResultSide = 32 }
        let answer = try await fleet.get(node)
        #expect(answer.outcome == "made" && answer.body != first.body && node.decodes == 1)
    }

    @Test func `a result from the future is made again`() async throws {
        try await fleet.fill(try fleet.node())
        let clock = fleet.clock
        let node = try fleet.node { $0.wallClock = WallClock { clock.wall.now - 20 } }
        #expect(try await fleet.get(node).outcome == "made")
    }

    // MARK: Writing

    @Test func `a result is written when the near store answers with it a second time`() async throws {
        let node = try fleet.node()
        for _ in 0..<2 { _ = try await fleet.get(node) }
        try await fleet.fill(node, "/images/b.jpg")
        #expect(fleet.objects.now.writes.count == 1)
        _ = try await fleet.get(node)
        await waitUntil { fleet.objects.now.writes.count == 2 }
        #expect(Set(fleet.objects.now.writes).count == 2)
    }

    @Test func `all results are written if that is asked for, and none likewise`() async throws {
        let all = try fleet.node { $0.far?.writes = .all }
        _ = try await fleet.get(all)
        await waitUntil { fleet.objects.now.writes.count == 1 }
        let none = try fleet.node { $0.far?.writes = FarOptions.Writes.none }
        for _ in 0..<4 { _ = try await fleet.get(none, "/images/b.jpg") }
        #expect(none.far.queuedBytes == 0 && none.far.writes == 0)
        #expect(fleet.objects.now.writes.count == 1)
    }

    @Test func `results of local sources stay near`() async throws {
        let node = try fleet.node { $0.far?.writes = .all }
        try node.write(SamplePhotos.jpeg(width: 64, height: 48), "a.jpg")
        for _ in 0..<4 { #expect(try await node.get("/_/w:32/plain/local:///a.jpg").status == 200) }
        _ = try await fleet.get(node)
        await waitUntil { fleet.objects.now.writes.count == 1 }
        #expect(node.far.lookups == 1)
    }

    @Test func `a node that starts again writes nothing twice`() async throws {
        let folder = TemporaryFolder()
        let first = try fleet.node { $0.store = folder.path }
        try await fleet.fill(first)
        await first.close()
        let second = try fleet.node { $0.store = folder.path }
        for _ in 0..<4 { #expect(try await fleet.get(second).outcome == "hit") }
        try await fleet.fill(second, "/images/b.jpg")
        #expect(fleet.objects.now.writes.count == 2 && Set(fleet.objects.now.writes).count == 2)
        await second.close()
    }

    @Test func `a page in use is written again at half of the age`() async throws {
        serve(WebServer.reply("max-age=31536000"))
        let node = try fleet.node()
        try await fleet.fill(node)
        _ = try await fleet.get(node)
        fleet.clock.advance(by: .seconds(15 * 86_400 - 1))
        for _ in 0..<3 { _ = try await fleet.get(node) }
        #expect(node.far.queuedBytes == 0 && fleet.objects.now.writes.count == 1)
        fleet.clock.advance(by: .seconds(2))
        _ = try await fleet.get(node)
        await waitUntil { fleet.objects.now.writes.count == 2 }
        #expect(Set(fleet.objects.now.writes).count == 1)
    }

    @Test func `the new head of a confirmed result stays near`() async throws {
        serve(WebServer.reply())
        let node = try fleet.node()
        try await fleet.fill(node)
        let page = fleet.objects.now.objects
        fleet.clock.advance(by: .seconds(101 + 3600))
        #expect(try await fleet.get(node).outcome == "revalidated")
        for _ in 0..<3 { #expect(try await fleet.get(node).outcome == "hit") }
        #expect(node.far.queuedBytes == 0 && fleet.objects.now.objects == page)
    }

    // MARK: Removal

    @Test(arguments: ["source", "prefix", "all"]) func `a hard purge covers results in the far store by their time`(
        kind: String
    ) async throws {
        let first = try await fleet.fill(try fleet.node())
        let pages = fleet.objects.now.objects
        let node = try fleet.node()
        let target: PurgeTarget =
            switch kind {
            case "source": try .source(ByteString(fleet.origin.url("/images/a.jpg").absoluteString))
            case "prefix": try .prefix(ByteString(fleet.origin.url("/images").absoluteString))
            default: .all
            }
        _ = try await node.server.purging.purge(target, isHard: true)
        if kind == "source" { await waitUntil { fleet.objects.now.removals.count == 1 } }
        // Another node, which does not know the purge yet, may write its old result.
        fleet.objects.update { $0.objects = pages }
        fleet.clock.advance(by: .seconds(2))
        let changed = WebServer.reply("max-age=10000", tag: "\"v2\"", seed: 2)
        serve(changed, changed)
        let answer = try await fleet.get(node)
        #expect(answer.outcome == "made" && answer.body != first.body && node.far.hits == 1)
        // Not asked whether the old source is still valid.
        #expect(fleet.origin.requests.last?.fields["If-None-Match"] == nil)
    }

    @Test func `a purge covers results that wait to be written`() async throws {
        let node = try fleet.node()
        let widths = 60..<65
        for width in widths { _ = try await fleet.get(node, width: width) }
        fleet.objects.gate.close()
        for width in widths { for _ in 0..<2 { _ = try await fleet.get(node, width: width) } }
        // The last one has no writer yet.
        await fleet.objects.gate.waitForWaiters(4)
        _ = try await node.server.purging.purge(.all, isHard: true)
        fleet.objects.gate.open()
        await waitUntil { node.far.queuedBytes == 0 }
        #expect(fleet.objects.now.writes.count == 4 && node.far.writes == 4)
    }

    @Test func `a hard purge of a source deletes its pages`() async throws {
        let node = try fleet.node()
        try await fleet.fill(node)
        try await fleet.fill(node, width: 32)
        try await fleet.fill(node, "/images/b.jpg")
        let source = ByteString(fleet.origin.url("/images/a.jpg").absoluteString)
        _ = try await node.server.purging.purge(.source(source), isHard: false)
        _ = try await node.server.purging.purge(.source(source), isHard: true)
        await waitUntil { fleet.objects.now.removals.count == 2 }
        #expect(fleet.objects.now.objects.count == 1)
    }

    @Test func `purges are kept for the age of the pages that they cover`() async throws {
        let node = try fleet.node()
        let control = node.server.purging
        _ = try await control.purge(.all, isHard: true)
        for (days, count) in [(2.0, 1), (27.0, 1), (2.0, 0)] {
            fleet.clock.advance(by: .seconds(days * 86_400))
            await control.update()
            #expect(control.list.purges.count == count)
        }
    }

    @Test(.requirement("V46")) func `a page that is older than the purges kept for it is made again`() async throws {
        serve(WebServer.reply("max-age=31536000"))
        try await fleet.fill(try fleet.node())
        fleet.clock.advance(by: .seconds(29 * 86_400))
        let young = try fleet.node()
        #expect(try await fleet.get(young).status == 200 && young.decodes == 0)
        fleet.clock.advance(by: .seconds(86_400))
        let old = try fleet.node()
        #expect(try await fleet.get(old).status == 200 && old.decodes == 1)
    }

    // MARK: The end

    @Test(arguments: [true, false]) func `a drain leaves the queue the rest of its time`(isInTime: Bool) async throws {
        let clock = ManualClock()
        let node = try fleet.node { $0.clock = clock }
        _ = try await fleet.get(node)
        fleet.objects.gate.close()
        for _ in 0..<2 { _ = try await fleet.get(node) }
        await fleet.objects.gate.waitForWaiters(1)
        let hasEnded = Locked(false)
        let drain = Task {
            defer { hasEnded.withLock { $0 = true } }
            return await node.server.drain(delay: .zero, limit: .seconds(10))
        }
        await clock.waitForSleepers(TestServer.idleSleepers + 1)
        await waitUntil { (try? RawClient(port: node.port)) == nil }
        if isInTime { fleet.objects.gate.open() }
        // The drain may be between its two waits, so that one advance would precede the second.
        await waitUntil {
            if !isInTime { clock.advance(by: .seconds(10)) }
            return hasEnded.withLock { $0 }
        }
        #expect(await drain.value == 0)
        #expect(fleet.objects.now.writes.count == (isInTime ? 1 : 0))
        #expect(node.far.drops == (isInTime ? 0 : 1))
        fleet.objects.gate.open()
    }

    // MARK: Rules

    @Test func `the near half of the tier removes the least recently used variants`() async throws {
        let node = try fleet.node()
        let near = MemoryHTTPCacheStore()
        let store = try TieredHTTPCacheStore(
            near: near, far: #require(node.server.far), rules: .shared, purges: PurgeList(), .system,
            onProblem: { _ in })
        var options = HTTPCacheOptions()
        options.variantLimit = 3
        let base = FakeTransport(fields: ["Cache-Control": "max-age=60", "Vary": "Accept"], body: Data("one".utf8))
        let transport = base.cached(in: HTTPCache(rules: .shared, store: store, options: options))
        let url = try #require(URL(string: "http://a.test/a"))
        for number in [1, 2, 3, 1, 4, 1, 3, 4] {
            let request = HTTPRequest(url, fields: ["Accept": "image/x\(number)"])
            #expect(try await transport.send(request).body.collect() == Data("one".utf8))
        }
        #expect(base.requests.count == 4)
        #expect(near.immediateVariants(of: "http://a.test/a")?.count == 3)
    }

    @Test func `the near half of the tier returns a large body as a stream`() async throws {
        let folder = TemporaryFolder()
        let disk = DiskStore(directory: folder.path)
        let near = DiskHTTPCacheStore(disk, memory: 0)
        let store = try TieredHTTPCacheStore(
            near: near, far: #require(fleet.node().server.far), rules: .shared, purges: PurgeList(), .system,
            onProblem: { _ in })
        let body = Data((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 4) })
        let head = StoredResponse(
            url: "http://a.test/a", status: 200, fields: [:], requestTime: 0, responseTime: 0, bodyLength: body.count)
        try await store.store(StoredVariant(head: head, body: body), for: "http://a.test/a", replacing: [])
        try await disk.flush()
        let variant = try #require(try await store.variants(of: "http://a.test/a").first)
        let stream = try #require(try await store.body(of: variant, for: "http://a.test/a", in: 1..<4_999_999))
        #expect(variant.body == nil && stream.whole == nil)
        #expect(try await stream.collect() == body[1..<4_999_999])
    }

    @Test func `the tier refuses the rules of a cache for one user`() throws {
        let node = try fleet.node()
        let far = try #require(node.server.far)
        #expect(throws: ServerError.self) {
            try TieredHTTPCacheStore(
                near: MemoryHTTPCacheStore(), far: far, rules: .private, purges: PurgeList(), .system,
                onProblem: { _ in })
        }
    }
}
