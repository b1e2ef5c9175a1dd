import Foundation

extension Scenario {
    /// The effect of a thousand slow clients on the others.
    static let serveAttack = Scenario(
        name: "serve-attack",
        summary: "calotype serve: p99 of 20 KB hits beside 1,000 slow clients, and without them"
    ) { bench in
        guard let wrk = Wrk() else { return bench.printer.note("serve-attack: skipped, wrk is not installed") }
        let folder = try PhotoFolder(Photographs.medium, type: "jpg")
        let server = try CalotypeProcess.serve(root: folder.path)
        guard let port = URL(string: server.url)?.port.map(UInt16.init) else {
            throw BenchError("the server has no port")
        }
        let path = try ThumbnailURL.path("local:///\(folder.names[0])", width: 360)
        _ = try await ThumbnailClient().thumbnail(server.url + path)
        let hit = Wrk.Target(server.url + path)
        let length = bench.isQuick ? 2 : 5
        _ = try wrk.run(hit, seconds: 1)
        var samples: [(ours: Double, baseline: Double)] = []
        for _ in 0..<5 {
            let without = try wrk.run(hit, seconds: length)
            let slow = try SlowClients(count: 1000, port: port, target: path)
            samples.append((try wrk.run(hit, seconds: length).p99, without.p99))
            withExtendedLifetime(slow) {}
        }
        bench.report("serve-attack-p99", with: "without slow clients", unit: "ms", bar: .atMost(2), samples)
        withExtendedLifetime((folder, server)) {}
    }
}
