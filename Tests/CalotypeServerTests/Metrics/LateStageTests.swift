import CalotypeBase
import CalotypeCodecs
import CalotypeTesting
import TestSupport
import Foundation
import Testing
import Waiting

@testable import CalotypeServer

/// The times of renditions that fail or are late.
@Suite(.timeLimit(.minutes(1))) struct LateStageTests {
    private let time = ManualClock()

    @Test func `a late rendition has the time of the stage in which it was`() async throws {
        let (time, gate, records) = (time, Gate(), Log<AnswerRecord>())
        defer { gate.open() }
        let web = try WebServer { options, _ in
            options.clock = time
            options.wallClock = time.wall
            options.logLevel = .all
            options.log = { records.add($0) }
            options.decoders.register(HeldDecoder(gate: gate))
        }
        try web.server.write(HeldDecoder.file(), "held")
        let answer = Task { try await web.server.get("/_/w:10/f:png/plain/local:///held") }
        await gate.waitForWaiters(1)
        await time.waitForSleepers(TestServer.idleSleepers + 1)
        time.advance(by: .seconds(15))
        #expect(try await answer.value.status == 504)
        await waitUntil { records.count == 1 }
        #expect(records.entries.first?.times.decode == .seconds(15))
        let stages = web.server.server.metrics.values.stages
        #expect(stages.first { $0.0 == .decode }?.1.count == 1)
    }

    /// Returns the times of a decode that takes three seconds.
    private func contents(
        _ decode: @escaping (_ begins: @Sendable () -> Void) async throws(ServerError) -> Void
    ) async -> WorkReport.Contents {
        let report = WorkReport()
        await WorkReport.$current.withValue(report) {
            do throws(ServerError) {
                try await WorkReport.timingDecode(by: time) { (begins) async throws(ServerError) in
                    try await decode(begins)
                }
            } catch {}
        }
        return report.contents
    }

    @Test func `a decode that fails in the queue has spent its time there`() async {
        let time = time
        let failed = await contents { (_) async throws(ServerError) in
            time.advance(by: .seconds(3))
            throw .late
        }
        #expect(failed.queue == .seconds(3) && failed.decode == nil)
    }

    @Test func `a brief decode spends no time in the queue, and another one the time until it begins`() async {
        let time = time
        let brief = await contents { (_) async throws(ServerError) in time.advance(by: .seconds(3)) }
        #expect(brief.queue == .zero && brief.decode == .seconds(3))
        let usual = await contents { (begins) async throws(ServerError) in
            time.advance(by: .seconds(1))
            begins()
            time.advance(by: .seconds(2))
            throw .late
        }
        #expect(usual.queue == .seconds(1) && usual.decode == .seconds(2))
    }
}
