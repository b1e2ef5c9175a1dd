import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation

extension Scenario {
    /// The effect of stale results whose origin is silent on the revalidation of others.
    static let serveClogStale = Scenario(
        name: "serve-clog-stale",
        summary: "calotype serve: time to revalidate 100 results beside 100 stale ones of a silent origin, and without"
    ) { bench in
        let clog = try StaleClog()
        try await clog.makeAll()
        try await bench.compare("serve-clog-stale", with: "without", unit: "ms", bar: .atMost(1.5), pairs: 5) {
            try await clog.secondsOfRevalidation(isClogged: true) * 1e3
        } baseline: {
            try await clog.secondsOfRevalidation(isClogged: false) * 1e3
        }
    }
}

/// Two origins with a hundred sources each, whose results are stale after two seconds, and a server. After one, their
/// rest is less than a second, so that no result could be sent stale.
private final class StaleClog {
    private static let count = 100

    private let silent: OriginServer
    private let other: OriginServer
    private let isSilent = Locked(false)
    private let gate = Gate()
    private let folder: ScratchDirectory
    private let server: CalotypeProcess
    private let client = ThumbnailClient(connections: 32)

    init() throws {
        (silent, other) = (try OriginServer(), try OriginServer(host: "127.0.0.2"))
        let fields: HTTPFields = ["Content-Type": "image/jpeg", "Cache-Control": "max-age=2", "ETag": "\"v1\""]
        let whole = OriginReply(fields: fields, body: Photographs.small)
        let confirmation = OriginReply(status: 304, fields: fields)
        let answer = { @Sendable (request: OriginRequest) in
            request.fields["If-None-Match"] == nil ? whole : confirmation
        }
        silent.onAny { [isSilent, gate] in isSilent.withLock { $0 } ? answer($0).held(by: gate) : answer($0) }
        other.onAny(answer)
        folder = try ScratchDirectory()
        server = try .serve(
            root: folder.path, allowed: silent.url.absoluteString,
            options: ["--allow-source", other.url.absoluteString])
    }

    private func request(_ origin: OriginServer) async throws {
        let urls = try (0..<Self.count).map {
            try server.url + ThumbnailURL.path(origin.url("/\($0).jpg").absoluteString, width: 200)
        }
        try await inTasks(16, urls) { [client] in _ = try await client.thumbnail($0) }
    }

    func makeAll() async throws {
        try await request(silent)
        try await request(other)
    }

    /// Requests the stale results of one origin, and returns the seconds until it has been asked for all of them and
    /// has answered.
    ///
    /// - Parameter isClogged: Whether the other origin's stale results are requested before, and their revalidations
    ///   get no answer.
    func secondsOfRevalidation(isClogged: Bool) async throws -> Double {
        try await Task.sleep(for: .seconds(3))
        isSilent.withLock { $0 = true }
        if isClogged {
            let before = silent.requestCount()
            try await request(silent)
            await silent.waitForRequests(before + 1)
        }
        let before = other.requestCount()
        let start = ContinuousClock.now
        // A host has half of the revalidations at a time: a result beyond them is revalidated by a later request.
        while other.requestCount() < before + Self.count { try await request(other) }
        try await other.becomeIdle()
        let time = (ContinuousClock.now - start) / .seconds(1)
        // Answer what waits, so that the results become fresh again.
        isSilent.withLock { $0 = false }
        gate.open()
        try await silent.becomeIdle()
        gate.close()
        try await request(silent)
        return time
    }
}
