import CalotypeHTTP
import Foundation

extension Scenario {
    /// The rate of serving a stored thumbnail. The server has already parsed and verified its URL for an earlier
    /// request.
    static let serveHit = Scenario(
        name: "serve-hit",
        summary: "calotype serve and nginx proxy_cache, thumbor's results, If-None-Match: 23 KB, 32 connections of wrk"
    ) { bench in
        guard let wrk = Wrk(), let executable = Nginx.executable else {
            return bench.printer.note("serve-hit: skipped, wrk or nginx is not installed")
        }
        let servers = try await HitServers(nginx: executable)
        let ours = Wrk.Target(servers.ours.url + servers.hit.path)
        bench.report(
            "serve-hit", with: "nginx proxy_cache", bar: .atLeast(0.9),
            try wrk.compare(bench, ours: ours, theirs: Wrk.Target(servers.nginx.url + servers.hit.path)))
        try besideThumbor(bench, wrk, ours, servers.hit, servers.folder)
        let confirmed = Wrk.Target(ours.url, fields: ["If-None-Match: \(servers.hit.tag)"])
        bench.report(
            "serve-hit-304", with: "without If-None-Match", bar: .atLeast(1),
            try wrk.compare(bench, ours: confirmed, theirs: ours))
        withExtendedLifetime(servers) {}
    }

    /// The processor time of one such request. A busy machine changes it less than the rate.
    static let serveHitProcessor = Scenario(
        name: "serve-hit-processor", summary: "calotype serve and nginx proxy_cache: processor time of a hit of 23 KB"
    ) { bench in
        guard let wrk = Wrk(), let executable = Nginx.executable else {
            return bench.printer.note("serve-hit-processor: skipped, wrk or nginx is not installed")
        }
        let servers = try await HitServers(nginx: executable)
        func cost(of tree: ProcessTree, _ url: String) throws -> Double {
            let before = try tree.processorSeconds(), length = bench.isQuick ? 2 : 5
            let rate = try wrk.run(Wrk.Target(url + servers.hit.path), seconds: length).requestsPerSecond
            return (try tree.processorSeconds() - before) / (rate * Double(length)) * 1e6
        }
        try await bench.compare(
            "serve-hit-processor", with: "nginx proxy_cache", unit: "µs", bar: .atMost(1.2), pairs: 5
        ) {
            try cost(of: servers.ours.tree, servers.ours.url)
        } baseline: {
            try cost(of: servers.nginx.tree, servers.nginx.url)
        }
        withExtendedLifetime(servers) {}
    }

    private static func besideThumbor(
        _ bench: Bench, _ wrk: Wrk, _ ours: Wrk.Target, _ hit: HitThumbnail, _ folder: PhotoFolder
    ) throws {
        guard let executable = Thumbor.executable else {
            return bench.printer.note("serve-hit: thumbor is not installed; Scripts/bench installs it")
        }
        let thumbor = try Thumbor(executable: executable, root: folder.path, storesResults: true)
        let theirs = try thumbor.signed(folder.names[0], width: hit.width)
        bench.report(
            "serve-hit", with: "thumbor, file results", bar: .atLeast(20),
            try wrk.compare(bench, ours: ours, theirs: Wrk.Target(theirs)))
        withExtendedLifetime(thumbor) {}
    }
}

extension Bench {
    /// Prints the comparison of the request rates.
    func report(
        _ name: String, with baselineName: String, bar: Bar, _ pairs: [(ours: Wrk.Result, theirs: Wrk.Result)]
    ) {
        report(
            name, with: baselineName, unit: "req/s", bar: bar,
            pairs.map { ($0.ours.requestsPerSecond, $0.theirs.requestsPerSecond) })
    }
}

/// Our server with a thumbnail, and nginx's cache in front of it: both send the same bytes.
private struct HitServers {
    let folder: PhotoFolder
    let ours: CalotypeProcess
    let hit: HitThumbnail
    let nginx: Nginx

    init(nginx executable: String) async throws {
        folder = try PhotoFolder(Photographs.medium, type: "jpg")
        ours = try .serve(root: folder.path)
        hit = try await HitThumbnail(of: folder.names[0], on: ours)
        nginx = try Nginx(executable: executable, .cache(origin: ours.url))
    }
}

/// A thumbnail of about 23 KB that the server has cached.
private struct HitThumbnail {
    let path: String
    let width: Int
    /// The entity tag of the thumbnail.
    let tag: String

    init(of photo: String, on server: CalotypeProcess) async throws {
        let client = ThumbnailClient()
        for width in stride(from: 200, through: 1600, by: 8) {
            let path = try ThumbnailURL.path("local:///\(photo)", width: width)
            let answer = try await client.answer(server.url + path)
            guard answer.status == 200, let tag = answer.fields["ETag"] else {
                throw BenchError("\(answer.status) without a tag for \(path)")
            }
            guard answer.body.count >= 23_000 else { continue }
            let confirmed = try await client.answer(server.url + path, ["If-None-Match": tag])
            guard answer.body.count < 24_500, confirmed.status == 304 else {
                throw BenchError("\(answer.body.count) bytes, then \(confirmed.status)")
            }
            (self.path, self.width, self.tag) = (path, width, tag.string)
            return
        }
        throw BenchError("no thumbnail has 23 KB")
    }
}
