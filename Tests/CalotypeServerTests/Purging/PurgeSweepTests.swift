import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeStore
import CalotypeTesting
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeServer

/// Sweeps, and the end of purges, of servers that look at the file of purges only when the test asks them to.
struct PurgeSweepTests {
    private let reports = Locked<[String]>([])

    private func server(isStored: Bool = true) throws -> WebServer {
        try WebServer(isStored: isStored) { [reports] options, _ in
            options.clock = ManualClock()
            options.report = { text in reports.withLock { $0.append(text) } }
        }
    }

    /// The number of messages with a text.
    private func messages(with text: String) -> Int { reports.withLock { $0.count { $0.contains(text) } } }

    private static let day = Duration.seconds(86_400 + 20)

    @Test(.requirement("V46"), arguments: [false, true])
    func `a purged image does not return when a clock that was set back catches up`(isStored: Bool) async throws {
        let web = try server(isStored: isStored), control = web.server.server.purging
        web.origin.on("/images/a.jpg", WebServer.reply("max-age=1000000"))
        let old = try await web.get()
        #expect(try await web.get().outcome == "hit")
        if isStored {
            try await repeatUntil {
                var count = 0
                for disk in web.server.server.disks { count += try await disk.list().count }
                return count == 2
            }
        }
        web.origin.on("/images/a.jpg", WebServer.reply("max-age=1000000", tag: "\"v2\"", seed: 2))
        // Less than the time until a sweep: then, the image would no longer be one from the future.
        web.clock.advance(by: .seconds(-5))
        let source = ByteString(web.origin.url("/images/a.jpg").absoluteString)
        _ = try await control.purge(.source(source), isHard: true)
        await control.update()
        web.clock.advance(by: .seconds(20))
        let new = try await web.get()
        #expect(new.outcome == "made" && new.body != old.body)
    }

    @Test func `a purge that the table never had ends after a day`() async throws {
        let web = try server(), control = web.server.server.purging
        let path = PurgeTable.path(inStore: try #require(web.server.options.store))
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for _ in 0..<PurgeControl.attempts { await control.update() }
        #expect(control.list.purges.map(\.target) == [.all])
        try FileManager.default.removeItem(atPath: path)
        web.clock.advance(by: Self.day)
        await control.update()
        #expect(control.list.purges == [])
    }

    @Test func `a sweep that fails is reported once, and repeated after a pause`() async throws {
        let web = try server(), control = web.server.server.purging
        _ = try await control.purge(.all, isHard: true)
        let path = PurgeTable.path(inStore: try #require(web.server.options.store))
        let other = try SQLiteConnection(path: path, creates: false, busyTimeout: .zero)
        try other.script(
            "CREATE TRIGGER full BEFORE INSERT ON facts BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
        web.clock.advance(by: Self.day)
        for _ in 0..<5 {
            await control.update()
            web.clock.advance(by: .seconds(PurgeSweep.delay))
        }
        #expect(messages(with: "the purges are not changed") == 1)
        await control.update()
        try other.script("DROP TRIGGER full")
        await control.update()
        #expect(control.list.purges.count == 1)
        web.clock.advance(by: .seconds(PurgeSweep.delay))
        await control.update()
        #expect(control.list.purges == [])
    }

    @Test(.requirement("V46"))
    func `purges that are read too late are changed in the table when that is possible again`() async throws {
        let web = try server(), control = web.server.server.purging
        let store = try #require(web.server.options.store)
        _ = try PurgeTable(inStore: store, wallClock: web.clock.wall, report: { _ in }).take(.all, isHard: true)
        let learnt = web.clock.wall.now
        let other = try SQLiteConnection(path: PurgeTable.path(inStore: store), creates: false, busyTimeout: .zero)
        try other.script(
            "CREATE TRIGGER full BEFORE INSERT ON purges BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
        web.clock.advance(by: .seconds(5))
        await control.update()
        #expect(control.list.purges.map(\.learnt) == [learnt + 5])
        #expect(PurgeTable.purges(inStore: store).map(\.learnt) == [learnt])
        try other.script("DROP TRIGGER full")
        await control.update()
        #expect(PurgeTable.purges(inStore: store).map(\.learnt) == [learnt + 5])
        #expect(messages(with: "covers what was made until then") == 1)
    }

    // It takes minutes on a large disk.
    @Test(.requirement("V46")) func `the purges of other processes are read while a sweep is in progress`() async throws
    {
        let web = try server(), (clock, gate) = (ManualClock(), Gate())
        let store = try #require(web.server.options.store)
        _ = try await web.server.server.purging.purge(.all, isHard: true)
        web.clock.advance(by: Self.day)
        var options = web.server.options
        options.clock = clock
        let control = PurgeControl(inStore: store, web.server.server.stores, nil, options.basis) { await gate.wait() }
        control.start(clock)
        await clock.waitForSleepers(1)
        clock.advance(by: PurgeControl.interval)
        await gate.waitForWaiters(1)
        let other = PurgeTable(inStore: store, wallClock: web.clock.wall, report: { _ in })
        let purge = try other.take(.prefix("https://a.test/x"), isHard: true)
        await clock.waitForSleepers(1)
        clock.advance(by: PurgeControl.interval)
        await waitUntil { control.list.contains(purge.id) }
        gate.open()
        control.stop()
    }
}
