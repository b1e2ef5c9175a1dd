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
            let objects = PurgeObjects(
                objects: objects, folder: Self.folder, age: 30 * 86_400,
                setReadable: { [isReadable] isAllowed in isReadable.withLock { $0 = isAllowed } })
            options.purgeObjects = { _ in objects }
        }
    }

    private func far(_ node: TestServer) throws -> FarPurges { try #require(node.server.fleet.far) }

    private func order(_ body: String) throws -> (PurgeOrder, Data) {
        (try PurgeOrder(Data(body.utf8)), Data(body.utf8))
    }

    private func take(_ body: String, on node: TestServer) async throws -> FleetPurge {
        let (order, body) = try order(body)
        return try await node.server.fleet.take(order, body)
    }

    private func put(_ data: Data, at time: Double) -> FarPurgeName {
        let name = FarPurgeName(time: time)
        objects.update { $0.objects["\(Self.folder)\(name.text)"] = data }
        return name
    }

    private static let cat: ByteString = "https://images.example.com/cat.jpg"
    private static let catBody = #"{"source":"https://images.example.com/cat.jpg"}"#

    private func isAbsent(_ node: TestServer, requestedAt time: Double, _ key: ByteString = cat) throws -> Bool {
        // A response from the future would count as older than every purge.
        let now = max(node.clock.wall.now, time)
        return try far(node).list.moments(of: key).effect(onRequestAt: time, now: now) == .absent
    }

    @Test(.requirement("V46")) func `a purge on one node is in force on another one after its list`() async throws {
        let first = try await node(), second = try await node()
        let start = first.clock.wall.now
        let purge = try await take(Self.catBody, on: first)
        #expect(purge.failure == nil && purge.isFar)
        #expect(objects.now.objects.count == 1)
        second.clock.advance(by: .seconds(8))
        #expect(second.server.purging.list.lines == [])
        try await far(second).update()
        // Until now, the second node made results without regard to the purge.
        let line = try #require(second.server.purging.list.lines.first)
        #expect(line.target == purge.line.target && line.time == start + 8)
        // Far results that were requested until five seconds after the purge count as before it, on the first node, too.
        for node in [first, second] {
            #expect(try isAbsent(node, requestedAt: start + 5))
            #expect(try !isAbsent(node, requestedAt: start + 5.1))
            #expect(try !isAbsent(node, requestedAt: start, "https://images.example.com/dog.jpg"))
        }
        // Neither learns it twice, and the first has its own purge alone.
        for node in [first, second] {
            try await far(node).update()
            #expect(node.server.purging.list.lines.count == 1)
            #expect(try far(node).list.lines.count == 1)
        }
        #expect(objects.now.reads.count == 1)
    }

    @Test func `a purge that another node has passed on is not learned again`() async throws {
        let first = try await node(), second = try await node()
        let (order, _) = try order(Self.catBody)
        _ = try await take(Self.catBody, on: first)
        let key = try #require(objects.now.objects.keys.first)
        let name = try #require(FarPurgeName(key.dropFirst(Self.folder.count)))
        _ = try await second.server.fleet.take(order, from: "another node", name: name)
        #expect(try isAbsent(second, requestedAt: name.time + 5))
        try await far(second).update()
        #expect(second.server.purging.list.lines.count == 1)
        #expect(objects.now.reads == [])
    }

    @Test func `a purge from the future is in force now, and no longer than others`() async throws {
        let node = try await node()
        let now = node.clock.wall.now
        let line = PurgeLine(time: now + 1e8, try .source(Self.cat), isHard: true)
        _ = put(line.text, at: line.time)
        try await far(node).update()
        #expect(node.server.purging.list.lines.map(\.time) == [now])
        #expect(try isAbsent(node, requestedAt: now + 5))
        node.clock.advance(by: .seconds(20))
        #expect(try !isAbsent(node, requestedAt: now + 6))
        // It does not hide the purges after it.
        _ = put(PurgeLine(time: now + 15, .all, isHard: true).text, at: now + 15)
        try await far(node).update()
        #expect(try isAbsent(node, requestedAt: now + 20))
    }

    private static let damaged: [@Sendable (Data) -> Data] = [
        { _ in Data() }, { $0.dropLast() }, { $0.dropLast(20) }, { $0 + $0 },
        { $0.replacing(Data("hard".utf8), with: Data("soft".utf8)) },
        { _ in PurgeLine(time: 5, .all, isHard: true).text }, { _ in Data(count: 1 << 20) },
    ]

    @Test(arguments: damaged.indices)
    func `a damaged object is a hard purge of everything, at the time in its name`(row: Int) async throws {
        let node = try await node()
        let start = node.clock.wall.now
        let line = PurgeLine(time: start, try .source(Self.cat), isHard: true)
        _ = put(Self.damaged[row](line.text), at: line.time)
        node.clock.advance(by: .seconds(60))
        try await far(node).update()
        #expect(node.server.purging.list.lines.map(\.target) == [.all])
        #expect(try isAbsent(node, requestedAt: start + 5, "https://images.example.com/dog.jpg"))
        #expect(try !isAbsent(node, requestedAt: start + 6, "https://images.example.com/dog.jpg"))
        #expect(reports.withLock { $0 }.contains { $0.contains("is damaged, and counts as a hard purge") })
        #expect(isReadable.withLock { $0 })
    }

    @Test func `many damaged objects are one line with their number`() async throws {
        let node = try await node()
        for number in 0..<1000 { _ = put(Data(), at: node.clock.wall.now - Double(number)) }
        try await far(node).update()
        #expect(node.server.purging.list.lines.map(\.target).contains(.all))
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
        try await far(node).update()
        #expect(objects.now.reads == [])
        #expect(node.server.purging.list.lines == [])
    }

    @Test func `a purge whose clock or object was late is found`() async throws {
        let node = try await node()
        let now = node.clock.wall.now
        _ = put(PurgeLine(time: now, .all, isHard: false).text, at: now)
        try await far(node).update()
        for lateness in [1.0, 59] {
            _ = put(PurgeLine(time: now - lateness, try .source(Self.cat), isHard: true).text, at: now - lateness)
        }
        try await far(node).update()
        #expect(try far(node).list.lines.count == 3)
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
        time.advance(by: FarPurges.readyLimit)
        await waitUntil { node.server.isReady }
        #expect(!isReadable.withLock { $0 })
        objects.gate.open()
        await waitUntil { isReadable.withLock { $0 } }
    }

    @Test func `a far store without lists is read no longer, until there is one again`() async throws {
        let node = try await node()
        try await far(node).update()
        #expect(isReadable.withLock { $0 })
        objects.update { $0.failure = TransportError(.cannotConnect, "connection refused") }
        for attempt in 1...FarPurges.attempts {
            #expect(isReadable.withLock { $0 }, "\(attempt)")
            try await far(node).update()
        }
        #expect(!isReadable.withLock { $0 })
        #expect(reports.withLock { $0 }.count { $0.contains("the purges in the far store cannot be read") } == 1)
        objects.update { $0.failure = nil }
        try await far(node).update()
        #expect(isReadable.withLock { $0 })
        await node.close()
        #expect(!node.server.isReady)
    }

    @Test(.requirement("V46")) func `a node with a kept disk learns the purges that it has missed`() async throws {
        let node = try await node(isStored: true)
        try node.write(SamplePhotos.jpeg(width: 64, height: 48), "cat.jpg")
        #expect(try await node.get("/_/w:10/plain/local:///cat.jpg@png").status == 200)
        let now = node.clock.wall.now
        _ = put(PurgeLine(time: now, try .source("https://a.test/1"), isHard: true).text, at: now)
        try await far(node).update()
        await node.close()
        node.clock.advance(by: .seconds(3600))
        let later = node.clock.wall.now
        _ = put(PurgeLine(time: later - 300, try .source("https://a.test/2"), isHard: true).text, at: later - 300)
        let next = try RenditionServer(node.options)
        defer { next.stop() }
        try await #require(next.fleet.far).update()
        let lines = next.purging.list.lines
        #expect(lines.map(\.target.url) == ["https://a.test/1", "https://a.test/2"])
        #expect(lines.map(\.time) == [now, later])
        #expect(next.fleet.far?.list.lines.count == 2)
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
        try await #require(next.fleet.far).update()
        #expect(next.purging.list.lines.map(\.time) == [start])
        #expect(next.fleet.far?.list.lines.map(\.time) == [start])
    }

    @Test func `of very many purges those beyond a limit are learned again after a restart, and none is lost`()
        async throws
    {
        let node = try await node(isStored: true)
        try node.write(SamplePhotos.jpeg(width: 64, height: 48), "cat.jpg")
        #expect(try await node.get("/_/w:10/plain/local:///cat.jpg@png").status == 200)
        let count = FarPurges.keptEach + 20
        for number in 0..<count {
            #expect(try await take(#"{"source":"https://a.test/\#(number)"}"#, on: node).failure == nil)
        }
        await node.close()
        node.clock.advance(by: .seconds(4))
        let next = try RenditionServer(node.options)
        defer { next.stop() }
        try await #require(next.fleet.far).update()
        let lines = next.purging.list.lines
        #expect(Set(lines.map(\.target)).count == count && lines.count == count + 20)
    }

    // The objects of the purges that it has missed are gone.
    @Test(.requirement("V46")) func `a node that was away for longer than purges last forgets what it has`()
        async throws
    {
        let node = try await node(isStored: true)
        try node.write(SamplePhotos.jpeg(width: 64, height: 48), "cat.jpg")
        #expect(try await node.get("/_/w:10/plain/local:///cat.jpg@png").status == 200)
        try await far(node).update()
        await node.close()
        node.clock.advance(by: .seconds(31 * 86_400))
        let next = try RenditionServer(node.options)
        defer { next.stop() }
        try await #require(next.fleet.far).update()
        #expect(next.purging.list.lines.map(\.target) == [.all])
    }

    @Test func `a new store needs no purges from before its start`() async throws {
        let node = try await node(isStored: true)
        let now = node.clock.wall.now
        _ = put(PurgeLine(time: now - 300, try .source(Self.cat), isHard: true).text, at: now - 300)
        try await far(node).update()
        #expect(node.server.purging.list.lines == [])
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
        #expect(taken >= limit && first.server.purging.list.lines.count == objects.now.objects.count)
        objects.gate.close()
        let update = Task { try await far(second).update() }
        await objects.gate.waitForWaiters(1)
        objects.gate.open(count: 1)
        await objects.gate.waitForWaiters(16)
        for _ in 0..<100 { await Task.yield() }
        #expect(objects.gate.waiting == 16)
        objects.gate.open()
        try await update.value
        #expect(second.server.purging.list.lines.count == objects.now.objects.count)
    }

    @Test func `one purge of everything stands for those beyond the limit`() throws {
        var book = FarPurgeBook(KnownFarPurges(), overlap: 0)
        let purges = try (0...FarPurgeBook.limit).map { number in
            let time = Double(1000 + number)
            return (
                FarPurgeName(time: time), PurgeLine(time: time, try .source("https://a.test/\(number)"), isHard: true)
            )
        }
        let change = book.add(purges)
        let rest = FarPurgeBook.limit * 9 / 10
        #expect(book.lines.count == rest && change.removed.count == purges.count - rest)
        let everything = try #require(change.added.last)
        #expect(everything.target == .all && everything.time == Double(1000 + purges.count - rest - 1))
        #expect(book.unknownNear.count == rest + 1)
        // The names of the dropped ones are not read again.
        #expect(book.unread(purges.map(\.0), beyond: nil) == [])
    }

    @Test func `records last as long as far results, and are removed then`() async throws {
        let node = try await node()
        let now = node.clock.wall.now
        _ = try await take(Self.catBody, on: node)
        node.clock.advance(by: .seconds(30 * 86_400))
        try await far(node).update()
        #expect(objects.now.removals == [])
        #expect(try isAbsent(node, requestedAt: now))
        node.clock.advance(by: .seconds(3600))
        try await far(node).update()
        #expect(objects.now.objects == [:] && objects.now.removals.count == 1)
        #expect(try far(node).list.lines == [])
    }

    @Test func `a purge that cannot be written is a failure, and is written later`() async throws {
        let node = try await node()
        objects.update { $0.failure = TransportError(.cannotConnect, "connection refused") }
        let purge = try await take(Self.catBody, on: node)
        #expect(purge.failure == "the purge is not in the far store yet: connection refused")
        #expect(node.server.purging.list.lines.count == 1)
        #expect(try isAbsent(node, requestedAt: node.clock.wall.now + 5))
        try await far(node).update()
        #expect(objects.now.objects.isEmpty)
        objects.update { $0.failure = nil }
        try await far(node).update()
        #expect(objects.now.objects.values.map { Data($0) } == [purge.line.text])
    }
}
