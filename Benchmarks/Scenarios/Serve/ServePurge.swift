import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation

extension Scenario {
    /// The time of a purge of many results, and its effect on the others.
    static let servePurge = Scenario(
        name: "serve-purge",
        summary: "calotype serve: a purge of a prefix with 100,000 results, and hits elsewhere after and before"
    ) { bench in
        guard let wrk = Wrk() else { return bench.printer.note("serve-purge: skipped, wrk is not installed") }
        let count = bench.isQuick ? 10_000 : 100_000
        let subject = try PurgedServer()
        let elsewhere = Wrk.Target(try await subject.urlElsewhere())
        let length = bench.isQuick ? 2 : 5
        var times: [(ours: Double, baseline: Double)] = []
        var rates: [(ours: Double, baseline: Double)] = []
        for round in 0..<5 {
            try await subject.make(round == 0 ? count : 1000)
            let before = try wrk.run(elsewhere, seconds: length)
            times.append((try await subject.secondsOfPurge() * 1e3, 20))
            rates.append((try wrk.run(elsewhere, seconds: length).requestsPerSecond, before.requestsPerSecond))
            try await subject.checkIsPurged()
        }
        bench.report("serve-purge-time", with: "limit, 20 ms", unit: "ms", bar: .atMost(1), times)
        bench.report("serve-purge-elsewhere", with: "before", unit: "req/s", bar: .atLeast(0.95), rates)
    }
}

/// A server with an admin port, and an origin with sources in two folders.
private final class PurgedServer {
    private let origin: OriginServer
    private let folder: ScratchDirectory
    private let server: CalotypeProcess
    private let purger: Purger
    private let client = ThumbnailClient(connections: 16)
    private var made = 0

    init() throws {
        origin = try OriginServer(threads: 2)
        origin.onAny { _ in
            OriginReply(
                fields: ["Content-Type": "image/jpeg", "Cache-Control": "max-age=86400", "ETag": "\"v1\""],
                body: Photographs.small)
        }
        folder = try ScratchDirectory()
        let token = "\(folder.path)/token"
        try "benchmark-token-of-32-characters\n".write(toFile: token, atomically: true, encoding: .utf8)
        guard chmod(token, 0o600) == 0 else { throw BenchError("the file of the token cannot be protected") }
        server = try .serve(
            root: folder.path, allowed: origin.url.absoluteString, store: "\(folder.path)/store",
            options: ["--admin", "127.0.0.1:0", "--admin-token", token, "--store-size", "8GB"])
        guard let admin = server.adminURL else { throw BenchError("the server has no admin port") }
        purger = Purger(admin: admin, token: "benchmark-token-of-32-characters")
    }

    /// Makes results of sources below the prefix, which the server does not decode: the source is the result.
    func make(_ count: Int) async throws {
        let urls = try (made..<made + count).map { try url($0) }
        made += count
        try await inTasks(16, urls) { [client] in _ = try await client.thumbnail($0) }
    }

    private func url(_ number: Int) throws -> String {
        let source = origin.url("/purged/\(number % 100).jpg").absoluteString
        return try server.url + ThumbnailURL.unchanged(source, buster: "\(number)")
    }

    func urlElsewhere() async throws -> String {
        let url = try server.url + ThumbnailURL.path(origin.url("/kept/1.jpg").absoluteString, width: 400)
        _ = try await client.thumbnail(url)
        return url
    }

    /// Returns the time of a hard purge of the prefix, in seconds.
    func secondsOfPurge() async throws -> Double {
        let prefix = origin.url("/purged").absoluteString
        _ = try await client.thumbnail("\(server.url)/health")
        return try await seconds { try await purger.purge(.prefix(prefix), isHard: true) }
    }

    /// Checks that a result below the prefix is made again.
    func checkIsPurged() async throws {
        let before = origin.requestCount()
        _ = try await client.thumbnail(url(made - 1))
        guard origin.requestCount() > before else { throw BenchError("a purged result was served") }
    }
}
