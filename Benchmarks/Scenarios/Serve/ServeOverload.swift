import CalotypeBase
import Foundation

extension Scenario {
    /// The work of a server of which four times as much is demanded as it can do.
    static let serveOverload = Scenario(
        name: "serve-overload",
        summary: "calotype serve: thumbnails/s at 4 x capacity and at capacity; times of 503, hits and health"
    ) { bench in
        let folder = try PhotoFolder(Photographs.medium, type: "jpg")
        let log = ServerLog()
        let server = try CalotypeProcess.serve(
            root: folder.path, options: ["--log", "all"], onBytes: { log.add($0) })
        let load = SocketLoad(server.url, source: "local:///\(folder.names[0])", connections: 4096)
        let client = ThumbnailClient()
        let hit = server.url + (try ThumbnailURL.path("local:///\(folder.names[0])", width: 200))
        _ = try await client.thumbnail(hit)
        let time = Duration.seconds(bench.isQuick ? 3 : 6)
        _ = try await load.closed(16, for: .seconds(1))
        var rates: [(ours: Double, baseline: Double)] = []
        var times: [String: [(ours: Double, baseline: Double)]] = [:]
        for _ in 0..<5 {
            let capacity = try await load.closed(16, for: time)
            guard capacity.failures.isEmpty else { throw BenchError("failures at capacity: \(capacity.failures)") }
            log.clear()
            let probes = Probes(server.url, hit: hit)
            let overload = try await load.open(rate: 4 * capacity.rate, for: time)
            let health = try await probes.end()
            guard Set(overload.failures.keys) == [503] else {
                throw BenchError("answers other than 503 beyond the capacity: \(overload.failures)")
            }
            rates.append((overload.rate, capacity.rate))
            times["503", default: []].append((try log.p99(status: 503), 10))
            times["hit", default: []].append((try log.p99(status: 200, outcome: "hit"), 50))
            times["health", default: []].append((health, 50))
            // Wait until the server has nothing left to do.
            try await Task.sleep(for: .seconds(2))
        }
        bench.report("serve-overload", with: "capacity", unit: "req/s", bar: .atLeast(0.9), rates)
        for (name, samples) in times.sorted(by: { $0.key < $1.key }) {
            bench.report(
                "serve-overload-\(name)-p99", with: "limit, \(Int(samples[0].baseline)) ms", unit: "ms",
                bar: .atMost(1), samples)
        }
        withExtendedLifetime((folder, server)) {}
    }
}

/// A hit and a question about health every 20 ms, each over its own connection.
private struct Probes {
    private let tasks: [Task<[Double], any Error>]
    private let isEnding = Locked(false)

    init(_ server: String, hit: String) {
        tasks = [hit, "\(server)/health"].map { [isEnding] url in
            let client = ThumbnailClient(connections: 1)
            return Task {
                var times: [Double] = []
                while !isEnding.withLock({ $0 }) {
                    let start = ContinuousClock.now
                    _ = try await client.thumbnail(url)
                    times.append((ContinuousClock.now - start) / .milliseconds(1))
                    try await Task.sleep(for: .milliseconds(20))
                }
                return times
            }
        }
    }

    /// Returns the time that 99 % of the answers about health did not exceed, in milliseconds, as the client sees it:
    /// the log has no line for them.
    func end() async throws -> Double {
        isEnding.withLock { $0 = true }
        _ = try await tasks[0].value
        let times = try await tasks[1].value.sorted()
        guard !times.isEmpty else { throw BenchError("the server answered no question about its health") }
        return times[min(times.count * 99 / 100, times.count - 1)]
    }
}
