import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import TestSupport
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeServer
@testable import CalotypeURLs

private let target: ByteString = "/_/w:10/plain/local:///a.jpg@png"

/// The outcomes of requests, which add up to their number.
struct RequestCountTests {
    private let web: WebServer
    private var server: TestServer { web.server }

    init() throws {
        web = try WebServer { options, _ in options.scriptOrigin = "*" }
        try web.server.write(SamplePhotos.jpeg(width: 64, height: 48), "a.jpg")
    }

    private var values: ServerMetrics.Values { server.server.metrics.values }

    private func count(_ outcome: ServerMetrics.Outcome) -> Int { values.outcomes.first { $0.0 == outcome }?.1 ?? 0 }

    /// The number of requests by their outcomes, and by their statuses.
    private var sums: [Int] {
        [values.outcomes.reduce(0) { $0 + $1.1 }, values.statuses.reduce(0) { $0 + $1.1 }]
    }

    @Test(
        .requirement("V40"),
        arguments: [
            (target, .get, [:], 200, .hit), (target, .head, [:], 200, .hit),
            (target, .get, ["If-None-Match": "*"], 304, .hit),
            (target, .get, ["Range": "bytes=0-9"], 206, .hit),
            (target, .get, ["Range": "bytes=999999-"], 416, .rejected), (target, .put, [:], 405, .rejected),
            (target, .get, ["CDN-Loop": "calotype"], 508, .rejected),
            ("/_/w:11/plain/local:///a.jpg@png", .get, [:], 200, .made),
            ("/_/w:11/plain/local:///a.jpg@png", .head, [:], 200, .made),
            ("/_/w:11/plain/local:///none.jpg", .get, [:], 404, .failed),
            ("/_/w:11/exp:1/plain/local:///a.jpg", .get, [:], 404, .rejected),
            ("/_/w:11/plain/http://127.0.0.1:1/a", .get, [:], 403, .rejected), ("/nonsense", .get, [:], 400, .rejected),
        ] as [(ByteString, HTTPMethod, HTTPFields, Int, ServerMetrics.Outcome)])
    func `each request has one outcome`(
        path: ByteString, method: HTTPMethod, fields: HTTPFields, status: Int, outcome: ServerMetrics.Outcome
    ) async throws {
        _ = try await server.get(target)
        let before = count(outcome)
        #expect(try await server.get(path, method: method, fields).status == status)
        #expect(count(outcome) == before + 1)
        #expect(sums == [2, 2] && values.statuses.contains { $0.0 == status && $0.1 > 0 })
        // The listener notices the end of a request after its client has the response.
        await waitUntil { values.inFlight == 0 }
        #expect(values.firstByte.count == 2)
    }

    @Test(.requirement("V40")) func `stale and revalidated results have their outcomes`() async throws {
        web.serveRevalidatable()
        _ = try await web.get()
        web.clock.advance(by: .seconds(2 * 3600))
        #expect(try await web.get().outcome == "revalidated")
        web.clock.advance(by: .seconds(101))
        #expect(try await web.get().outcome == "stale")
        #expect(count(.made) == 1 && count(.revalidated) == 1 && count(.stale) == 1 && sums == [3, 3])
        #expect(values.origins.first { $0.0 == "200" }?.1 == 1)
    }

    @Test(.requirement("V40"), arguments: ["max-age=100", "no-store"])
    func `200 equal requests are made once or twice, and the others shared`(cacheControl: String) async throws {
        let gate = Gate()
        web.origin.on("/images/a.jpg", WebServer.reply(cacheControl).held(by: gate))
        let clients = try (0..<200).map { _ in try RawClient(port: server.port) }
        for client in clients { try client.get(web.thumbnail().string, lines: ["Connection: close"]) }
        await waitUntil { server.server.waiters >= 199 }
        gate.open()
        for client in clients { #expect(await client.receive().hasPrefix("HTTP/1.1 200 ")) }
        #expect((1...2).contains(count(.made)) && count(.coalesced) > 0)
        #expect(count(.made) + count(.coalesced) + count(.hit) == 200 && sums == [200, 200])
    }

    @Test(.requirement("V40")) func `a client that leaves and a request that the listener refuses count, too`()
        async throws
    {
        let gate = Gate()
        defer { gate.open() }
        web.origin.on("/images/a.jpg", WebServer.reply().held(by: gate))
        let client = try RawClient(port: server.port)
        try client.get(web.thumbnail().string)
        await web.origin.waitForRequests(1)
        client.leave()
        await waitUntil { count(.left) == 1 && values.clientsLeft == 1 }
        let other = try RawClient(port: server.port)
        try other.send("nonsense\r\n\r\n")
        _ = await other.receive()
        #expect(count(.rejected) == 1 && sums == [2, 2])
        await waitUntil { values.inFlight == 0 }
    }

    @Test func `health, preflights of scripts, and what is asked of any server are no requests for renditions`()
        async throws
    {
        for path: ByteString in ["/health", "/health?a=b"] {
            let answer = try await server.get(path)
            #expect(answer.status == 200 && answer.text == "ok\n" && answer.fields["Cache-Control"] == "no-store")
        }
        #expect(try await server.get(target, method: HTTPMethod(rawValue: "OPTIONS")).status == 204)
        // Each had a line in the log.
        for (path, status) in [("/", 200), ("/favicon.ico", 404), ("/robots.txt", 404)] as [(ByteString, Int)] {
            #expect(try await server.get(path).status == status)
        }
        #expect(sums == [0, 0])
        // A rendition whose signature is that word.
        #expect(try await server.get("/health/w:10/plain/local:///a.jpg@png").size?.width == 10)
        #expect(try await server.get("/healthy").status == 400)
        #expect(sums == [2, 2])
    }

    @Test func `a fallback image and a failure that is stored count as failed`() async throws {
        web.origin.on("/images/a.jpg", .status(404))
        let fallback = ByteString(base64: "local:///a.jpg".utf8)
        let source = ByteString(base64: ByteString(web.origin.url("/images/a.jpg").absoluteString).bytes)
        for path: ByteString in ["/_/w:10/f:png/fiu:\(fallback)/\(source)", "/_/w:10/f:png/\(source)"] {
            for _ in 1...2 { #expect(try await server.get(path).status == 404) }
        }
        #expect(count(.failed) == 4 && sums == [4, 4])
    }

    @Test func `the bytes of bodies add up`() async throws {
        let body = try await server.get(target).body
        _ = try await server.get(target)
        _ = try await server.get(target, ["Range": "bytes=0-9"])
        _ = try await server.get(target, method: .head)
        #expect(values.sentBytes == 2 * body.count + 10)
    }
}
