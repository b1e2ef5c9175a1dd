import CalotypeBase
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeServer

/// Purges of a server's results and sources.
struct PurgeServingTests {
    private let web: WebServer

    init() throws { web = try WebServer(isStored: true) }

    private var control: PurgeControl { web.server.server.purging }

    private var source: ByteString { ByteString(web.origin.url("/images/a.jpg").absoluteString) }

    private func purge(_ target: PurgeTarget, isHard: Bool = true) async throws {
        _ = try await control.purge(target, isHard: isHard)
        // Responses requested within a second of the purge count as older than it.
        web.clock.advance(by: .seconds(2))
    }

    private static let kinds = ["source", "prefix", "all"]

    private func target(_ kind: String) throws -> PurgeTarget {
        switch kind {
        case "source": try .source(source)
        case "prefix": try .prefix(ByteString(web.origin.url("/images").absoluteString))
        default: .all
        }
    }

    @Test(.requirement("V46"), arguments: kinds, [false, true])
    func `a hard purge reaches all results of a source, and the source`(kind: String, isStored: Bool) async throws {
        let web = try WebServer(isStored: isStored)
        web.origin.on("/images/a.jpg", WebServer.reply("max-age=10000"))
        let old = try await (web.get(width: 64), web.get(width: 32))
        #expect(try await web.get(width: 64).outcome == "hit")
        web.origin.on("/images/a.jpg", WebServer.reply("max-age=10000", tag: "\"v2\"", seed: 2))
        let url = ByteString(web.origin.url("/images/a.jpg").absoluteString)
        let target: PurgeTarget =
            switch kind {
            case "source": try .source(url)
            case "prefix": try .prefix(ByteString(web.origin.url("/images").absoluteString))
            default: .all
            }
        _ = try await web.server.server.purging.purge(target, isHard: true)
        web.clock.advance(by: .seconds(2))
        for (width, old) in [(64, old.0), (32, old.1)] {
            let new = try await web.get(width: width)
            #expect(new.outcome == "made" && new.body != old.body)
            #expect(try await web.get(width: width).outcome == "hit")
        }
        // Not asked whether the old one is still valid, and once for both sizes.
        #expect(web.origin.requestCount() == 2)
        #expect(web.origin.requests.last?.fields["If-None-Match"] == nil)
    }

    @Test(.requirement("V46")) func `a purge that matches nothing leaves hits as they are`() async throws {
        web.origin.on("/images/a.jpg", WebServer.reply())
        _ = try await web.get()
        try await purge(.source("\(source)?x"))
        try await purge(.prefix("\(source)x"))
        #expect(try await web.get().outcome == "hit")
        #expect(web.origin.requestCount() == 1)
    }

    @Test(.requirement("V46")) func `a source that is gone does not come back, even while its origin fails`()
        async throws
    {
        web.origin.on("/images/a.jpg", WebServer.reply("max-age=10000"))
        _ = try await web.get()
        web.origin.on("/images/a.jpg", OriginReply(status: 500))
        try await purge(.source(source))
        #expect(try await web.get().status == 502)
        web.origin.on("/images/a.jpg", OriginReply(status: 404))
        #expect(try await web.get().status == 404)
        web.clock.advance(by: .seconds(20))
        #expect(try await web.get(width: 32).status == 404)
    }

    @Test(.requirement("V46")) func `after a soft purge, an unchanged source is neither loaded nor decoded again`()
        async throws
    {
        web.serveRevalidatable(WebServer.reply("max-age=10000"))
        let first = try await web.get()
        try await purge(.source(source), isHard: false)
        let stale = try await web.get()
        #expect(stale.outcome == "stale" && stale.body == first.body)
        try await repeatUntil { try await web.get().outcome == "hit" }
        #expect(web.origin.requests.last?.fields["If-None-Match"] == "\"v1\"")
        #expect(web.work.decodes == 1 && web.work.encodes == 1)
    }

