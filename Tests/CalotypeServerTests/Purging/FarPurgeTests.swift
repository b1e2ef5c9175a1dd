import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeTesting
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeServer

/// Purges that nodes learn from the far store.
struct FarPurgeTests {
    private let objects = MemoryObjectStore()
    private let reports = Locked<[String]>([])
    private let isReadable = Locked(true)
    /// The time limits of the nodes. Their lists happen when a test calls `update`.
    private let time = ManualClock()

    private static let folder: ByteString = "thumbnails/purges/"

    /// Starts a node, and waits for its own first list.
    private func node(isStored: Bool = false) async throws -> TestServer {
        let node = try unlistedNode(isStored: isStored)
        await waitUntil { node.server.isReady }
        return node
    }

    private func unlistedNode(isStored: Bool = false) throws -> TestServer {
        try TestServer { options in
            options.clock = time
            if isStored { options.store = "\(options.root)-store" }
            options.report = { [reports] text in reports.withLock { $0.append(text) } }
            let objects = BucketFeed(
                objects: objects, folder: Self.folder, age: 30 * 86_400,
                setReadable: { [isReadable] isAllowed in isReadable.withLock { $0 = isAllowed } })
            options.purgeObjects = { _ in objects }
        }
    }

    private func learn(_ node: TestServer) async { await node.server.fleet.sync.update() }

    private func order(_ body: String) throws -> (PurgeOrder, Data) {
        (try PurgeOrder(Data(body.utf8)), Data(body.utf8))
    }

    private func take(_ body: String, on node: TestServer) async throws -> FleetPurge {
        let (order, body) = try order(body)
        return try await node.server.fleet.take(order, body)
    }

    /// Puts the object of another node's purge into the far store.
    @discardableResult
    private func put(_ target: PurgeTarget, isHard: Bool = true, at time: Double) -> PurgeID {
        let purge = Purge(target, isHard: isHard, at: time)
        objects.update { $0.objects["\(Self.folder)\(purge.id.text)"] = Self.data(purge) }
        return purge.id
    }

    private static func data(_ purge: Purge) -> Data { Data(purge.text.bytes) + [0x0A] }

    private func put(_ data: Data, at time: Double) -> PurgeID {
        let name = PurgeID(time: time)
        objects.update { $0.objects["\(Self.folder)\(name.text)"] = data }
        return name
    }

    private static let cat: ByteString = "https://images.example.com/cat.jpg"
    private static let catBody = #"{"source":"https://images.example.com/cat.jpg"}"#

    private func isAbsent(_ node: TestServer, requestedAt time: Double, _ key: ByteString = cat) throws -> Bool {
        // A response from the future would count as older than every purge.
        let now = max(node.clock.wall.now, time)
        return node.server.purging.list.farMoments(of: key).effect(onRequestAt: time, now: now) == .absent
    }

    @Test(.requirement("V46")) func `a purge on one node is in force on another one after its list`() async throws {
        let first = try await node(), second = try await node()
        let start = first.clock.wall.now
        let purge = try await take(Self.catBody, on: first)
        #expect(purge.failure == nil && purge.isFar)
        #expect(objects.now.objects.count == 1)
        second.clock.advance(by: .seconds(8))
        #expect(second.server.purging.list.purges == [])
        await learn(second)
        // Until now, the second node made results without regard to the purge.
        let learnt = try #require(second.server.purging.list.purges.first)
        #expect(learnt.id == purge.purge.id && learnt.target == purge.purge.target && learnt.learnt == start + 8)
        // Far results that were requested until five seconds after the purge count as before it, on the first node, too.
        for node in [first, second] {
            #expect(try isAbsent(node, requestedAt: start + 5))
            #expect(try !isAbsent(node, requestedAt: start + 5.1))
            #expect(try !isAbsent(node, requestedAt: start, "https://images.example.com/dog.jpg"))
        }
        // Neither learns it twice, and the first has its own purge alone.
        for node in [first, second] {
            await learn(node)
            #expect(node.server.purging.list.purges.count == 1)
            #expect(node.server.purging.list.purges.count == 1)
        }
        #expect(objects.now.reads.count == 1)
    }

    @Test func `a purge that another node has passed on is not learned again`() async throws {
        let first = try await node(), second = try await node()
        let (order, _) = try order(Self.catBody)
        _ = try await take(Self.catBody, on: first)
        let key = try #require(objects.now.objects.keys.first)
        let name = try #require(PurgeID(key.dropFirst(Self.folder.count)))
        _ = try await second.server.fleet.take(order, from: "another node", id: name)
        #expect(try isAbsent(second, requestedAt: name.time + 5))
        await learn(second)
        #expect(second.server.purging.list.purges.count == 1)
        #expect(objects.now.reads == [])
    }

