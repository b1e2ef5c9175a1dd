import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing

@testable import calotype_command

/// The real command, as a process of its own.
struct ProxyCommandTests {
    private let origin: OriginServer

    init() throws {
        origin = try OriginServer()
    }

    private func start(_ more: String..., expectsAdmin: Bool = false) throws -> ServerChild {
        try ServerChild(
            ["proxy", "--listen", "127.0.0.1:0", "--origin", origin.url.absoluteString] + more,
            expectsAdmin: expectsAdmin)
    }

    @Test(arguments: ["shared", "private"])
    func `it serves in both modes`(_ mode: String) async throws {
        origin.on("/a", .ok(Data("there".utf8)))
        let proxy = try start("--mode", mode)
        let client = try RawClient(port: proxy.port)
        try client.get("/a", lines: ["Connection: close"])
        #expect(await client.receive().hasSuffix("\r\n\r\nthere"))
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal lets what is in flight finish, then ends it with status 0`(_ number: Int32) async throws {
        let gate = Gate()
        defer { gate.open() }
        origin.on("/slow", .ok(Data("0123456789".utf8)).bodyHeld(by: gate, after: 5))
        let proxy = try start()
        let client = try RawClient(port: proxy.port)
        try client.get("/slow")
        _ = await client.receive(until: "01234")
        proxy.send(number)
        gate.open()
        #expect(await client.receive() == "56789")
        #expect(await proxy.status == 0)
        #expect(throws: RawClient.Failure.self) { try RawClient(port: proxy.port) }
    }

    @Test func `health and metrics are told on a port of their own`() async throws {
        origin.on("/a", .ok(Data(count: 1000)))
        let proxy = try start("--admin", "127.0.0.1:0", expectsAdmin: true)
        let client = try RawClient(port: proxy.port)
        try client.get("/a", lines: ["Connection: close"])
        _ = await client.receive()
        let port = try #require(proxy.adminPort)
        #expect(try await ask(port, "/.calotype/health").hasSuffix("\r\n\r\nok\n"))
        let metrics = try await ask(port, "/.calotype/metrics")
        #expect(metrics.contains("calotype_proxy_sent_bytes_total 1000\n"))
        #expect(metrics.contains("calotype_proxy_requests_total{status=\"2xx\""))
        #expect(try await ask(port, "/").hasPrefix("HTTP/1.1 404"))
        // The proxied port knows nothing of them.
        #expect(try await ask(proxy.port, "/.calotype/health").hasPrefix("HTTP/1.1 404"))
    }

    private func ask(_ port: Int, _ target: String) async throws -> String {
        let client = try RawClient(port: port)
        try client.get(target, lines: ["Connection: close"])
        return await client.receive()
    }

    @Test func `what a store keeps is there after a restart`() async throws {
        let place = try Calotype()
        origin.on("/a", OriginReply(fields: ["Cache-Control": "max-age=600"], body: Data("kept".utf8)))
        for use in ["fwd=uri-miss", "hit"] {
            let proxy = try start("--store", place.directory.path, "--store-size", "10MB")
            let text = try await ask(proxy.port, "/a")
            #expect(text.contains("Cache-Status: Calotype; \(use)"))
            #expect(text.hasSuffix("\r\n\r\nkept"))
            proxy.send(SIGTERM)
            #expect(await proxy.status == 0)
        }
        #expect(origin.requestCount() == 1)
    }

    // MARK: What it does not start with

    @Test(arguments: [
        (["--listen", "0.0.0.0:0"], "open proxy"),
        (["--listen", "nowhere"], "an address and port"),
        (["--listen", "127.0.0.1:70000"], "an address and port"),
        (["--origin", "ftp://127.0.0.1"], "an origin such as"),
        (["--origin", "http://127.0.0.1/path"], "an origin such as"),
        (["--mode", "public"], "known are shared, private"),
        (["--store-size", "1GB"], "--store DIR"),
        (["--store", "x", "--store-size", "much"], "a size such as"),
        (["--cacert", "/nowhere"], "no such file"),
    ])
    func `a command line that is wrong is explained`(_ words: [String], _ hint: String) async throws {
        let calotype = try Calotype()
        let ending = try await calotype.start(["proxy"] + words).ending()
        #expect(ending.status == 2)
        #expect(ending.errorLines.count == 1)
        #expect(ending.errors.contains(hint), "\(ending.errors)")
    }

    @Test func `a port that is taken is an error`() async throws {
        let port = origin.url.port ?? 0
        let calotype = try Calotype()
        let ending = try await calotype("proxy", "--listen", "127.0.0.1:\(port)", "--origin", "http://127.0.0.1:1")
        #expect(ending.status == 1)
        #expect(ending.errors.contains("cannot listen on 127.0.0.1 port \(port)"))
    }

    @Test(arguments: ["", "/dev/null", "/dev/null/below"])
    func `a store that can keep nothing is an error`(_ path: String) async throws {
        let calotype = try Calotype()
        let ending = try await calotype("proxy", "--listen", "127.0.0.1:0", "--store", path)
        #expect(ending.status == 1)
        #expect(ending.errors.contains("--store \(path): it is no directory"))
    }

    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1", 8080, true), ("localhost:0", "localhost", 0, true),
        ("[::1]:80", "::1", 80, true), ("0.0.0.0:80", "0.0.0.0", 80, false), ("[::]:80", "::", 80, false),
    ])
    func `addresses are read`(_ text: String, _ host: String, _ port: Int, _ isLoopback: Bool) throws {
        let address = try #require(ListenAddress(text))
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(address.isLoopback == isLoopback)
    }
}
