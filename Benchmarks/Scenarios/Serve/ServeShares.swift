import CalotypeBase
import Foundation

extension Scenario {
    /// A server of which two clients together demand more than it can do: small thumbnails, and a few large AVIF files.
    static let serveShares = Scenario(
        name: "serve-shares",
        summary:
            "calotype serve: thumbnails/s and AVIF files of 6.5 MP/s of two clients at once, and half of each alone"
    ) { bench in
        let folder = try PhotoFolder(Photographs.medium, type: "jpg")
        try Photographs.large.write(to: URL(fileURLWithPath: "\(folder.path)/large.jpg"))
        let server = try CalotypeProcess.serve(root: folder.path)
        let cheap = SocketLoad(server.url, source: "local:///\(folder.names[0])", connections: 4096)
        let expensive = SocketLoad(
            server.url, source: "local:///large.jpg", width: 2944, format: "avif", client: 2, connections: 4096)
        let time = Duration.seconds(bench.isQuick ? 12 : 24)
        _ = try await cheap.closed(16, for: .seconds(1))
        _ = try await expensive.closed(4, for: .seconds(2))
        var rates: [String: [(ours: Double, baseline: Double)]] = [:]
        for _ in 0..<(bench.isQuick ? 2 : 5) {
            let alone = (try await cheap.closed(16, for: time / 4), try await expensive.closed(4, for: time))
            // A tenth of the requests are expensive, which is many times what the server makes of them.
            async let cheapShare = cheap.open(rate: alone.0.rate, for: time)
            async let expensiveShare = expensive.open(rate: alone.0.rate / 9, for: time)
            let both = try await (cheapShare, expensiveShare)
            let failures = Set(both.0.failures.keys).union(both.1.failures.keys)
            guard failures.isSubset(of: [503, 504]) else { throw BenchError("answers: \(failures)") }
            rates["cheap", default: []].append((both.0.rate, alone.0.rate / 2))
            rates["expensive", default: []].append((both.1.rate, alone.1.rate / 2))
            // Until the last rendition has ended at its deadline, 15 s after its request.
            try await Task.sleep(for: .seconds(16))
        }
        let bars = ["cheap": 0.9, "expensive": 0.5]
        for (name, samples) in rates.sorted(by: { $0.key < $1.key }) {
            bench.report(
                "serve-shares-\(name)", with: "half of the server", unit: "req/s", bar: .atLeast(bars[name] ?? 1),
                samples)
        }
        withExtendedLifetime((folder, server)) {}
    }
}