    @Test func `a purge from the future is in force now, and no more than a minute longer than others`() async throws {
        let node = try await node()
        let now = node.clock.wall.now
        put(try .source(Self.cat), at: now + 1e8)
        await learn(node)
        #expect(node.server.purging.list.purges.map(\.learnt) == [now])
        #expect(try isAbsent(node, requestedAt: now + 65))
        node.clock.advance(by: .seconds(80))
        #expect(try !isAbsent(node, requestedAt: now + 66))
        // It does not hide the purges after it.
        put(.all, at: now + 75)
        await learn(node)
        #expect(try isAbsent(node, requestedAt: now + 80))
    }

    private static let damaged: [@Sendable (Data) -> Data] = [
        { _ in Data() }, { $0.dropLast() }, { $0.dropLast(20) }, { $0 + $0 },
        { $0.replacing(Data("hard".utf8), with: Data("soft".utf8)) },
        { _ in data(Purge(.all, isHard: true, at: 5)) }, { _ in Data(count: 1 << 20) },
    ]

    @Test(arguments: damaged.indices)
    func `a damaged object is a hard purge of everything, at the time in its name`(row: Int) async throws {
        let node = try await node()
        let start = node.clock.wall.now
        let purge = Purge(try .source(Self.cat), isHard: true, at: start)
        _ = put(Self.damaged[row](Self.data(purge)), at: start)
        node.clock.advance(by: .seconds(60))
        await learn(node)
        #expect(node.server.purging.list.purges.map(\.target) == [.all])
        #expect(try isAbsent(node, requestedAt: start + 5, "https://images.example.com/dog.jpg"))
        #expect(try !isAbsent(node, requestedAt: start + 6, "https://images.example.com/dog.jpg"))
        #expect(reports.withLock { $0 }.contains { $0.contains("is damaged, and counts as a hard purge") })
        #expect(isReadable.withLock { $0 })
    }

