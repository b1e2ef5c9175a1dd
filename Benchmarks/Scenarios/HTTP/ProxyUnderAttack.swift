import Foundation

extension Scenario {
    /// The effect of a thousand slow clients on other clients.
    static let proxyUnderAttack = Scenario(
        name: "proxy-under-attack",
        summary: "calotype proxy: p99 of 20 KB hits beside 1,000 slow clients, and without them"
    ) { bench in
        guard let wrk = Wrk() else { return bench.printer.note("proxy-under-attack: skipped, wrk is not installed") }
        let origin = try ChildProcess(.origin(.small))
        let proxy = try CalotypeProcess.proxy(origin: try origin.readLine())
        guard let port = URL(string: proxy.url)?.port.map(UInt16.init) else {
            throw BenchError("the proxy has no port")
        }
        let url = Wrk.Target(proxy.url + "/small.jpg")
        let length = bench.isQuick ? 2 : 5
        _ = try wrk.run(url, seconds: 1)
        var samples: [(ours: Wrk.Result, baseline: Wrk.Result)] = []
        for _ in 0..<5 {
            let without = try wrk.run(url, seconds: length)
            let slow = try SlowClients(count: 1000, port: port, target: "/small.jpg")
            samples.append((try wrk.run(url, seconds: length), without))
            withExtendedLifetime(slow) {}
        }
        bench.report(
            "proxy-under-attack-p99", with: "without slow clients", unit: "ms", bar: .atMost(2),
            samples.map { ($0.ours.p99, $0.baseline.p99) })
        withExtendedLifetime((origin, proxy)) {}
    }
}
