import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import TestSupport
import Foundation
import Requirements
import Testing
import Waiting

@testable import calotype_command

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The admin port, the log and the end of `calotype serve`, in a separate process.
struct ServeOperationTests {
    private let calotype: Calotype
    private let origin: OriginServer
    private let gate = Gate()

    init() throws {
        calotype = try Calotype()
        origin = try OriginServer()
        try calotype.write(SamplePhotos.jpeg(width: 64, height: 48), to: "photos/cat.jpg")
        var photo = OriginReply.ok(SamplePhotos.jpeg(width: 640, height: 480))
        photo.fields["Cache-Control"] = "max-age=3600"
        origin.on("/slow.jpg", photo.bodyHeld(by: gate, after: 500))
    }

    private func start(_ more: String..., errors: FileHandle? = nil) throws -> ServerChild {
        try ServerChild(
            [
                "serve", "--root", calotype.directory.appending(path: "photos").path, "--insecure", "--listen",
                "127.0.0.1:0", "--admin", "127.0.0.1:0", "--allow-source", origin.url.absoluteString,
                "--allow-address", "127.0.0.1",
            ] + more, expectsAdmin: true, errors: errors)
    }

    private func ask(_ port: Int?, _ target: String) async throws -> String {
        let client = try RawClient(port: port ?? 0)
        try client.send("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        return await client.receive()
    }

    private func metrics(_ server: ServerChild) async throws -> PrometheusText {
        let response = try await ask(server.adminPort, "/.calotype/metrics")
        #expect(response.contains("\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"))
        return try PrometheusText(String(response.components(separatedBy: "\r\n\r\n").dropFirst().joined()))
    }

    private var slow: String { "/_/w:64/f:png/plain/\(origin.url.absoluteString)/slow.jpg" }

    // MARK: Metrics

    @Test(.requirement("V40")) func `the metrics parse, and add up to the requests`() async throws {
        let server = try start("--store", calotype.place.appending(path: "store").path, "--ignore-unsupported")
        gate.open()
        let targets = [
            "/_/w:10/plain/local:///cat.jpg@png", "/_/w:10/plain/local:///cat.jpg@png", "/_/w:10/plain/local:///no",
            "/_/zz:1/w:10/plain/local:///cat.jpg@png", slow, "/nonsense",
        ]
        for target in targets { _ = try await ask(server.port, target) }
        #expect(try await ask(server.port, "/health").hasSuffix("\r\n\r\nok\n"))
        let metrics = try await metrics(server)
        #expect(metrics.sum("calotype_serve_requests_total") == Double(targets.count))
        #expect(metrics.sum("calotype_serve_responses_total") == Double(targets.count))
        #expect(metrics.value("calotype_serve_requests_total", ["outcome": "hit"]) == 2)
        #expect(metrics.value("calotype_serve_origin_responses_total", ["status": "200"]) == 1)
        #expect(metrics.value("calotype_serve_decode_seconds_count") ?? 0 > 0)
        #expect(metrics.value("calotype_serve_encodes_total", ["decode": "alone"]) ?? 0 > 0)
        #expect(metrics.value("calotype_serve_encodes_total", ["decode": "together"]) == 0)
        #expect(metrics.value("calotype_serve_decodes_total") ?? 0 > 0)
        #expect(metrics.value("calotype_serve_first_byte_seconds_count") == Double(targets.count))
        for store in ["results", "sources"] {
            #expect(metrics.value("calotype_serve_store_limit_bytes", ["store": store]) == 1e9)
        }
        #expect(metrics.value("calotype_serve_workers_started_total") ?? 0 > 0)
        #expect(metrics.value("calotype_serve_log_lines_lost_total") == 0)
        #expect(metrics.value("calotype_serve_ignored_options_total", ["option": "zz"]) == 1)
        #expect(metrics.types["calotype_serve_queue_seconds"] == "histogram")
    }

    @Test func `the admin port has its pages, and no other`() async throws {
        let server = try start()
        #expect(try await ask(server.adminPort, "/.calotype/health").hasSuffix("\r\n\r\nok\n"))
        #expect(try await ask(server.adminPort, "/.calotype/ready").contains("\r\n\r\nready\nreads jpeg, "))
        let other = try await ask(server.adminPort, "/")
        #expect(other.hasPrefix("HTTP/1.1 404 ") && other.contains("/.calotype/metrics"))
        let client = try RawClient(port: server.adminPort ?? 0)
        try client.send("PUT /.calotype/health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        let refusal = await client.receive()
        #expect(refusal.hasPrefix("HTTP/1.1 405 ") && refusal.contains("\r\nAllow: GET, HEAD\r\n"))
        // The port for clients has none of them.
        #expect(try await ask(server.port, "/.calotype/metrics").hasPrefix("HTTP/1.1 400 "))
    }

    // It ended the server.
    @Test(arguments: [SIGUSR1, SIGUSR2])
    func `a signal by which other servers open their logs again has no effect`(signal: Int32) async throws {
        let server = try start()
        server.send(signal)
        #expect(try await ask(server.adminPort, "/.calotype/health").hasPrefix("HTTP/1.1 200 "))
        server.send(SIGTERM)
        #expect(await server.status == 0)
    }

    // MARK: The log

    @Test(.requirement("V52")) func `a reader of the log that stalls delays no answer, and its lost lines are counted`()
        async throws
    {
        let pipe = Pipe()
        // `F_SETPIPE_SZ`, which Swift does not import: a page.
        #expect(fcntl(pipe.fileHandleForWriting.fileDescriptor, 1031, 4096) >= 0)
        let server = try start("--log", "all", errors: pipe.fileHandleForWriting)
        let client = try RawClient(port: server.port)
        try client.get("/_/w:10/plain/local:///cat.jpg@png", lines: ["Connection: close"])
        _ = await client.receive()
        // Until the writer waits for the reader, and its lines are at their limit.
        for _ in 0...LineWriter.limit / 100 + 2 {
            let many = try RawClient(port: server.port)
            for number in 1...100 {
                let lines = number == 100 ? ["Connection: close"] : []
                try many.get("/_/w:10/plain/local:///cat.jpg@png", method: "HEAD", lines: lines)
            }
            #expect(await many.receive().components(separatedBy: "HTTP/1.1 200 ").count == 101)
        }
        #expect(try await metrics(server).value("calotype_serve_log_lines_lost_total") ?? 0 > 0)
        server.send(SIGTERM)
        #expect(await server.status == 0)
        withExtendedLifetime(pipe) {}
    }

    @Test func `a reader of messages that stalls delays no answer, and its lost lines are counted`() async throws {
        let pipe = Pipe()
        #expect(fcntl(pipe.fileHandleForWriting.fileDescriptor, 1031, 4096) >= 0)
        let server = try start(
            "--ignore-unsupported", "--verbose", "--log", "none", errors: pipe.fileHandleForWriting)
        // Each URL is new to the server, which writes a line about its option.
        for round in 0...LineWriter.limit / 100 + 10 {
            let many = try RawClient(port: server.port)
            for number in 1...100 {
                let lines = number == 100 ? ["Connection: close"] : []
                let target = "/_/zz:\(round)-\(number)/w:10/plain/local:///cat.jpg@png"
                try many.get(target, method: "HEAD", lines: lines)
            }
            #expect(await many.receive().components(separatedBy: "HTTP/1.1 200 ").count == 101)
        }
        #expect(try await metrics(server).value("calotype_serve_log_lines_lost_total") ?? 0 > 0)
        server.send(SIGTERM)
        #expect(await server.status == 0)
        withExtendedLifetime(pipe) {}
    }

    @Test func `the log has all answers if it is to have them`() async throws {
        let file = calotype.place.appending(path: "errors")
        try Data().write(to: file)
        let server = try start("--log", "all", errors: try FileHandle(forWritingTo: file))
        for path in ["cat.jpg", "cat.jpg", "none.jpg"] {
            _ = try await ask(server.port, "/secret/w:10/plain/local:///\(path)@png")
        }
        server.send(SIGTERM)
        #expect(await server.status == 0)
        let text = try String(contentsOf: file, encoding: .utf8)
        struct Line: Decodable {
            let outcome: String
            let bytes: Int
            let ms: [String: Double]
        }
        let lines = try text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        #expect(lines.map(\.outcome) == ["made", "hit", "failed"])
        #expect(lines.allSatisfy { $0.bytes > 0 && $0.ms["total"] != nil } && lines.first?.ms["decode"] != nil)
        #expect(!text.contains("secret"))
    }

    // MARK: The end

    /// Whether the admin port reports that the server is ending.
    private func isEnding(_ server: ServerChild) async throws -> Bool {
        try await ask(server.adminPort, "/.calotype/ready").hasPrefix("HTTP/1.1 503 ")
    }

    @Test(.requirement("V27"), arguments: [SIGTERM, SIGINT])
    func `a signal lets running work end and be stored, with status 0 and no partial file`(_ signal: Int32) async throws
    {
        let store = calotype.place.appending(path: "store")
        let server = try start("--store", store.path)
        let client = try RawClient(port: server.port)
        try client.get(slow)
        await origin.waitForRequests(1)
        server.send(signal)
        try await repeatUntil { try await isEnding(server) }
        #expect(try await ask(server.adminPort, "/.calotype/health").hasPrefix("HTTP/1.1 200 "))
        await waitUntil { (try? RawClient(port: server.port)) == nil }
        gate.open()
        #expect(await client.receive().hasPrefix("HTTP/1.1 200 "))
        #expect(await server.status == 0)
        for name in ["results", "sources"] {
            let temporary = try? FileManager.default.contentsOfDirectory(
                atPath: store.appending(path: "\(name)/temp").path)
            #expect((temporary ?? []).allSatisfy { $0.hasSuffix("lock") }, "\(temporary ?? [])")
        }
        let next = try start("--store", store.path)
        #expect(try await ask(next.port, slow).contains("Calotype; hit"))
        #expect(origin.requestCount() == 1)
    }

    @Test(.requirement("V27")) func `a request that takes longer than --drain is cut, and a line counts it`()
        async throws
    {
        defer { gate.open() }
        let file = calotype.place.appending(path: "errors")
        try Data().write(to: file)
        let server = try start("--drain", "0", errors: try FileHandle(forWritingTo: file))
        let client = try RawClient(port: server.port)
        try client.get(slow)
        await origin.waitForRequests(1)
        server.send(SIGTERM)
        #expect(await client.receive().isEmpty)
        #expect(await server.status == 0)
        #expect(try String(contentsOf: file, encoding: .utf8) == "{\"cut\":1}\n")
    }

    @Test func `clients connect during the delay, and a second signal ends the server at once`() async throws {
        let server = try start("--drain-delay", "3600")
        server.send(SIGTERM)
        try await repeatUntil { try await isEnding(server) }
        #expect(try await ask(server.port, "/_/w:10/plain/local:///cat.jpg@png").hasPrefix("HTTP/1.1 200 "))
        server.send(SIGTERM)
        #expect(await server.status != 0)
    }
}
