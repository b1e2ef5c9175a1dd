import CalotypeBase
import Foundation

extension Scenario {
    /// The effect of a far store that stops answering.
    static let farStall = Scenario(
        name: "far-stall",
        summary: "calotype serve: hits' p99 beside a stopped far store and before; errors; misses that wait for it"
    ) { bench in
        guard let wrk = Wrk() else { return bench.printer.note("far-stall: skipped, wrk is not installed") }
        let length = bench.isQuick ? 2 : 4
        var times: [(ours: Double, baseline: Double)] = []
        var waits: [(ours: Double, baseline: Double)] = []
        var errors = 0
        for _ in 0..<5 {
            let subject = try await StalledStore()
            let before = try await subject.load(wrk, seconds: length)
            subject.pause()
            waits.append((Double(try await subject.waitingMisses(of: 20)), 5))
            let during = try await subject.load(wrk, seconds: length)
            subject.resume()
            times.append((during.p99, before.p99))
            errors += during.errors + before.errors
        }
        bench.report("far-stall-hit-p99", with: "before", unit: "ms", bar: .atMost(1.5), times)
        bench.report(
            "far-stall-errors", with: "none; one is added", unit: "errors", bar: .exactly(1), [(Double(errors + 1), 1)])
        bench.report("far-stall-waits", with: "limit, 5 misses", unit: "misses", bar: .atMost(1), waits)
    }
}

/// A node whose far store stops on request. Its sources are in another store.
private final class StalledStore {
    private let far: ObjectStoreProcess
    private let photos: ObjectStoreProcess
    private let node: CalotypeProcess
    private let misses: MissLoad
    private let client = ThumbnailClient()
    private let hit: String
    private var missed = 0

    init() async throws {
        (far, photos) = (try ObjectStoreProcess(), try ObjectStoreProcess())
        try await photos.put(Photographs.small, as: "photos/stall/*")
        node = try await .node(photos.sources + far.results("stall"), isQuiet: true)
        misses = MissLoad(node.url, sources: (0..<20).map { "s3://photos/stall/\($0).jpg" }, connections: 256)
        hit = node.url + (try ThumbnailURL.path("s3://photos/stall/0.jpg", width: 400))
        _ = try await client.thumbnail(hit)
    }

    func pause() { far.pause() }
    func resume() { far.resume() }

    /// Requests a stored result as fast as responses arrive, and 20 new ones a second.
    func load(_ wrk: Wrk, seconds: Int) async throws -> (p99: Double, errors: Int) {
        let misses = misses
        async let missed = misses.open(rate: 20, for: .seconds(seconds))
        let result = try wrk.run(Wrk.Target(hit), seconds: seconds)
        return (result.p99, try await missed.failures.values.reduce(0, +))
    }

    /// Returns the number of new thumbnails, requested one after the other, that took most of the far store's timeout.
    func waitingMisses(of count: Int) async throws -> Int {
        var waiting = 0
        for _ in 0..<count {
            missed += 1
            let url = try node.url + ThumbnailURL.path("s3://photos/stall/1.jpg", width: 300, buster: "w\(missed)")
            let time = try await seconds { _ = try await client.thumbnail(url) }
            if time >= 0.2 { waiting += 1 }
        }
        return waiting
    }
}
