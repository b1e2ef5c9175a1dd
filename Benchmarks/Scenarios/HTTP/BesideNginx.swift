import CalotypeBase
import CalotypeHTTP
import CalotypeTransport
import Foundation

extension Scenario {
    /// The rate of fresh responses from memory, compared with nginx's cache.
    static let proxyHit = besideNginx(
        "proxy-hit", "calotype proxy and nginx proxy_cache: 20 KB hits, 8 to 128 connections of wrk, p99 too",
        cacheOf: .small
    ) { bench, wrk, ours, theirs in
        for connections in [8, 32, 128] {
            let name = "proxy-hit-\(connections)"
            let samples = try wrk.compare(
                bench, ours: Wrk.Target(ours), theirs: Wrk.Target(theirs), connections: connections)
            bench.report(name, with: "nginx proxy_cache", bar: .atLeast(1), samples)
            bench.report(
                "\(name)-p99", with: "nginx proxy_cache", unit: "ms", bar: .atMost(1.5),
                samples.map { ($0.ours.p99, $0.theirs.p99) })
            bench.printer.note("\(name)-p99: " + spread(of: samples))
        }
    }

    /// The speed of sending a large stored body from its file.
    static let proxyLarge = besideNginx(
        "proxy-large", "calotype proxy and nginx proxy_cache with sendfile: 60 MB from the disk's cache", cacheOf: .huge
    ) { bench, wrk, ours, theirs in
        let samples = try wrk.compare(
            bench, ours: Wrk.Target(ours), theirs: Wrk.Target(theirs), connections: 8)
        bench.report(
            "proxy-large", with: "nginx proxy_cache", unit: "MB/s", bar: .atLeast(0.8),
            samples.map { ($0.ours.requestsPerSecond * 60, $0.theirs.requestsPerSecond * 60) })
    }

    /// The speed of a large body that both store on the disk while it passes.
    static let proxyStream = besideNginx(
        "proxy-stream", "calotype proxy and nginx proxy_cache: 60 MB misses, stored on the disk while they pass",
        cacheOf: .huge
    ) { bench, _, ours, theirs in
        let number = AtomicInteger(0)
        let transport = CurlTransport()
        @Sendable func megabytesPerSecond(_ url: String) async throws -> Double {
            let start = ContinuousClock.now
            var count = 0
            for _ in 0..<4 {
                guard let url = URL(string: "\(url)?\(number.add(1))") else { return 0 }
                for try await chunk in try await transport.send(HTTPRequest(url)).body { count += chunk.count }
            }
            return Double(count) / 1e6 / ((ContinuousClock.now - start) / .seconds(1))
        }
        try await bench.compare(
            "proxy-stream", with: "nginx proxy_cache", unit: "MB/s", bar: .atLeast(0.9), pairs: 7,
            ours: { try await megabytesPerSecond(ours) }, baseline: { try await megabytesPerSecond(theirs) })
    }

    /// The rate of the listener alone, compared with nginx as a file server.
    static let listenerHit = besideNginx(
        "listener-hit", "the listener's prepared answer and nginx's static file: 20 KB, 64 connections", cacheOf: nil
    ) { bench, wrk, ours, theirs in
        let samples = try wrk.compare(
            bench, ours: Wrk.Target(ours), theirs: Wrk.Target(theirs), connections: 64)
        bench.report("listener-hit", with: "nginx static", bar: .atLeast(1), samples)
    }

    /// - Parameters:
    ///   - origin: The origin of both caches. If `nil`, the listener and nginx serve a file without a cache.
    ///   - measure: Called with the URLs of one file on both servers.
    private static func besideNginx(
        _ name: String, _ summary: String, cacheOf origin: OriginKind?,
        measure:
            @escaping @Sendable (
                _ bench: Bench, _ wrk: Wrk, _ ours: String, _ theirs: String
            ) async throws -> Void
    ) -> Scenario {
        Scenario(name: name, summary: summary) { bench in
            guard let wrk = Wrk(), let nginx = Nginx.executable else {
                return bench.printer.note("\(name): skipped, wrk or nginx is not installed")
            }
            let server = try ChildProcess(.origin(origin ?? .prepared))
            let url = try server.readLine()
            let scratch = try ScratchDirectory()
            let file = origin == .huge ? "/huge.bin" : "/small.jpg"
            guard origin != nil else {
                try OriginKind.small.body.write(to: URL(fileURLWithPath: scratch.path + file))
                let theirs = try Nginx(executable: nginx, .files(directory: scratch.path))
                try await measure(bench, wrk, url + file, theirs.url + file)
                return withExtendedLifetime((server, theirs, scratch)) {}
            }
            let ours = try CalotypeProcess.proxy(origin: url, store: origin == .huge ? scratch.path : nil)
            let theirs = try Nginx(executable: nginx, .cache(origin: url))
            try await measure(bench, wrk, ours.url + file, theirs.url + file)
            withExtendedLifetime((server, ours, theirs, scratch)) {}
        }
    }

    /// Returns the ranges of both sides' p99. Without them the ratio means little, because p99 varies between runs.
    private static func spread(of samples: [(ours: Wrk.Result, theirs: Wrk.Result)]) -> String {
        func range(_ values: [Double]) -> String {
            String(format: "%.2f–%.2f ms", values.min() ?? 0, values.max() ?? 0)
        }
        return "ours \(range(samples.map(\.ours.p99))), nginx \(range(samples.map(\.theirs.p99)))"
    }
}
