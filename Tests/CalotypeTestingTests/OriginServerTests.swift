import CalotypeHTTP
import CalotypeTesting
import TestSupport
import Foundation
import FoundationNetworking
import Testing

@Suite struct OriginServerTests {
    private let origin: OriginServer
    private let session = URLSession(configuration: .ephemeral)
    private let photo = Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 / 3) })

    init() throws {
        origin = try OriginServer()
    }

    private func get(_ path: String) async throws -> (Data, HTTPURLResponse) {
        let (data, response) = try await session.data(from: origin.url(path))
        return (data, try #require(response as? HTTPURLResponse))
    }

    private func raw(_ path: String) async throws -> String {
        let client = try RawClient(port: try #require(origin.url.port))
        try client.get(path, lines: ["Connection: close"])
        return await client.receive()
    }

    // MARK: Routes and log

    @Test func `a path gets its reply, every other path 404`() async throws {
        origin.on("/a", .ok(photo))
        let (data, response) = try await get("/a")
        #expect(data == photo)
        #expect(response.statusCode == 200)
        #expect(response.value(forHTTPHeaderField: "Content-Type") == "image/jpeg")
        #expect(try await get("/b").1.statusCode == 404)
    }

    @Test func `replies come one after the other, and the last one repeats`() async throws {
        origin.on("/a", replies: [.status(503), .status(500), .html("fine")])
        var statuses: [Int] = []
        for _ in 0..<4 { statuses.append(try await get("/a").1.statusCode) }
        #expect(statuses == [503, 500, 200, 200])
    }

    @Test func `a closure answers by what it is asked`() async throws {
        origin.on("/a") { request in .html(request.query ?? "nothing") }
        origin.onAny { request in .html("any " + request.path) }
        #expect(try await get("/a?x=1").0 == Data("x=1".utf8))
        #expect(try await get("/a").0 == Data("nothing".utf8))
        #expect(try await get("/z/y").0 == Data("any /z/y".utf8))
    }

    @Test func `a route with a query goes before one without`() async throws {
        origin.on("/a", .html("path"))
        origin.on("/a?w=1", .html("query"))
        #expect(try await get("/a?w=1").0 == Data("query".utf8))
        #expect(try await get("/a?w=2").0 == Data("path".utf8))
    }

    @Test func `the log tells what was asked, in order`() async throws {
        var request = URLRequest(url: origin.url("/a%20b?q"))
        request.httpMethod = "POST"
        request.httpBody = Data("body".utf8)
        request.setValue("yes", forHTTPHeaderField: "X-Test")
        _ = try await session.data(for: request)
        _ = try await get("/c")
        let first = try #require(origin.requests.first)
        #expect(first.method == "POST")
        #expect(first.target == "/a%20b?q")
        #expect(first.path == "/a%20b")
        #expect(first.query == "q")
        #expect(first.fields["x-test"] == "yes")
        #expect(first.body == Data("body".utf8))
        #expect(origin.requests.map(\.path) == ["/a%20b", "/c"])
        #expect(origin.requestCount() == 2)
        #expect(origin.requestCount("/c") == 1)
        #expect(origin.requestsNotLogged == 0)
    }

    @Test func `a redirect says where`() async throws {
        origin.on("/a", .redirect(to: "/b", status: 307))
        let text = try await raw("/a")
        #expect(text.hasPrefix("HTTP/1.1 307"))
        #expect(text.contains("Location: /b\r\n"))
    }

    // MARK: Slow answers

    @Test func `a held reply sends nothing before its gate opens`() async throws {
        let gate = Gate()
        origin.on("/a", .ok(photo).held(by: gate))
        let load = Task { try await get("/a").0 }
        await gate.waitForWaiters(1)
        #expect(origin.inFlight == 1)
        gate.open()
        #expect(try await load.value == photo)
        #expect(origin.inFlight == 0)
    }

    @Test func `a held body sends its head and first bytes`() async throws {
        let gate = Gate()
        origin.on("/a", .ok(Data("hello world".utf8)).bodyHeld(by: gate, after: 5))
        let client = try RawClient(port: try #require(origin.url.port))
        try client.get("/a", lines: ["Connection: close"])
        let first = await client.receive(until: "hello")
        #expect(first.contains("Content-Length: 11\r\n"))
        gate.open()
        #expect(await client.receive() == " world")
    }

    @Test func `a body held from its first byte still sends its head`() async throws {
        let gate = Gate()
        origin.on("/a", .ok(Data("hello".utf8)).bodyHeld(by: gate, after: 0))
        let client = try RawClient(port: try #require(origin.url.port))
        try client.get("/a", lines: ["Connection: close"])
        #expect(await client.receive(until: "\r\n\r\n").contains("Content-Length: 5\r\n"))
        gate.open()
        #expect(await client.receive() == "hello")
    }

    @Test func `a dripping body sends one chunk for each opening of the gate`() async throws {
        let gate = Gate()
        origin.on("/a", .ok(Data("aabbc".utf8)).dripping(bytes: 2, gate: gate))
        let client = try RawClient(port: try #require(origin.url.port))
        try client.get("/a", lines: ["Connection: close"])
        _ = await client.receive(until: "\r\n\r\n")
        gate.open(count: 1)
        #expect(await client.receive(count: 2) == "aa")
        gate.open(count: 1)
        #expect(await client.receive(count: 2) == "bb")
        gate.open(count: 1)
        #expect(await client.receive() == "c")
    }

    @Test func `a body that drips by time arrives whole`() async throws {
        origin.on("/a", .ok(Data("abcdef".utf8)).dripping(bytes: 2, every: .milliseconds(1)))
        #expect(try await get("/a").0 == Data("abcdef".utf8))
    }

    // MARK: Bad answers

    @Test func `a drop in mid-body has told the full length`() async throws {
        origin.on("/a", .ok(photo).droppedAfter(bytes: 7))
        let parts = try await raw("/a").components(separatedBy: "\r\n\r\n")
        #expect(parts[0].contains("Content-Length: 20000"))
        #expect(parts[1].utf8.count == 7)
        await #expect(throws: URLError.self) { try await get("/a") }
    }

    @Test func `a chunked reply can be dropped as well`() async throws {
        origin.on("/a", .ok(Data("hello".utf8)).chunked().droppedAfter(bytes: 2))
        #expect(try await raw("/a").hasSuffix("\r\n\r\n2\r\nhe\r\n"))
    }

    @Test func `a reset says nothing at all`() async throws {
        origin.on("/a", .ok(photo).resetImmediately())
        #expect(try await raw("/a").isEmpty)
        await #expect(throws: URLError.self) { try await get("/a") }
        #expect(origin.requestCount("/a") >= 1)
    }

    @Test func `it may announce more than it sends`() async throws {
        origin.on("/a", .ok(Data("hello".utf8)).announcing(contentLength: 10))
        let text = try await raw("/a")
        #expect(text.contains("Content-Length: 10\r\n"))
        #expect(text.hasSuffix("\r\n\r\nhello"))
    }

    @Test func `it may send more than it announces`() async throws {
        origin.on("/a", .ok(Data("hello".utf8)).announcing(contentLength: 2))
        let text = try await raw("/a")
        #expect(text.contains("Content-Length: 2\r\n"))
        #expect(!text.contains("Content-Length: 5\r\n"))
        #expect(text.hasSuffix("\r\n\r\nhello"))
    }

    @Test func `a chunked reply has no length`() async throws {
        origin.on("/a", .ok(photo).chunked())
        let (data, response) = try await get("/a")
        #expect(data == photo)
        #expect(response.value(forHTTPHeaderField: "Content-Length") == nil)
    }

    // MARK: Who is there

    @Test func `a client that leaves while its reply is held is noticed`() async throws {
        let gate = Gate()
        origin.on("/a", .ok(photo).held(by: gate))
        let client = try RawClient(port: try #require(origin.url.port))
        try client.get("/a")
        await gate.waitForWaiters(1)
        client.leave()
        await origin.waitForDisconnects(1)
        #expect(origin.inFlight == 0)
        // The reply's task leaves the gate when it notices, which may be later.
        await gate.waitUntilEmpty()
    }

    @Test func `a client that leaves in mid-body is noticed`() async throws {
        let gate = Gate()
        origin.on("/a", .ok(photo).bodyHeld(by: gate, after: 10))
        let load = Task { try await get("/a").0 }
        await gate.waitForWaiters(1)
        load.cancel()
        await origin.waitForDisconnects(1)
        #expect(origin.disconnects == 1)
        _ = await load.result
    }

    @Test func `a drop of its own is not a client that left`() async throws {
        origin.on("/a", .ok(photo).droppedAfter(bytes: 7))
        origin.on("/b", .ok(photo).resetImmediately())
        _ = try await raw("/a")
        _ = try await raw("/b")
        _ = try await get("/c")
        #expect(origin.disconnects == 0)
    }

    @Test func `requests in flight together are counted`() async throws {
        let gate = Gate()
        origin.onAny { [photo] _ in .ok(photo).held(by: gate) }
        let loads = (0..<5).map { index in Task { try await get("/\(index)").0 } }
        await origin.waitForRequests(5)
        #expect(origin.peakConcurrency == 5)
        #expect(origin.openConnections == 5)
        gate.open()
        for load in loads { _ = try await load.value }
        #expect(origin.inFlight == 0)
    }

    @Test @MainActor func `waiting for requests of a path does not end at those of another`() async throws {
        for path in ["/a", "/a", "/b"] { _ = try await get(path) }
        let began = Gate()
        let count = Task {
            began.open()
            await origin.waitForRequests(2, path: "/b")
            return origin.requestCount("/b")
        }
        // On the actor of this test, the task runs on until it has to wait.
        await began.wait()
        _ = try await get("/b")
        #expect(await count.value == 2)
    }

    @Test func `stopping ends what is held, and the port is free`() async throws {
        let gate = Gate()
        origin.on("/a", .ok(photo).held(by: gate))
        let load = Task { try await get("/a").0 }
        await gate.waitForWaiters(1)
        origin.stop()
        origin.stop()
        await #expect(throws: URLError.self) { try await load.value }
        await #expect(throws: URLError.self) { try await get("/b") }
        #expect(origin.requestCount() == 1)
        #expect(origin.openConnections == 0)
    }
}
