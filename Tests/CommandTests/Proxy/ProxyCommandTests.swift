import CalotypeHTTP
import CalotypeTesting
import TestSupport
import CalotypeTransport
import Foundation
import Testing
import Waiting

@testable import calotype_command

/// The real command in a separate process.
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
        // A name that a hostile page may point at this address.
        for host in ["rebound.example", "127.0.0.1.rebound.example:80", "127.rebound.example"] {
            #expect(try await ask(port, "/.calotype/health", host: host).hasPrefix("HTTP/1.1 421"))
        }
        #expect(try await ask(port, "/.calotype/health").hasSuffix("\r\n\r\nok\n"))
        #expect(try await ask(port, "/.calotype/ready").hasSuffix("\r\n\r\nready\n"))
        let metrics = try await ask(port, "/.calotype/metrics")
        #expect(metrics.contains("calotype_proxy_sent_bytes_total 1000\n"))
        #expect(metrics.contains("calotype_proxy_requests_total{status=\"2xx\""))
        #expect(try await ask(port, "/").hasPrefix("HTTP/1.1 404"))
        // The proxied port does not answer them.
        #expect(try await ask(proxy.port, "/.calotype/health").hasPrefix("HTTP/1.1 404"))
        for host in ["localhost", "LOCALHOST:\(port)", "[::1]:\(port)", "127.0.0.1"] {
            #expect(try await ask(port, "/.calotype/health", host: host).hasPrefix("HTTP/1.1 200"))
        }
    }

    private func ask(_ port: Int, _ target: String, host: String? = nil) async throws -> String {
        let client = try RawClient(port: port)
        try client.send(
            "GET \(target) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\nConnection: close\r\n\r\n")
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

    // They used to hold every connection, and other clients waited for as long as they liked.
    @Test(.timeLimit(.minutes(2))) func `more half heads than connections leave room for others`() async throws {
        origin.on("/miss", OriginReply(fields: ["Cache-Control": "no-store"], body: Data("there".utf8)))
        let proxy = try ServerChild(
            ["proxy", "--listen", "127.0.0.1:0", "--origin", origin.url.absoluteString], descriptors: 96)
        let slow = try (0..<120).map { _ in
            let client = try RawClient(port: proxy.port)
            try client.send("GET /miss HTTP/1.1\r\nHos")
            return client
        }
        for _ in 0..<3 { #expect(try await ask(proxy.port, "/miss").hasSuffix("there")) }
        withExtendedLifetime(slow) {}
    }

    @Test(.timeLimit(.minutes(2))) func `a server without a descriptor left accepts again when there is one`()
        async throws
    {
        let photos = try Calotype()
        try Pictures.jpeg().write(to: photos.directory.appending(path: "a.jpg"))
        let server = try ServerChild(
            ["demo", "--photos", photos.directory.path, "--serve", "127.0.0.1:0"], descriptors: 48)
        // libdispatch opens its descriptors at its first use, and ends the process if it cannot.
        #expect(try await ask(server.port, "/images/1/small").hasPrefix("HTTP/1.1 200"))
        let idle = try (0..<100).map { _ in try RawClient(port: server.port) }
        for _ in 0..<3 { #expect(try await ask(server.port, "/none").hasPrefix("HTTP/1.1 404")) }
        withExtendedLifetime(idle) {}
    }

    // Memory used to hold a hundred copies of it.
    @Test(.timeLimit(.minutes(2))) func `a hundred clients that do not read a large body take no memory`() async throws
    {
        let place = try Calotype()
        let photo = Data(repeating: 7, count: 60_000_000)
        origin.on("/large", OriginReply(fields: ["Cache-Control": "max-age=600"], body: photo))
        let filling = try start("--store", place.directory.path)
        let url = try #require(URL(string: "http://127.0.0.1:\(filling.port)/large"))
        #expect(try await CurlTransport().send(HTTPRequest(url)).body.collect() == photo)
        filling.send(SIGTERM)
        #expect(await filling.status == 0)
        let proxy = try start("--store", place.directory.path)
        _ = try await ask(proxy.port, "/none")
        let before = proxy.memory
        var clients: [RawClient] = []
        for _ in 0..<100 {
            let client = try RawClient(port: proxy.port)
            try client.get("/large")
            #expect(await client.receive(count: 1).hasPrefix("HTTP/1.1 200"))
            clients.append(client)
        }
        // The address sanitizer retains freed memory, up to four times that.
        #expect(Sanitizers.areOn || before > 0 && proxy.memory - before < 64 << 20)
        #expect(origin.requestCount() == 2)
        withExtendedLifetime(clients) {}
    }

    // Each used to take some 800 KB, which the proxy kept after they had left.
    @Test(
        .timeLimit(.minutes(3)),
        .disabled(if: Sanitizers.areOn, "a sanitizer's own memory cannot be told from the proxy's"))
    func `clients that do not read a body that is not stored take little memory, and leave less`() async throws {
        origin.on("/large", OriginReply(fields: ["Cache-Control": "no-store"], body: Data(count: 16 << 20)))
        let proxy = try start()
        _ = try await ask(proxy.port, "/none")
        let before = proxy.memory
        var clients: [RawClient] = []
        for _ in 0..<200 {
            let client = try RawClient(port: proxy.port)
            try client.get("/large")
            // By now everything that may be buffered for the previous clients has arrived.
            _ = await client.receive(count: 50_000)
            clients.append(client)
        }
        let held = proxy.memory - before
        #expect(before > 0 && held > 0 && held < clients.count * (256 << 10), "\(held / clients.count) bytes each")
        for client in clients { client.leave() }
        await waitUntil { proxy.memory - before <= held / 2 }
    }

    // MARK: Invalid command lines and environments

    @Test(arguments: [
        (["--listen", "0.0.0.0:0"], "opens the proxy to everyone"),
        (["--origin", "http://127.0.0.1:1", "--admin", "0.0.0.0:0"], "shows the metrics"),
        (["--listen", "127.example.com:0"], "opens the proxy to everyone"),
        (["--listen", "nowhere"], "an address such as"),
        (["--listen", "127.0.0.1:70000"], "an address such as"),
        (["--origin", "ftp://127.0.0.1"], "an origin such as"),
        (["--origin", "http://127.0.0.1/path"], "an origin such as"),
        (["--mode", "public"], "expected one of shared, private"),
        (["--store-size", "1GB"], "--store DIR"),
        (["--store", "x", "--store-size", "much"], "a size such as"),
        (["--store", ""], "--store: the name of the folder is empty"),
        (["--cacert", "/nowhere"], "expected a readable file"),
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

    @Test(arguments: ["/dev/null", "/dev/null/below"])
    func `a store that can keep nothing is an error`(_ path: String) async throws {
        let calotype = try Calotype()
        let ending = try await calotype("proxy", "--listen", "127.0.0.1:0", "--store", path)
        #expect(ending.status == 1)
        #expect(ending.errors.contains("--store \(path): it is not a directory"))
    }

    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1", 8080, true), ("localhost:0", "localhost", 0, true),
        ("[::1]:80", "::1", 80, true), ("8080", "127.0.0.1", 8080, true), ("0.0.0.0:80", "0.0.0.0", 80, false),
        ("[::]:80", "::", 80, false),
    ])
    func `addresses are read`(_ text: String, _ host: String, _ port: Int, _ isLoopback: Bool) throws {
        let address = try #require(ListenAddress(text))
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(address.isLoopback == isLoopback)
    }

    @Test func `a Host that looks like a port is no name of this machine`() throws {
        let address = try #require(ListenAddress("127.0.0.1:8080"))
        #expect(!address.isMeant(by: "8080") && address.isMeant(by: "127.0.0.1:8080"))
    }
}
