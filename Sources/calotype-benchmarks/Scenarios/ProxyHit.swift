import Foundation

extension Scenario {
    /// What a fresh answer costs that lies in memory, beside the fastest cache there is.
    static let proxyHit = Scenario(
        name: "proxy-hit", summary: "calotype proxy and nginx proxy_cache: 20 KB hits, 32 connections of wrk, p99 too"
    ) { bench in
        guard let wrk = Wrk(), let nginx = NginxCache.executable else {
            return bench.printer.note("proxy-hit: skipped, wrk or nginx is not installed")
        }
        let origin = try ChildProcess(.origin(.small))
        let url = try origin.readLine()
        let ours = try CalotypeProxy(origin: url)
        let theirs = try NginxCache(executable: nginx, origin: url)
        let samples = try measure(bench, wrk, ours: ours.url + "/small.jpg", theirs: theirs.url + "/small.jpg")
        bench.report(
            "proxy-hit", with: "nginx proxy_cache", unit: "req/s", bar: .atLeast(0.7),
            samples.map { ($0.ours.requestsPerSecond, $0.theirs.requestsPerSecond) })
        bench.report(
            "proxy-hit-p99", with: "nginx proxy_cache", unit: "ms", bar: .atMost(2),
            samples.map { ($0.ours.p99, $0.theirs.p99) })
        bench.printer.note("proxy-hit-p99: " + spread(of: samples))
        withExtendedLifetime((origin, ours, theirs)) {}
    }

    /// Five runs of each by turns, after one that fills the caches.
    private static func measure(
        _ bench: Bench, _ wrk: Wrk, ours: String, theirs: String
    ) throws -> [(ours: Wrk.Result, theirs: Wrk.Result)] {
        let length = bench.isQuick ? 2 : 5
        for url in [ours, theirs] { _ = try wrk.run(url, seconds: 1) }
        return try (0..<5).map { run in
            if run.isMultiple(of: 2) {
                let first = try wrk.run(ours, seconds: length)
                return (first, try wrk.run(theirs, seconds: length))
            }
            let first = try wrk.run(theirs, seconds: length)
            return (try wrk.run(ours, seconds: length), first)
        }
    }

    /// nginx's own p99 swings between runs: without its range the ratio says little.
    private static func spread(of samples: [(ours: Wrk.Result, theirs: Wrk.Result)]) -> String {
        func range(_ values: [Double]) -> String {
            String(format: "%.2f–%.2f ms", values.min() ?? 0, values.max() ?? 0)
        }
        return "ours \(range(samples.map(\.ours.p99))), nginx \(range(samples.map(\.theirs.p99)))"
    }
}