    @Test func `many damaged objects are one line with their number`() async throws {
        let node = try await node()
        for number in 0..<1000 { _ = put(Data(), at: node.clock.wall.now - Double(number)) }
        await learn(node)
        #expect(node.server.purging.list.purges.map(\.target).contains(.all))
        let lines = reports.withLock { $0 }
        #expect(
            lines.count == 1
                && lines.allSatisfy { $0.hasPrefix("1000 purges in the far store are damaged, such as 17") })
    }

    @Test func `objects that no node has written are no purges`() async throws {
        let node = try await node()
        for name in ["", "README", "1767225600250", "1767225600250-xyz", "767225600250-1f0c9a3b7d5e2468", "a/b"] {
            objects.update { $0.objects["\(Self.folder)\(name)"] = Data() }
        }
        objects.update { $0.objects["thumbnails/1/page"] = Data() }
        await learn(node)
        #expect(objects.now.reads == [])
        #expect(node.server.purging.list.purges == [])
    }

    @Test func `a purge whose clock or object was late is found`() async throws {
        let node = try await node()
        let now = node.clock.wall.now
        put(.all, isHard: false, at: now)
        await learn(node)
        for lateness in [1.0, 59] {
            put(try .source(Self.cat), at: now - lateness)
        }
        await learn(node)
        #expect(node.server.purging.list.purges.count == 3)
    }

    // MARK: The start

    @Test func `a node is ready, and reads far results, after its first list`() async throws {
        objects.gate.close()
        let node = try unlistedNode()
        await objects.gate.waitForWaiters(1)
        #expect(!node.server.isReady && !isReadable.withLock { $0 })
        objects.gate.open()
        await waitUntil { node.server.isReady && isReadable.withLock { $0 } }
    }

    @Test func `with a silent far store a node is ready after ten seconds, and reads no far results until a list`()
        async throws
    {
        objects.gate.close()
        let node = try unlistedNode()
        await objects.gate.waitForWaiters(1)
        // The control's pause, the patience, and the limit of the list.
        await time.waitForSleepers(3)
        time.advance(by: PurgeKnowledge.readyLimit)
        await waitUntil { node.server.isReady }
        #expect(!isReadable.withLock { $0 })
        objects.gate.open()
        await waitUntil { isReadable.withLock { $0 } }
    }

    @Test func `a far store without lists is read no longer, until there is one again`() async throws {
        let node = try await node()
        await learn(node)
        #expect(isReadable.withLock { $0 })
        objects.update { $0.failure = TransportError(.cannotConnect, "connection refused") }
        for attempt in 1...3 {
            await learn(node)
            #expect(isReadable.withLock { $0 }, "\(attempt)")
        }
        time.advance(by: PurgeKnowledge.silence + .seconds(1))
        await learn(node)
        #expect(!isReadable.withLock { $0 })
        #expect(reports.withLock { $0 }.count { $0.contains("the purges in the far store cannot be read") } == 1)
        objects.update { $0.failure = nil }
        await learn(node)
        #expect(isReadable.withLock { $0 })
        await node.close()
        #expect(!node.server.isReady)
    }

    @Test(.requirement("V46")) func `a node with a kept disk learns the purges that it has missed`() async throws {
        let node = try await node(isStored: true)
        try node.write(SamplePhotos.jpeg(width: 64, height: 48), "cat.jpg")
        #expect(try await node.get("/_/w:10/plain/local:///cat.jpg@png").status == 200)
        let now = node.clock.wall.now
        put(try .source("https://a.test/1"), at: now)
        await learn(node)
        await node.close()
        node.clock.advance(by: .seconds(3600))
        let later = node.clock.wall.now
        put(try .source("https://a.test/2"), at: later - 300)
        let next = try RenditionServer(node.options)
        defer { next.stop() }
        await next.fleet.sync.update()
        let purges = next.purging.list.purges
        #expect(purges.map(\.target.url) == ["https://a.test/1", "https://a.test/2"])
        #expect(purges.map(\.learnt) == [now, later])
    }

    // Images that were made after it would be made once more.
    @Test func `a node that starts again after a purge that it took does not learn it as a new one`() async throws {
        let node = try await node(isStored: true)
        try node.write(SamplePhotos.jpeg(width: 64, height: 48), "cat.jpg")
        #expect(try await node.get("/_/w:10/plain/local:///cat.jpg@png").status == 200)
        let start = node.clock.wall.now
        #expect(try await take(#"{"all":true}"#, on: node).failure == nil)
        await node.close()
        node.clock.advance(by: .seconds(4))
        let next = try RenditionServer(node.options)
        defer { next.stop() }
        await next.fleet.sync.update()
        #expect(next.purging.list.purges.map(\.learnt) == [start])
    }

    @Test(.requirement("V46")) func `none of many purges is learned again after a restart`() async throws {
        let node = try await node(isStored: true)
        for number in 0..<300 {
            #expect(try await take(#"{"source":"https://a.test/\#(number)"}"#, on: node).failure == nil)
        }
        await node.close()
        let purges = node.server.purging.list.purges
        node.clock.advance(by: .seconds(4))
        let next = try RenditionServer(node.options)
        defer { next.stop() }
        await next.fleet.sync.update()
        // A purge that reached the far store later stands later in the database.
        func learnt(_ purges: [Purge]) -> [PurgeID: Double] { Dictionary(purges.map { ($0.id, $0.learnt) }) { $1 } }
        #expect(next.purging.list.purges.count == 300 && learnt(next.purging.list.purges) == learnt(purges))
    }

    @Test(.requirement("V46"))
    func `a node with an old disk sends nothing from before its start until it has a list, and keeps it`()
        async throws
    {
        let web = try WebServer(isStored: true)
        web.origin.on("/images/a.jpg", WebServer.reply("max-age=10000"))
        let (old, other) = (try await web.get(), try await web.get(width: 32))
        #expect(try await web.get().outcome == "hit")
        await web.server.close()
        web.clock.advance(by: .seconds(60))
        objects.gate.close()
        var options = web.server.options
        options.clock = time
        let bucket = BucketFeed(objects: objects, folder: Self.folder, age: 30 * 86_400, setReadable: { _ in })
        options.purgeObjects = { _ in bucket }
        let next = try RenditionServer(options)
        defer { next.stop() }
        await objects.gate.waitForWaiters(1)
        // Before the deadlines of a request: the control's pause, the patience, and the limit of the list.
        await time.waitForSleepers(3)
        func get(_ width: Int) async throws -> TestServer.Answer {
            var request = HTTPRequest(next.url)
            request.rawTarget = web.thumbnail(width: width)
            return try await web.server.send(request)
        }
        // Another node has purged it.
        web.origin.on("/images/a.jpg", WebServer.reply("max-age=10000", tag: "\"v2\"", seed: 2))
        #expect(!next.isReady)
        #expect(try await get(64).body != old.body)
        // Ten seconds later, balancers may ask it, and it still sends nothing from before.
        time.advance(by: PurgeKnowledge.readyLimit)
        await waitUntil { next.isReady }
        #expect(try await get(64).body != old.body)
        put(
            try .source(ByteString(web.origin.url("/images/a.jpg").absoluteString)), isHard: false,
            at: web.clock.wall.now)
        objects.gate.open()
        await next.fleet.sync.update()
        // The purge is a soft one, so that what it covers is still there.
        #expect(try await get(32).body == other.body)
    }

    // The objects of the purges that it has missed are gone.
    @Test(.requirement("V46")) func `a node that was away for longer than purges last forgets what it has`()
        async throws
    {
        let node = try await node(isStored: true)
        try node.write(SamplePhotos.jpeg(width: 64, height: 48), "cat.jpg")
        #expect(try await node.get("/_/w:10/plain/local:///cat.jpg@png").status == 200)
        await learn(node)
        await node.close()
        node.clock.advance(by: .seconds(31 * 86_400))
        let next = try RenditionServer(node.options)
        defer { next.stop() }
        await next.fleet.sync.update()
        #expect(next.purging.list.purges.map(\.target) == [.all])
    }

    @Test func `a new store needs no purges from before its start`() async throws {
        let node = try await node(isStored: true)
        let now = node.clock.wall.now
        put(try .source(Self.cat), at: now - 300)
        await learn(node)
        let near = node.server.purging.list.moments(of: Self.cat)
        #expect(near.effect(onRequestAt: now, now: now) == .none)
        #expect(try isAbsent(node, requestedAt: now - 295))
    }

    // MARK: Limits

    @Test func `200 purges at once are all learned, 16 at a time`() async throws {
        let first = try await node(), second = try await node()
        objects.gate.close()
        let limit = FleetPurges.limit
        let takes = (0..<200).map { number in
            Task { try? await take(#"{"source":"https://a.test/\#(number)"}"#, on: first) }
        }
        await objects.gate.waitForWaiters(limit)
        objects.gate.open()
        var taken = 0
        for task in takes {
            if let purge = await task.value, purge.failure == nil { taken += 1 }
        }
        // Others were refused before they took effect.
        #expect(taken >= limit && first.server.purging.list.purges.count == objects.now.objects.count)
        objects.gate.close()
        let update = Task { await learn(second) }
        await objects.gate.waitForWaiters(1)
        objects.gate.open(count: 1)
        await objects.gate.waitForWaiters(16)
        for _ in 0..<100 { await Task.yield() }
        #expect(objects.gate.waiting == 16)
        objects.gate.open()
        await update.value
        #expect(second.server.purging.list.purges.count == objects.now.objects.count)
    }

    @Test func `one purge of everything stands for those beyond the limit`() async throws {
        let node = try await node()
        let end = node.clock.wall.now
        objects.update { state in
            for number in 0...110 {
                let id = PurgeID(time: end - 1000 + Double(number) / 1000, number: 1)
                state.objects["\(Self.folder)\(id.text)"] = Data()
            }
            state.listed = 30
        }
        let bucket = BucketFeed(objects: objects, folder: Self.folder, age: 86_400, setReadable: { _ in })
        let names = try await bucket.names(from: nil, node.clock.wall, limit: 100)
        #expect(names.ids.count == 100 && names.dropped?.time == end - 1000 + 0.01)
        // Those before it need not be read.
        let dropped = try #require(names.dropped)
        node.server.purging.list.set([Purge(.all, isHard: true, id: dropped, learnt: end)])
        #expect(node.server.purging.list.covers(Purge(.all, isHard: true, id: PurgeID(time: end - 1000), learnt: end)))
    }

    @Test func `records last as long as far results, and are removed then`() async throws {
        let node = try await node()
        let now = node.clock.wall.now
        _ = try await take(Self.catBody, on: node)
        node.clock.advance(by: .seconds(30 * 86_400))
        await learn(node)
        #expect(objects.now.removals == [])
        #expect(try isAbsent(node, requestedAt: now))
        node.clock.advance(by: .seconds(3600))
        await learn(node)
        #expect(objects.now.objects == [:] && objects.now.removals.count == 1)
        await node.server.purging.update()
        #expect(node.server.purging.list.purges == [])
    }

    @Test func `a purge that cannot be written is a failure, and is written later`() async throws {
        let node = try await node()
        objects.update { $0.failure = TransportError(.cannotConnect, "connection refused") }
        let purge = try await take(Self.catBody, on: node)
        #expect(purge.failure == "the purge is not in the far store yet: connection refused")
        #expect(node.server.purging.list.purges.count == 1)
        #expect(try isAbsent(node, requestedAt: node.clock.wall.now + 5))
        await learn(node)
        #expect(objects.now.objects.isEmpty)
        objects.update { $0.failure = nil }
        await learn(node)
        #expect(objects.now.objects.values.map { Data($0) } == [Self.data(purge.purge)])
    }
}
