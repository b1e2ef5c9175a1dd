import CalotypeHTTP
import CalotypeTesting
import Foundation

extension Scenario {
    /// The requests to an origin for a stale result in the far store, by a node that has never loaded its source.
    static let farStale = Scenario(
        name: "far-stale",
        summary: "calotype serve: responses 304 and bodies of an origin for a stale result that only far has"
    ) { bench in
        let objects = try ObjectStoreProcess()
        let origin = try OriginServer()
        let fields: HTTPFields = ["Content-Type": "image/jpeg", "Cache-Control": "max-age=2", "ETag": "\"v1\""]
        origin.onAny { request in
            request.fields["If-None-Match"] == "\"v1\""
                ? OriginReply(status: 304, fields: fields) : OriginReply(fields: fields, body: Photographs.large)
        }
        let path = try ThumbnailURL.path(origin.url("/photo.jpg").absoluteString, width: 400)
        let client = ThumbnailClient()
        let options = objects.results("stale") + ["--far-writes", "all"]
        let first = try await CalotypeProcess.node(options, allowed: origin.url.absoluteString)
        let result = try await client.thumbnail(first.url + path)
        try await objects.waitForResults(1)
        first.end()
        // The result becomes stale by the clock of the server, another process.
        try await Task.sleep(for: .seconds(3))
        let before = origin.requestCount()
        let second = try await CalotypeProcess.node(options, allowed: origin.url.absoluteString)
        guard try await client.thumbnail(second.url + path) == result else { throw BenchError("another result") }
        // It may be sent stale, and revalidated meanwhile.
        await origin.waitForRequests(before + 1)
        try await origin.becomeIdle()
        let requests = origin.requests.dropFirst(before)
        let confirmed = requests.filter { $0.fields["If-None-Match"] != nil }.count
        bench.report("far-stale-304", with: "one", unit: "304", bar: .exactly(1), [(Double(confirmed), 1)])
        let bodies = Double(requests.count - confirmed + 1)
        bench.report("far-stale-bodies", with: "none; one is added", unit: "bodies", bar: .exactly(1), [(bodies, 1)])
        withExtendedLifetime(second) {}
    }
}
