import CalotypeBase
import Foundation

extension Scenario {
    /// The cost of a line for each request, written to a pipe, and of metrics that are read each second.
    static let serveLog = Scenario(
        name: "serve-log",
        summary: "calotype serve: hits with --log all to a pipe and metrics read each second, and without both"
    ) { bench in
        guard let wrk = Wrk() else { return bench.printer.note("serve-log: skipped, wrk is not installed") }
        let folder = try PhotoFolder(Photographs.medium, type: "jpg")
        let path = try ThumbnailURL.path("local:///\(folder.names[0])", width: 360)
        let lines = Locked(0)
        let logged = try CalotypeProcess.serve(
            root: folder.path, options: ["--log", "all", "--admin", "127.0.0.1:0"],
            onBytes: { bytes in
                let count = bytes.count(where: { $0 == UInt8(ascii: "\n") })
                lines.withLock { $0 += count }
            })
        let silent = try CalotypeProcess.serve(root: folder.path, options: ["--log", "none"])
        guard let admin = logged.adminURL else { throw BenchError("the server has no admin port") }
        let client = ThumbnailClient()
        for server in [logged, silent] { _ = try await client.thumbnail(server.url + path) }
        let reader = Task {
            while !Task.isCancelled {
                _ = try await client.thumbnail("\(admin)/.calotype/metrics")
                try await Task.sleep(for: .seconds(1))
            }
        }
        defer { reader.cancel() }
        let pairs = try wrk.compare(bench, ours: Wrk.Target(logged.url + path), theirs: Wrk.Target(silent.url + path))
        guard lines.withLock({ $0 }) > 1000 else { throw BenchError("the server wrote no line for each request") }
        bench.report("serve-log", with: "without", bar: .atLeast(0.9), pairs)
        withExtendedLifetime((folder, logged, silent)) {}
    }
}
