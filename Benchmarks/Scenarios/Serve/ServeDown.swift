import CalotypeHTTP
import CalotypeTesting
import Foundation

extension Scenario {
    /// The rate of stale results whose origins are gone.
    static let serveDown = Scenario(
        name: "serve-down",
        summary: "calotype serve: 200 stale results whose origin is gone, and 200 fresh ones: 32 connections of wrk"
    ) { bench in
        guard let wrk = Wrk() else { return bench.printer.note("serve-down: skipped, wrk is not installed") }
        let origin = try OriginServer()
        origin.onAny { request in
            let lifetime = request.path.hasPrefix("/stale") ? 1 : 86_400
            return OriginReply(
                fields: ["Content-Type": "image/jpeg", "Cache-Control": "max-age=\(lifetime)", "ETag": "\"v1\""],
                body: Photographs.small)
        }
        let folder = try ScratchDirectory()
        let server = try CalotypeProcess.serve(root: folder.path, allowed: origin.url.absoluteString)
        func target(_ kind: String) async throws -> Wrk.Target {
            let paths = try (0..<200).map {
                try ThumbnailURL.path(origin.url("/\(kind)/\($0).jpg").absoluteString, width: 200)
            }
            let client = ThumbnailClient(connections: 8)
            try await inTasks(8, paths) { [root = server.url] in _ = try await client.thumbnail(root + $0) }
            return Wrk.Target(server.url, paths: try WrkPaths(paths))
        }
        let (stale, fresh) = (try await target("stale"), try await target("fresh"))
        try await Task.sleep(for: .seconds(2))
        origin.stop()
        // An error of any answer ends the scenario.
        _ = try wrk.run(stale, seconds: 10)
        bench.report(
            "serve-down", with: "fresh results", bar: .atLeast(0.8), try wrk.compare(bench, ours: stale, theirs: fresh))
        withExtendedLifetime((folder, server)) {}
    }
}
