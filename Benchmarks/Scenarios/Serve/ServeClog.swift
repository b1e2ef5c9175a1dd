import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation

extension Scenario {
    /// The effect of an origin that accepts requests and never answers on the sources of other origins.
    static let serveClog = Scenario(
        name: "serve-clog",
        summary: "calotype serve: thumbnails/s of other origins beside 100 silent URLs of one origin, and without them"
    ) { bench in
        let clog = try Clog()
        let time = Duration.seconds(bench.isQuick ? 3 : 5)
        let others = clog.others
        _ = try await others.closed(8, for: .seconds(1))
        var rates: [(ours: Double, baseline: Double)] = []
        var good: [(ours: Double, baseline: Double)] = []
        var refused = 0
        for _ in 0..<5 {
            let without = try await others.closed(8, for: time)
            let silent = await clog.requestSilentURLs(100)
            async let busy = others.closed(8, for: time)
            good.append((try await clog.secondsOfGoodURL(), 3))
            let beside = try await busy
            rates.append((beside.rate, without.rate))
            refused += (beside.failures[503] ?? 0) + (without.failures[503] ?? 0)
            try await clog.leave(silent)
        }
        bench.report("serve-clog", with: "without", unit: "req/s", bar: .atLeast(0.9), rates)
        bench.report(
            "serve-clog-refused", with: "none; one is added", unit: "503", bar: .exactly(1), [(Double(refused + 1), 1)])
        bench.report("serve-clog-good", with: "limit, 3 s", unit: "s", bar: .atMost(1), good)
    }
}

/// A server with two origins, one of which never answers requests for some URLs.
private final class Clog {
    let others: MissLoad
    private let silent: OriginServer
    private let other: OriginServer
    private let folder: ScratchDirectory
    private let server: CalotypeProcess
    private let client = ThumbnailClient(connections: 256)
    private var number = 0

    init() throws {
        let photo = OriginReply(
            fields: ["Content-Type": "image/jpeg", "Cache-Control": "max-age=600"], body: Photographs.medium)
        silent = try OriginServer()
        other = try OriginServer(host: "127.0.0.2")
        // Nothing opens the gate.
        silent.onAny { [gate = Gate()] in $0.path.hasPrefix("/good") ? photo : photo.held(by: gate) }
        other.onAny { _ in photo }
        folder = try ScratchDirectory()
        server = try .serve(
            root: folder.path, allowed: silent.url.absoluteString,
            options: ["--allow-source", other.url.absoluteString])
        // More than the cache of sources holds.
        let root = other.url.absoluteString
        let sources = (0..<2000).map { "\(root)/\($0).jpg" }
        others = MissLoad(server.url, sources: sources, connections: 64)
    }

    /// Requests thumbnails of sources that do not arrive. Returns when the origin has the first request.
    func requestSilentURLs(_ count: Int) async -> [Task<Void, Never>] {
        let before = silent.requestCount()
        let requests = (0..<count).map { _ in
            number += 1
            let source = silent.url("/silent-\(number).jpg").absoluteString
            return Task { [client, root = server.url] in
                _ = try? await client.answer(root + ThumbnailURL.path(source, width: 400))
            }
        }
        await silent.waitForRequests(before + 1)
        return requests
    }

    /// Returns the time of a thumbnail whose source the silent origin sends, in seconds.
    func secondsOfGoodURL() async throws -> Double {
        number += 1
        let path = try ThumbnailURL.path(silent.url("/good-\(number).jpg").absoluteString, width: 400)
        let start = ContinuousClock.now
        _ = try await client.thumbnail(server.url + path)
        return (ContinuousClock.now - start) / .seconds(1)
    }

    /// Cancels the requests, and waits until the server no longer waits for their sources.
    func leave(_ requests: [Task<Void, Never>]) async throws {
        for request in requests { request.cancel() }
        for request in requests { await request.value }
        try await silent.becomeIdle()
    }
}

extension OriginServer {
    /// Waits until no request is in flight, for 30 seconds at most.
    func becomeIdle() async throws {
        for _ in 0..<300 where inFlight > 0 { try await Task.sleep(for: .milliseconds(100)) }
        guard inFlight == 0 else { throw BenchError("\(inFlight) requests to an origin do not end") }
    }
}
