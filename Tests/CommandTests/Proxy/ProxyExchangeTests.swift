import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeListener
import CalotypeStore
import CalotypeTesting
import TestSupport
import CalotypeTransport
import Foundation
import Testing

@testable import calotype_command

/// Exchanges through the proxy, over real sockets on both sides.
struct ProxyExchangeTests {
    private let origin: OriginServer
    private let metrics = ProxyMetrics()

    init() throws {
        origin = try OriginServer()
    }

    /// Starts a proxy for the origin, or a forward proxy.
    private func proxy(
        forward: Bool = false, origin url: URL? = nil, mode: ProxyOptions.Mode = .shared
    ) throws -> Listener {
        var curl = CurlTransport.Options()
        curl.addsNothing = true
        var options = Listener.Options()
        options.streamsBodies = true
        options.bodyLimit = 1 << 40
        options.onEnd = { [metrics] _, outcome in metrics.requestEnded(outcome) }
        let route = ProxyRoute(origin: forward ? nil : try HTTPOrigin(url ?? origin.url))
        let proxy = Proxy(
            route: route, upstream: ProxyUpstream(CurlTransport(options: curl), mode: mode), metrics: metrics,
            complain: { _ in })
        return try Listener(options: options, answer: proxy.answer)
    }

    private func ask(
        _ listener: Listener, _ target: String, method: String = "GET", lines: [String] = [], body: String = ""
    ) async throws -> String {
        let client = try RawClient(port: listener.port)
        try client.get(target, method: method, lines: lines + ["Connection: close"])
        if !body.isEmpty { try client.send(body) }
        return await client.receive()
    }

    // MARK: There and back

    @Test func `an answer passes unchanged but for Via`() async throws {
        origin.on(
            "/a",
            OriginReply(
                status: 203,
                fields: [
                    "Date": "Sat, 21 Nov 2026 10:00:00 GMT", "Content-Encoding": "gzip", "X-B": "1", "x-a": "2",
                    "X-b": "3",
                ], body: Data("bytes".utf8)))
        let text = try await ask(proxy(), "/a?x=%41&y")
        let lines = text.components(separatedBy: "\r\n")
        #expect(lines[0].hasPrefix("HTTP/1.1 203"))
        #expect(lines.filter { $0.lowercased().hasPrefix("x-") } == ["X-B: 1", "x-a: 2", "X-b: 3"])
        #expect(lines.contains("Via: 1.1 calotype"))
        #expect(lines.contains("Content-Encoding: gzip"))
        #expect(lines.contains("Date: Sat, 21 Nov 2026 10:00:00 GMT"))
        #expect(text.hasSuffix("\r\n\r\nbytes"))
        #expect(origin.requests[0].target == "/a?x=%41&y")
    }

