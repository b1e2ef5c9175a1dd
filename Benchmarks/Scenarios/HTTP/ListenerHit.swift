import Foundation

extension Scenario {
    /// The listener alone, beside the fastest server of files.
    static let listenerHit = Scenario(
        name: "listener-hit", summary: "the listener's prepared answer and nginx's static file: 20 KB, 64 connections"
    ) { bench in
        guard let wrk = Wrk(), let nginx = Nginx.executable else {
            return bench.printer.note("listener-hit: skipped, wrk or nginx is not installed")
        }
        let listener = try ChildProcess(.origin(.prepared))
        let url = try listener.readLine()
        let scratch = try ScratchDirectory()
        try OriginKind.small.body.write(to: URL(fileURLWithPath: "\(scratch.path)/small.jpg"))
        let theirs = try Nginx(executable: nginx, .files(directory: scratch.path))
        let samples = try wrk.compare(
            bench, ours: url + "/small.jpg", theirs: theirs.url + "/small.jpg", connections: 64)
        bench.report(
            "listener-hit", with: "nginx static", unit: "req/s", bar: .atLeast(1),
            samples.map { ($0.ours.requestsPerSecond, $0.theirs.requestsPerSecond) })
        withExtendedLifetime((listener, theirs, scratch)) {}
    }
}
