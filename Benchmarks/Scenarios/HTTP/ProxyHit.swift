import Foundation

extension Scenario {
    /// The cost of a fresh response in memory, beside the fastest cache.
    static let proxyHit = Scenario(
        name: "proxy-hit",
        summary: "calotype proxy and nginx proxy_cache: 20 KB hits, 8 to 128 connections of wrk, p99 too"
    ) { bench in
        guard let wrk = Wrk(), let nginx = Nginx.executable else {
            return bench.printer.note("proxy-hit: skipped, wrk or nginx is not installed")
        }
        let origin = try ChildProcess(.origin(.small))
        let url = try origin.readLine()
        let ours = try CalotypeProxy(origin: url)
        let theirs = try Nginx(executable: nginx, .cache(origin: url))
        for connections in [8, 32, 128] {
            let name = "proxy-hit-\(connections)"
            let samples = try wrk.compare(
                bench, ours: ours.url + "/small.jpg", theirs: theirs.url + "/small.jpg", connections: connections)
            bench.report(
                name, with: "nginx proxy_cache", unit: "req/s", bar: .atLeast(1),
                samples.map { ($0.ours.requestsPerSecond, $0.theirs.requestsPerSecond) })
            bench.report(
                "\(name)-p99", with: "nginx proxy_cache", unit: "ms", bar: .atMost(1.5),
                samples.map { ($0.ours.p99, $0.theirs.p99) })
            bench.printer.note("\(name)-p99: " + spread(of: samples))
        }
        withExtendedLifetime((origin, ours, theirs)) {}
    }

    /// nginx's own p99 varies between runs: the ratio means little without its range.
    private static func spread(of samples: [(ours: Wrk.Result, theirs: Wrk.Result)]) -> String {
        func range(_ values: [Double]) -> String {
            String(format: "%.2f–%.2f ms", values.min() ?? 0, values.max() ?? 0)
        }
        return "ours \(range(samples.map(\.ours.p99))), nginx \(range(samples.map(\.theirs.p99)))"
    }
}