    @Test func `a request goes out as it came, with Host of the origin and Via`() async throws {
        _ = try await ask(
            proxy(), "/", lines: ["X-B: 1", "x-a: 2", "X-B: 3", "Cache-Control: max-age=0", "If-None-Match: \"a\""])
        let fields = origin.requests[0].fields
        #expect(fields.values(of: "Host") == ["127.0.0.1:\(origin.url.port ?? 0)"])
        let others = fields.filter { !["Host", "Via"].contains($0.name) }.map { "\($0.name): \($0.value)" }
        #expect(
            others == ["X-B: 1", "x-a: 2", "X-B: 3", "Cache-Control: max-age=0", "If-None-Match: \"a\""])
        #expect(try #/1\.1 calotype \([0-9a-f]{1,8}\)/#.wholeMatch(in: #require(fields["Via"]).string) != nil)
    }

    // A 304, or a response to HEAD, used to give its Set-Cookie to every later client.
    @Test func `a session that one client was given is not given to the next`() async throws {
        origin.on("/a") { request in
            let isConfirmed = request.fields["If-None-Match"] != nil
            let isAlice = request.fields["Cookie"] != nil
            return OriginReply(
                status: isConfirmed ? 304 : 200,
                fields: [
                    "ETag": "\"1\"", "Cache-Control": isAlice ? "max-age=600" : "max-age=0",
                    "Set-Cookie": isAlice ? "session=ALICE" : "session=GUEST",
                ], body: isConfirmed ? Data() : Data("bytes".utf8))
        }
        for method in ["GET", "HEAD"] {
            let proxy = try proxy()
            #expect(try await ask(proxy, "/a").contains("\r\nSet-Cookie: session=GUEST\r\n"))
            let alice = try await ask(proxy, "/a", method: method, lines: ["Cookie: alice"])
            #expect(alice.contains("\r\nSet-Cookie: session=ALICE\r\n"))
            let other = try await ask(proxy, "/a")
            #expect(other.hasSuffix("\r\n\r\nbytes") && other.contains("Calotype; hit"))
            #expect(!other.contains("Set-Cookie"))
        }
    }

    @Test func `fields for one connection stop here, in both directions`() async throws {
        origin.on(
            "/",
            OriginReply(fields: [
                "X-Inner": "1", "Connection": "X-Inner", "Keep-Alive": "timeout=5", "Proxy-Connection": "close",
                "X-End": "1",
            ]))
        let text = try await ask(
            proxy(), "/",
            lines: [
                "Connection: X-Mine, keep-alive", "X-Mine: 1", "TE: trailers", "Upgrade: h2c", "Keep-Alive: 5",
                "Proxy-Authorization: Basic eA==", "X-End: 1",
            ])
        for name in ["x-inner", "keep-alive:", "proxy-connection"] { #expect(!text.lowercased().contains(name)) }
        #expect(text.contains("X-End: 1"))
        let names = origin.requests[0].fields.map(\.name)
        #expect(names.sorted() == ["host", "via", "x-end"])
    }

    @Test(arguments: ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "BREW"])
    func `any method passes`(_ method: String) async throws {
        origin.on("/", .ok(Data("done".utf8)))
        #expect(try await ask(proxy(), "/", method: method).hasSuffix("\r\n\r\ndone"))
        #expect(origin.requests.map(\.method) == [ByteString(method)])
    }

    @Test func `HEAD has the length and no body`() async throws {
        origin.on("/", .ok(Data(count: 1234)))
        let listener = try proxy()
        let client = try RawClient(port: listener.port)
        try client.get("/", method: "HEAD")
        #expect(await client.receive(until: "\r\n\r\n").contains("Content-Length: 1234\r\n"))
        // The connection is in step for the next one.
        try client.get("/x", lines: ["Connection: close"])
        #expect(await client.receive().hasPrefix("HTTP/1.1 404"))
    }

    @Test func `304 passes without a length that nobody named`() async throws {
        origin.on("/", OriginReply(status: 304, fields: ["ETag": "\"a\""]))
        let text = try await ask(proxy(), "/", lines: ["If-None-Match: \"a\""])
        #expect(text.hasPrefix("HTTP/1.1 304"))
        #expect(text.contains("ETag: \"a\""))
        #expect(!text.contains("Content-Length"))
    }

    @Test func `304 with a length keeps the connection`() async throws {
        origin.on("/", OriginReply(status: 304, fields: ["ETag": "\"a\"", "Content-Length": "7"]))
        let listener = try proxy()
        let client = try RawClient(port: listener.port)
        for _ in 0..<3 {
            try client.get("/", lines: ["If-None-Match: \"a\""])
            let text = await client.receive(until: "\r\n\r\n")
            #expect(text.hasPrefix("HTTP/1.1 304"))
            #expect(text.contains("Content-Length: 7\r\n"))
        }
        #expect(listener.openConnections == 1)
    }

    @Test func `the absolute form names the origin of a forward proxy, whatever Host says`() async throws {
        let listener = try proxy(forward: true)
        origin.on("/a", .ok(Data("there".utf8)))
        #expect(try await ask(listener, "\(origin.url.absoluteString)/a?b").hasSuffix("there"))
        #expect(origin.requests[0].target == "/a?b")
        #expect(origin.requests[0].fields["Host"] == "127.0.0.1:\(origin.url.port ?? 0)")
    }

    @Test(arguments: [
        ("/a", "400"), ("ftp://example.com/", "400"), ("http://user@127.0.0.1/", "400"),
    ])
    func `a forward proxy refuses what is no URL of the web`(_ target: String, _ status: String) async throws {
        #expect(try await ask(proxy(forward: true), target).hasPrefix("HTTP/1.1 \(status)"))
    }

    @Test(arguments: [false, true])
    func `CONNECT is refused`(_ forward: Bool) async throws {
        let text = try await ask(proxy(forward: forward), "example.com:443", method: "CONNECT")
        #expect(text.hasPrefix("HTTP/1.1 405"))
        #expect(origin.requestCount() == 0)
    }

    @Test func `Max-Forwards counts down and ends here at 0`() async throws {
        let listener = try proxy()
        _ = try await ask(listener, "*", method: "OPTIONS", lines: ["Max-Forwards: 3"])
        #expect(origin.requests.map { $0.fields["Max-Forwards"] } == ["2"])
        #expect(origin.requests[0].target == "*")
        #expect(try await ask(listener, "*", method: "OPTIONS", lines: ["Max-Forwards: 0"]).hasPrefix("HTTP/1.1 200"))
        #expect(origin.requestCount() == 1)
    }

    @Test(arguments: ["OPTIONS", "TRACE"])
    func `Max-Forwards that is no number, or there twice, is refused`(_ method: String) async throws {
        let listener = try proxy()
        for lines in [
            ["Max-Forwards: +1"], ["Max-Forwards: 5", "Max-Forwards: 5"], ["Max-Forwards:"], ["Max-Forwards: 1,1"],
        ] {
            let text = try await ask(listener, "/", method: method, lines: lines)
            #expect(text.hasPrefix("HTTP/1.1 400"), "\(lines)")
        }
        #expect(origin.requestCount() == 0)
    }

    @Test func `more hops than a number can hold become the most that we send`() async throws {
        let listener = try proxy()
        _ = try await ask(listener, "*", method: "OPTIONS", lines: ["Max-Forwards: 99999999999999999999"])
        _ = try await ask(listener, "/", lines: ["Max-Forwards: +1"])
        #expect(origin.requests.map { $0.fields["Max-Forwards"] } == ["2147483646", "+1"])
    }

    @Test func `many requests that have become few are noticed, once each time`() {
        let metrics = ProxyMetrics()
        var noticed: [Int] = []
        for _ in 0..<2 {
            for _ in 0..<40 { metrics.requestBegan() }
            for left in (0..<40).reversed() {
                metrics.requestEnded(.complete)
                if metrics.hasCalmedDown() { noticed.append(left) }
            }
        }
        #expect(noticed == [10, 10])
        for _ in 0..<15 { metrics.requestBegan() }
        for _ in 0..<15 { metrics.requestEnded(.complete) }
        #expect(!metrics.hasCalmedDown())
    }

    @Test func `a request that goes round in circles ends`() async throws {
        let via = String(repeating: "1.1 calotype, ", count: 9) + "1.1 calotype"
        #expect(try await ask(proxy(), "/", lines: ["Via: \(via)"]).hasPrefix("HTTP/1.1 508"))
        #expect(origin.requestCount() == 0)
    }

    @Test func `a request that comes back to its own proxy is refused, and does not wait for itself`() async throws {
        let gate = Gate()
        origin.on("/a", .ok(Data()).held(by: gate))
        let listener = try proxy()
        let first = Task { try await ask(listener, "/a") }
        await origin.waitForRequests(1)
        let via = try #require(origin.requests[0].fields["Via"])
        #expect(try await ask(listener, "/a", lines: ["Via: \(via), 1.1 other"]).hasPrefix("HTTP/1.1 508"))
        gate.open()
        #expect(try await first.value.hasPrefix("HTTP/1.1 200"))
    }

    @Test func `HEAD of what the origin sends without a length has none here either`() async throws {
        origin.on("/", OriginReply(body: Data("bytes".utf8)).chunked())
        let text = try await ask(proxy(), "/", method: "HEAD")
        #expect(text.hasPrefix("HTTP/1.1 200"))
        #expect(!text.lowercased().contains("content-length"))
        #expect(text.hasSuffix("\r\n\r\n"))
    }

    // MARK: Bodies

    @Test func `an upload of known length keeps it`() async throws {
        let body = String(repeating: "0123456789", count: 100_000)
        origin.on("/up") { request in .ok(Data("\(request.body.count)".utf8)) }
        let text = try await ask(
            proxy(), "/up", method: "POST", lines: ["Content-Length: \(body.utf8.count)", "Expect: 100-continue"],
            body: body)
        #expect(text.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200"))
        #expect(text.hasSuffix("\r\n\r\n1000000"))
        #expect(origin.requests[0].body == Data(body.utf8))
        #expect(origin.requests[0].fields["Content-Length"] == "1000000")
        #expect(origin.requests[0].fields["Expect"] == nil)
    }

    @Test func `a chunked upload is chunked again`() async throws {
        let text = try await ask(
            proxy(), "/up", method: "PUT", lines: ["Transfer-Encoding: chunked"],
            body: "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nX-Trailer: 1\r\n\r\n")
        #expect(text.hasPrefix("HTTP/1.1 404"))
        #expect(origin.requests[0].body == Data("abcde".utf8))
        #expect(origin.requests[0].fields["Transfer-Encoding"] == "chunked")
        #expect(origin.requests[0].fields["Content-Length"] == nil)
    }

    @Test func `an empty POST says that it is empty`() async throws {
        _ = try await ask(proxy(), "/", method: "POST", lines: ["Content-Length: 0"])
        #expect(origin.requests[0].fields["Content-Length"] == "0")
    }

    @Test func `a large body streams at the client's pace`() async throws {
        let photo = Data((0..<8_000_000).map { UInt8(truncatingIfNeeded: 32 + $0 % 90) })
        origin.on("/large", .ok(photo))
        let listener = try proxy()
        let client = try RawClient(port: listener.port)
        try client.get("/large", lines: ["Connection: close"])
        let text = await client.receive()
        #expect(text.utf8.suffix(photo.count).elementsEqual(photo))
    }

    @Test func `the first bytes arrive while the origin still holds the rest`() async throws {
        let gate = Gate()
        defer { gate.open() }
        origin.on("/slow", .ok(Data("0123456789".utf8)).bodyHeld(by: gate, after: 5))
        let listener = try proxy()
        let client = try RawClient(port: listener.port)
        try client.get("/slow", lines: ["Connection: close"])
        #expect(await client.receive(until: "01234").hasSuffix("01234"))
        gate.open()
        #expect(await client.receive() == "56789")
    }

    @Test func `a client that leaves ends the exchange with the origin`() async throws {
        let gate = Gate()
        defer { gate.open() }
        origin.on("/slow", .ok(Data(count: 100)).bodyHeld(by: gate, after: 5))
        let listener = try proxy()
        let client = try RawClient(port: listener.port)
        try client.get("/slow")
        _ = await client.receive(until: "\r\n\r\n\0\0\0\0\0")
        client.leave()
        await origin.waitForDisconnects(1)
    }

    // MARK: Failures

    @Test func `a client that leaves is no problem of the cache`() async throws {
        let place = try Calotype()
        let problems = Locked<[String]>([])
        let upstream = ProxyUpstream(
            CurlTransport(), mode: .shared, disk: DiskStore(directory: place.place.appending(path: "store").path),
            complain: { problem in problems.withLock { $0.append(problem) } })
        let request = HTTPRequest(origin.url("/a"))
        await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try? await upstream.send(request) { _, _ in }
        }.value
        #expect(problems.withLock { $0 } == [])
        await upstream.close()
    }

    @Test func `no origin is 502, and Cache-Status says why`() async throws {
        let port = try freePort()
        let text = try await ask(proxy(origin: URL(string: "http://127.0.0.1:\(port)")), "/")
        #expect(text.hasPrefix("HTTP/1.1 502"))
        #expect(text.contains("Cache-Status: Calotype; fwd=miss; detail=cannotConnect"))
        #expect(text.hasSuffix("\r\n\r\nThe origin failed: cannotConnect.\n"))
    }

    struct BrokenAnswer: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: String
        var reason = "malformedResponse"

        init(_ description: String, _ bytes: String, reason: String = "malformedResponse") {
            testDescription = description
            self.bytes = bytes
            self.reason = reason
        }
    }

    private static let ok = "HTTP/1.1 200 OK\r\n"

    @Test(arguments: [
        BrokenAnswer(
            "RFC 9112 §6.3: length and chunks",
            ok + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        BrokenAnswer("RFC 9110 §8.6: two lengths", ok + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"),
        BrokenAnswer("RFC 9110 §5.5: a control character", ok + "X-A: a\u{1}b\r\nContent-Length: 0\r\n\r\n"),
        BrokenAnswer("RFC 9110 §5.5: NUL", ok + "X-A: a\0b\r\nContent-Length: 0\r\n\r\n"),
        BrokenAnswer("RFC 9112 §5.1: white space before a framing field's colon", ok + "Content-Length : 3\r\n\r\nabc"),
        BrokenAnswer("RFC 9110 §5.1: a name that is no token", ok + "X A: 3\r\nContent-Length: 0\r\n\r\n"),
        BrokenAnswer("a line of 70 KB", ok + "X-Long: \(String(repeating: "x", count: 70_000))\r\n\r\n"),
        BrokenAnswer("10,000 fields", ok + String(repeating: "X-Many: 1\r\n", count: 10_000) + "\r\n"),
        BrokenAnswer(
            "RFC 9110 §15.2.2: a switch of protocols that nobody asked for",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n" + String(repeating: "x", count: 300_000)),
        BrokenAnswer("another protocol", "SSH-2.0-OpenSSH\r\n"),
        BrokenAnswer("nothing", "", reason: "connectionLost"),
    ])
    func `an origin that breaks the rules is 502`(_ answer: BrokenAnswer) async throws {
        let broken = try RawListener(answer: Array(answer.bytes.utf8))
        defer { broken.stop() }
        let text = try await ask(proxy(origin: URL(string: "http://127.0.0.1:\(broken.port)")), "/")
        #expect(text.hasPrefix("HTTP/1.1 502"))
        #expect(text.contains("detail=\(answer.reason)"))
        // Neither the origin's address nor its bytes.
        #expect(text.hasSuffix("\r\n\r\nThe origin failed: \(answer.reason).\n"))
    }

    @Test func `a body that breaks off breaks off for the client, too`() async throws {
        origin.on("/cut", .ok(Data(count: 100_000)).droppedAfter(bytes: 50_000))
        let listener = try proxy()
        let client = try RawClient(port: listener.port)
        try client.get("/cut")
        let text = await client.receive()
        #expect(text.contains("Content-Length: 100000"))
        #expect(text.utf8.count < 60_000)
    }

    // MARK: Interim responses

    @Test func `103 passes before the answer, without what is for one connection`() async throws {
        let answer =
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nConnection: X\r\nX: 1\r\n\r\n"
            + "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        let raw = try RawListener(answer: Array(answer.utf8))
        defer { raw.stop() }
        let text = try await ask(proxy(origin: URL(string: "http://127.0.0.1:\(raw.port)")), "/")
        #expect(
            text.hasPrefix("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200"))
        #expect(text.hasSuffix("ok"))
    }

    @Test func `HTTP 1.0 clients get no interim response and no chunks`() async throws {
        let answer =
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
            + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
        let raw = try RawListener(answer: Array(answer.utf8))
        defer { raw.stop() }
        let listener = try proxy(origin: URL(string: "http://127.0.0.1:\(raw.port)"))
        let client = try RawClient(port: listener.port)
        try client.send("GET / HTTP/1.0\r\n\r\n")
        let text = await client.receive()
        #expect(text.contains(" 200 "))
        #expect(!text.contains("103"))
        #expect(text.hasSuffix("\r\n\r\nok"))
    }

    // MARK: The cache

    @Test func `a fresh answer is given again without asking`() async throws {
        origin.on("/a", OriginReply(fields: ["Cache-Control": "max-age=60"], body: Data("stored".utf8)))
        let listener = try proxy()
        let first = try await ask(listener, "/a")
        let second = try await ask(listener, "/a")
        #expect(first.contains("Cache-Status: Calotype; fwd=uri-miss"))
        #expect(second.contains("Cache-Status: Calotype; hit"))
        #expect(second.contains("Age: "))
        #expect(second.contains("Via: 1.1 calotype"))
        #expect(second.hasSuffix("\r\n\r\nstored"))
        #expect(origin.requestCount() == 1)
        #expect(metrics.counts.answers[2][CacheUse.hit.rawValue] == 1)
    }

    @Test(arguments: [ProxyOptions.Mode.shared, .private])
    func `a request's own max-age=0 reaches the origin`(_ mode: ProxyOptions.Mode) async throws {
        origin.on("/a", OriginReply(fields: ["Cache-Control": "max-age=60"], body: Data("stored".utf8)))
        let listener = try proxy(mode: mode)
        _ = try await ask(listener, "/a")
        _ = try await ask(listener, "/a", lines: ["Cache-Control: max-age=0"])
        #expect(origin.requests.map { $0.fields["Cache-Control"] } == [nil, "max-age=0"])
    }

    @Test func `what is private is stored in private mode only`() async throws {
        origin.on("/a", OriginReply(fields: ["Cache-Control": "private, max-age=60"], body: Data("mine".utf8)))
        for (mode, count) in [(ProxyOptions.Mode.private, 1), (.shared, 3)] {
            let listener = try proxy(mode: mode)
            for _ in 0..<2 { _ = try await ask(listener, "/a") }
            #expect(origin.requestCount() == count)
        }
    }

    @Test func `a stored answer has HEAD, ranges and conditions`() async throws {
        let reply = OriginReply(
            fields: ["Cache-Control": "max-age=60", "ETag": "\"a\"", "Accept-Ranges": "bytes"],
            body: Data("0123456789".utf8))
        origin.on("/a", reply)
        let listener = try proxy()
        _ = try await ask(listener, "/a")
        let head = try await ask(listener, "/a", method: "HEAD")
        #expect(head.contains("Content-Length: 10\r\n"))
        #expect(head.hasSuffix("\r\n\r\n"))
        let part = try await ask(listener, "/a", lines: ["Range: bytes=2-4"])
        #expect(part.hasPrefix("HTTP/1.1 206"))
        #expect(part.hasSuffix("\r\n\r\n234"))
        let same = try await ask(listener, "/a", lines: ["If-None-Match: \"a\""])
        #expect(same.hasPrefix("HTTP/1.1 304"))
        #expect(origin.requestCount() == 1)
    }

    @Test func `a POST invalidates what is stored`() async throws {
        origin.on("/a", OriginReply(fields: ["Cache-Control": "max-age=60"], body: Data("stored".utf8)))
        let listener = try proxy()
        _ = try await ask(listener, "/a")
        _ = try await ask(listener, "/a", method: "POST", lines: ["Content-Length: 3"], body: "abc")
        _ = try await ask(listener, "/a")
        #expect(origin.requests.map(\.method) == ["GET", "POST", "GET"])
        #expect(origin.requests[1].body == Data("abc".utf8))
    }

    @Test func `requests at the same time go out as one`() async throws {
        let gate = Gate()
        defer { gate.open() }
        origin.on(
            "/a", OriginReply(fields: ["Cache-Control": "max-age=60"], body: Data("once".utf8)).held(by: gate))
        let listener = try proxy()
        let answers = (0..<5).map { _ in Task { try await ask(listener, "/a") } }
        await gate.waitForWaiters(1)
        gate.open()
        for answer in answers { #expect(try await answer.value.hasSuffix("once")) }
        #expect(origin.requestCount() == 1)
    }

    @Test func `queries are told apart byte for byte`() async throws {
        origin.onAny { request in
            OriginReply(fields: ["Cache-Control": "max-age=60"], body: Data("<\(request.target)>".utf8))
        }
        let listener = try proxy()
        for target in ["/a?b=c", "/a?b=%43", "/a?B=c", "/a/../a?b=c", "/a?b=c&"] {
            for _ in 0..<2 { #expect(try await ask(listener, target).hasSuffix("<\(target)>")) }
        }
        #expect(origin.requestCount() == 5)
    }

    // MARK: Counts

    @Test func `what was answered is counted`() async throws {
        origin.on("/a", .ok(Data(count: 10)))
        let listener = try proxy()
        _ = try await ask(listener, "/a")
        _ = try await ask(listener, "/none")
        let text = metrics.counts.text(storeSize: 5, uptime: 1)
        #expect(text.contains("calotype_proxy_requests_total{status=\"2xx\",cache=\"miss\"} 1\n"))
        #expect(text.contains("calotype_proxy_requests_total{status=\"4xx\",cache=\"miss\"} 1\n"))
        #expect(text.contains("calotype_proxy_sent_bytes_total 10\n"))
        #expect(text.contains("calotype_proxy_store_bytes 5\n"))
    }
}
