import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import TestSupport
import CalotypeURLs
import Foundation
import Testing
import Waiting

@testable import CalotypeServer
@testable import CalotypeURLs

/// The counts and times of the work behind answers, and their place in the log.
struct WorkMetricsTests {
    private let records = Log<AnswerRecord>()

    private func web(
        _ level: LogOptions.Level = .all,
        _ change: (inout ServerSetup) -> Void = { _ in }
    ) throws -> WebServer {
        let records = records
        return try WebServer { options, _ in
            options.log = { records.add($0) }
            options.logLevel = level
            change(&options)
        }
    }

    @Test func `the log has the outcomes in both caches, the times of the work, and the bytes`() async throws {
        let web = try web()
        web.serveRevalidatable()
        let body = try await web.get().body
        _ = try await web.get()
        _ = try await web.get(width: 32)
        web.clock.advance(by: .seconds(2 * 3600))
        _ = try await web.get()
        let records = records.entries
        #expect(records.map(\.outcome) == [.made, .hit, .made, .revalidated])
        #expect(records.map(\.sourceOutcome) == ["fetched", nil, "hit", "revalidated"])
        #expect(records.prefix(2).map(\.bytes) == [body.count, body.count])
        #expect(records.allSatisfy { $0.times.total != nil && $0.status == 200 })
        let made = try #require(records.first).times
        #expect(made.fetch != nil && made.decode != nil && made.encode != nil)
        let hit = records[1].times
        #expect(hit.fetch == nil && hit.decode == nil && hit.encode == nil)
        let revalidated = records[3].times
        #expect(revalidated.fetch != nil && revalidated.decode == nil)
        let source = web.origin.url("/images/a.jpg").absoluteString
        #expect(records.allSatisfy { $0.source == source && $0.rendition?.hasSuffix("\(source)@png") == true })
    }

    @Test(
        arguments: [(.errors, [404]), (.made, [200, 404]), (.all, [200, 200, 304, 404])]
            as [(LogOptions.Level, [Int])])
    func `a level selects the answers of the log`(level: LogOptions.Level, statuses: [Int]) async throws {
        let web = try web(level)
        web.serveRevalidatable()
        web.origin.on("/images/none.jpg", .status(404))
        for _ in 1...2 { _ = try await web.get() }
        _ = try await web.get("/images/a.jpg", ["If-None-Match": "*"])
        _ = try await web.get("/images/none.jpg")
        #expect(records.entries.map(\.status) == statuses)
    }

    @Test func `a client that leaves has a record unless only errors have`() async throws {
        let web = try web(.made)
        let gate = Gate()
        defer { gate.open() }
        web.origin.on("/images/a.jpg", WebServer.reply().held(by: gate))
        let client = try RawClient(port: web.server.port)
        try client.get(web.thumbnail().string)
        await web.origin.waitForRequests(1)
        client.leave()
        await waitUntil { records.count == 1 }
        #expect(records.entries.map(\.outcome) == [.left] && records.entries.map(\.status) == [499])
    }

    @Test func `each stage of the work has a histogram, and origins have counts`() async throws {
        let web = try web()
        web.serveRevalidatable()
        web.origin.on("/images/none.jpg", .status(404))
        web.origin.on("/images/gone.jpg", OriginReply.ok(Data()).resetImmediately())
        for path in ["/images/a.jpg", "/images/none.jpg", "/images/gone.jpg"] { _ = try await web.get(path) }
        let values = web.server.server.metrics.values
        let counts = Dictionary(uniqueKeysWithValues: values.stages.map { ($0.0, $0.1.count) })
        #expect(counts[.fetch] == 3 && counts[.decode] == 1 && counts[.encode] == 1)
        for (_, histogram) in values.stages {
            #expect(histogram.buckets.map(\.count) == histogram.buckets.map(\.count).sorted())
            #expect((histogram.buckets.last?.count ?? .max) <= histogram.count)
        }
        #expect(values.origins.map(\.0) == ["200", "404"] && values.origins.map(\.1) == [1, 1])
        #expect(values.originFailures.first?.0 == "connectionLost")
    }

    @Test func `ignored options count by name, 64 names and the others together`() async throws {
        let web = try web(.errors) { $0.grammar.ignoresUnsupported = true }
        try web.server.write(SamplePhotos.jpeg(width: 64, height: 48), "a.jpg")
        for number in 0..<70 {
            _ = try await web.server.get("/_/zz\(ByteString("\(number)")):1/w:10/plain/local:///a.jpg@png")
        }
        let ignored = web.server.server.metrics.values.ignoredOptions
        #expect(ignored.count == 65 && ignored.first { $0.0 == "other" }?.1 == 6)
        #expect(ignored.reduce(0) { $0 + $1.1 } == 70)
    }

    private struct Line: Decodable {
        let bytes: Int
        let id: String?
        let ms: [String: Double]
        let outcome: String
        let reason: String
        let rendition: String
        let status: Int
        let time: String
    }

    @Test func `a line is JSON without hidden characters, its keys in order`() throws {
        let text = "a\"\\\u{85}\u{202E}\u{1B}\n\u{2028}\u{2029}\u{200E}\u{200F}\u{61C}\u{FEFF}\u{E0041}\u{e4}"
        let record = AnswerRecord(
            time: "2026-01-01T00:00:00.000Z", id: nil, status: 200, outcome: .made, bytes: 7,
            times: AnswerRecord.Times(
                fetch: .microseconds(1_002_003), decode: .zero, encode: .microseconds(40), total: .milliseconds(1500)),
            rendition: "w:10", reason: text)
        #expect(!record.line.unicodeScalars.contains { $0.isHidden })
        #expect(record.line.contains("\u{e4}") && record.line.contains("\\u202e") && record.line.contains("\\udb40"))
        let line = try JSONDecoder().decode(Line.self, from: Data(record.line.utf8))
        #expect(line.reason == text && line.id == nil && line.bytes == 7 && line.rendition == "w:10")
        #expect(line.ms == ["fetch": 1002.003, "decode": 0, "encode": 0.04, "total": 1500])
        #expect(record.line.hasPrefix("{\"bytes\":7,\"ms\":{\"decode\":0,\"encode\":0.040,\"fetch\":1002.003,"))
        #expect(record.line.hasSuffix("\"status\":200,\"time\":\"2026-01-01T00:00:00.000Z\"}"))
    }

    @Test func `counters of many threads lose nothing`() async {
        let counters = ShardedCounters(count: 3)
        await withTaskGroup { group in
            for _ in 0..<200 { group.addTask { for _ in 0..<100 { counters.add(2, to: 1) } } }
        }
        #expect(counters[0] == 0 && counters[1] == 40_000 && counters[2] == 0)
    }
}
