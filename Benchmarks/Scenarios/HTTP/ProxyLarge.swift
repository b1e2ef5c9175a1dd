import Foundation

extension Scenario {
    /// The speed at which a large stored body leaves its file.
    static let proxyLarge = Scenario(
        name: "proxy-large", summary: "calotype proxy and nginx proxy_cache with sendfile: 60 MB from the disk's cache"
    ) { bench in
        guard let wrk = Wrk(), let nginx = Nginx.executable else {
            return bench.printer.note("proxy-large: skipped, wrk or nginx is not installed")
        }
        let origin = try ChildProcess(.origin(.huge))
        let url = try origin.readLine()
        let scratch = try ScratchDirectory()
        let ours = try CalotypeProxy(origin: url, store: scratch.path)
        let theirs = try Nginx(executable: nginx, .cache(origin: url))
        let samples = try wrk.compare(
            bench, ours: ours.url + "/huge.bin", theirs: theirs.url + "/huge.bin", connections: 8)
        bench.report(
            "proxy-large", with: "nginx proxy_cache", unit: "MB/s", bar: .atLeast(0.8),
            samples.map { ($0.ours.requestsPerSecond * 60, $0.theirs.requestsPerSecond * 60) })
        withExtendedLifetime((origin, ours, theirs, scratch)) {}
    }
}