    @Test(.requirement("V46")) func `work in progress ends with the old image, which later requests do not get`()
        async throws
    {
        let gate = Gate()
        web.origin.on(
            "/images/a.jpg",
            replies: [
                WebServer.reply("max-age=10000").held(by: gate),
                WebServer.reply("max-age=10000", tag: "\"v2\"", seed: 2),
            ])
        let early = (0..<100).map { _ in Task { [web] in try await web.get() } }
        await waitUntil { web.server.server.waiters >= 99 }
        try await purge(.source(source))
        let late = (0..<100).map { _ in Task { [web] in try await web.get() } }
        var new: Set<Data> = []
        for answer in late { new.insert(try await answer.value.body) }
        gate.open()
        var old: Set<Data> = []
        for answer in early { old.insert(try await answer.value.body) }
        #expect(old.count == 1 && new.count == 1 && old.isDisjoint(with: new))
        for width in [64, 32] { #expect(try await web.get(width: width).status == 200) }
        #expect(new.contains(try await web.get().body))
        #expect(web.origin.requestCount() == 2)
    }

    @Test(.requirement("V46")) func `200 requests at once survive purges of their source`() async throws {
        web.origin.on("/images/a.jpg", WebServer.reply("max-age=10000"))
        let widths = Array(20..<60)
        for round in 0..<3 {
            let answers = (0..<200).map { number in
                Task { [web] in try await web.get(width: widths[(number + round) % widths.count]) }
            }
            for target in [try PurgeTarget.source(source), .all] {
                _ = try await control.purge(target, isHard: round != 1)
                web.clock.advance(by: .seconds(2))
            }
            for answer in answers { #expect(try await answer.value.status == 200) }
        }
    }

    @Test(.requirement("V46"), arguments: kinds) func `a restarted server obeys the purges before it`(
        kind: String
    ) async throws {
        web.origin.on("/images/a.jpg", WebServer.reply("max-age=10000"))
        _ = try await web.get()
        _ = try await control.purge(try target(kind), isHard: true)
        await web.server.close()
        web.clock.advance(by: .seconds(2))
        let next = try RenditionServer(web.server.options)
        defer { next.stop() }
        #expect(next.purging.list.purges.count == 1)
        var request = HTTPRequest(next.url)
        request.rawTarget = web.thumbnail()
        _ = try await web.server.send(request)
        #expect(web.origin.requestCount() == 2)
    }

    @Test(.requirement("V46")) func `a purge on one server is obeyed by another one of the same store`() async throws {
        web.origin.on("/images/a.jpg", WebServer.reply("max-age=10000"))
        var options = web.server.options
        options.clock = web.clock
        let other = try RenditionServer(options)
        defer { other.stop() }
        var request = HTTPRequest(other.url)
        request.rawTarget = web.thumbnail()
        _ = try await web.server.send(request)
        _ = try await control.purge(.source(source), isHard: true)
        await web.clock.waitForSleepers(1)
        web.clock.advance(by: .seconds(1))
        await waitUntil { other.purging.list.purges.count == 1 }
        #expect(other.purging.list.purges == control.list.purges)
        web.clock.advance(by: .seconds(1))
        _ = try await web.server.send(request)
        #expect(web.origin.requestCount() == 2)
    }

    // Until then, it made results of the old source.
    @Test(.requirement("V46")) func `a server that reads a purge too late has it cover what it made until then`()
        async throws
    {
        var options = web.server.options
        options.clock = ManualClock()
        let late = try RenditionServer(options)
        defer { late.stop() }
        let first = try await control.purge(.source(source), isHard: true)
        web.clock.advance(by: .seconds(30))
        await late.purging.update()
        let purges = late.purging.list.purges
        #expect(purges.map(\.id) == [first.id] && purges[0].learnt == first.learnt + 30)
        await waitUntil { control.list.purges == purges }
        // The change is no new purge, which another server would have learnt late.
        web.clock.advance(by: .seconds(30))
        await late.purging.update()
        await control.update()
        #expect(control.list.purges == purges)
    }

    // It would have looked a quarter of a second later.
    @Test(.requirement("V46")) func `a server that was stopped during a purge obeys it in its first answer`()
        async throws
    {
        web.origin.on("/images/a.jpg", WebServer.reply("max-age=10000"))
        let clock = StoppedClock()
        var options = web.server.options
        options.clock = clock
        let stopped = try RenditionServer(options)
        defer { stopped.stop() }
        var request = HTTPRequest(stopped.url)
        request.rawTarget = web.thumbnail()
        let old = try await web.server.send(request)
        #expect(try await web.server.send(request).outcome == "hit")
        web.origin.on("/images/a.jpg", WebServer.reply("max-age=10000", tag: "\"v2\"", seed: 2))
        _ = try await control.purge(.source(source), isHard: true)
        web.clock.advance(by: .seconds(5))
        clock.passing.advance(by: .seconds(5))
        let answers = (0..<100).map { _ in Task { [web, request] in try await web.server.send(request) } }
        for answer in answers { #expect(try await answer.value.body != old.body) }
    }

    private func entries() async throws -> Int {
        try await web.server.server.disks.asyncReduce { try await $0.list().count }
    }

    @Test(.requirement("V46")) func `a sweep deletes what a hard purge covers, and after a day drops the purge`()
        async throws
    {
        web.origin.on("/images/a.jpg", WebServer.reply("max-age=1000000"))
        web.origin.on("/images/b.jpg", WebServer.reply("max-age=1000000"))
        for path in ["/images/a.jpg", "/images/b.jpg"] {
            for width in [32, 64] { _ = try await web.get(path, width: width) }
        }
        try await repeatUntil { try await entries() == 6 }
        try await purge(.source(source))
        await control.update()
        #expect(try await entries() == 6)
        web.clock.advance(by: .seconds(10))
        await control.update()
        try await repeatUntil { try await entries() == 3 }
        await repeatUntil { control.lastSweep == web.clock.wall.now }
        #expect(control.list.purges.count == 1)
        web.clock.advance(by: .seconds(86_400))
        await repeatUntil {
            await control.update()
            return control.list.purges.isEmpty
        }
        #expect(PurgeTable.purges(inStore: web.server.options.store ?? "") == [])
        #expect(try await web.get("/images/b.jpg").outcome == "hit")
        #expect(try await entries() == 3)
        #expect(try await web.get().outcome == "made")
    }

    // It was killed before its first sweep.
    @Test(.requirement("V46")) func `a server sweeps what was purged before its start`() async throws {
        web.origin.on("/images/a.jpg", WebServer.reply("max-age=1000000"))
        _ = try await web.get()
        try await repeatUntil { try await entries() == 2 }
        try await purge(.source(source))
        await web.server.close()
        web.clock.advance(by: .seconds(10))
        let next = try RenditionServer(web.server.options)
        defer { next.stop() }
        await next.purging.update()
        #expect(try await next.disks.asyncReduce { try await $0.list().count } == 0)
    }

    @Test(.requirement("V46")) func `entries under a soft purge are deleted after a day, unless they were confirmed`()
        async throws
    {
        web.serveRevalidatable(WebServer.reply("max-age=1000000"))
        for width in [32, 64] { _ = try await web.get(width: width) }
        try await repeatUntil { try await entries() == 3 }
        try await purge(.all, isHard: false)
        // Confirms one result, and the source.
        while try await web.get(width: 32).outcome != "hit" {}
        web.clock.advance(by: .seconds(10))
        await control.update()
        #expect(try await entries() == 3)
        web.clock.advance(by: .seconds(86_400))
        await repeatUntil {
            await control.update()
            return control.list.purges.isEmpty
        }
        #expect(try await entries() == 2)
    }

    @Test func `a purge of either kind deletes entries from before the clock was set back`() async throws {
        web.origin.on("/images/a.jpg", WebServer.reply("max-age=1000000"))
        _ = try await web.get()
        try await repeatUntil { try await entries() == 2 }
        web.clock.advance(by: .seconds(-3600))
        _ = try await control.purge(.source(source), isHard: false)
        web.clock.advance(by: .seconds(10))
        try await repeatUntil {
            await control.update()
            return try await entries() == 0
        }
    }

    @Test func `a purge of a local file reads it again`() async throws {
        let server = try TestServer()
        try server.write(SamplePhotos.jpeg(width: 64, height: 48), "cat.jpg")
        let target: ByteString = "/_/w:10/plain/local:///cat.jpg@png"
        _ = try await server.get(target)
        #expect(try await server.get(target).outcome == "hit")
        let encodes = server.server.encodes
        _ = try await server.server.purging.purge(.prefix("local:///"), isHard: true)
        server.clock.advance(by: .seconds(2))
        #expect(try await server.get(target).outcome == "made")
        #expect(try await server.get(target).outcome == "hit")
        #expect(server.server.encodes == encodes + 1)
    }

    /// Puts a folder in place of the table, which therefore cannot be opened.
    @discardableResult
    private func obstructTable() throws -> String {
        let path = PurgeTable.path(inStore: try #require(web.server.options.store))
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    @Test func `a table of purges that cannot be read is a purge of everything`() async throws {
        web.origin.on("/images/a.jpg", WebServer.reply("max-age=10000"))
        _ = try await web.get()
        await web.server.close()
        try obstructTable()
        web.clock.advance(by: .seconds(2))
        let next = try RenditionServer(web.server.options)
        defer { next.stop() }
        #expect(next.purging.list.purges.map(\.target) == [.all])
        // It is in force in memory all the same.
        await #expect { _ = try await next.purging.purge(.source(source), isHard: true) } throws: {
            ($0 as? ServerError)?.status == 500
        }
        #expect(next.purging.list.purges.count == 2)
    }

    @Test func `a table of purges that can no longer be read is a purge of everything, once`() async throws {
        let path = try obstructTable()
        for _ in 0..<2 * PurgeControl.attempts { await control.update() }
        #expect(control.list.purges.map(\.target) == [.all])
        try FileManager.default.removeItem(atPath: path)
        try await purge(.source(source))
        await control.update()
        let cat = try PurgeTarget.source(source)
        #expect(control.list.purges.map(\.target) == [.all, cat])
    }

    @Test func `an explanation takes purged results for absent`() async throws {
        web.origin.on("/images/a.jpg", WebServer.reply("max-age=10000"))
        _ = try await web.get()
        // The server may not have written the result to the disk yet.
        try await repeatUntil {
            let lines = try await web.server.options.explanation(of: web.thumbnail())
            return lines.filter { $0.contains("fresh") }.count == 2
        }
        try await purge(.all)
        let lines = try await web.server.options.explanation(of: web.thumbnail())
        #expect(!lines.contains { $0.contains("fresh") }, "\(lines)")
    }
}

extension [DiskStore] {
    fileprivate func asyncReduce(_ count: (DiskStore) async throws -> Int) async throws -> Int {
        var sum = 0
        for store in self { sum += try await count(store) }
        return sum
    }
}

/// The clock of a process that is stopped: its time passes, and no task wakes.
private struct StoppedClock: Clock {
    let passing = ManualClock()

    var now: ManualClock.Instant { passing.now }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        // Until the server cancels the task: no test waits for it.
        try await Task.sleep(for: .seconds(86_400))
    }
}
