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

    @Test func `a purge that the file never had ends after a day`() async throws {
        let web = try server(), control = web.server.server.purging
        let path = try #require(web.server.options.purgeFile)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for _ in 0..<PurgeControl.attempts { await control.update() }
        #expect(control.list.lines.map(\.target) == [.all])
        try FileManager.default.removeItem(atPath: path)
        web.clock.advance(by: Self.day)
        await control.update()
        #expect(control.list.lines == [])
    }

    @Test func `a sweep that fails is reported once, and repeated after a pause`() async throws {
        let web = try server(), control = web.server.server.purging
        _ = try await control.purge(.all, isHard: true)
        // A folder in place of the new file, which therefore cannot be written.
        let draft = "\(try #require(web.server.options.purgeFile)).new"
        try FileManager.default.createDirectory(atPath: "\(draft)/x", withIntermediateDirectories: true)
        web.clock.advance(by: Self.day)
        for _ in 0..<5 {
            await control.update()
            web.clock.advance(by: .seconds(PurgeControl.sweepDelay))
        }
        #expect(messages(with: "the purges are not changed") == 1)
        await control.update()
        try FileManager.default.removeItem(atPath: draft)
        await control.update()
        #expect(control.list.lines.count == 1)
        web.clock.advance(by: .seconds(PurgeControl.sweepDelay))
        await control.update()
        #expect(control.list.lines == [])
    }

    @Test func `purges that are read too late from a full file are repeated in memory`() async throws {
        let web = try server(), control = web.server.server.purging
        let path = try #require(web.server.options.purgeFile)
        var text = Data()
        for number in 0..<PurgeFile.lineLimit {
            text += PurgeLine(time: web.clock.wall.now, try .source("local:///\(number)"), isHard: true).text
        }
        try text.write(to: URL(fileURLWithPath: path))
        web.clock.advance(by: .seconds(5))
        for _ in 0...PurgeControl.attempts { await control.update() }
        #expect(control.list.lines.count == 2 * PurgeFile.lineLimit)
        #expect(!control.list.lines.contains { $0.target == .all })
        #expect(control.list.moments(of: "local:///7").absent == web.clock.wall.now + PurgeLine.reach)
        #expect(messages(with: "is repeated") == 1)
        web.clock.advance(by: Self.day)
        await control.update()
        #expect(control.list.lines == [])
    }
}
