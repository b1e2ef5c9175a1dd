import CCurl
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import Testing

@testable import CalotypeTransport

/// Bad servers and bad input: a typed error with the cause, and the next request works.
struct CurlFailureTests {
    let origin: OriginServer
    let transport = CurlTransport()

    init() throws {
        origin = try OriginServer()
        origin.on("/good", .ok(Data("good".utf8)))
    }

    private func expectNextRequestWorks() async throws {
        #expect(try await transport.body(origin.url("/good")) == Data("good".utf8))
    }

    @Test func `Content-Length that promises too much ends as a truncated body`() async throws {
        origin.on("/a", .ok(noise(1000)).announcing(contentLength: 2000))
        #expect(await transport.failure(origin.url("/a"))?.code == .truncatedBody)
        try await expectNextRequestWorks()
    }

    @Test func `Content-Length that promises too little gives that much, and the rest spoils nothing`() async throws {
        let server = try RawServer("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nphotograph")
        #expect(try await transport.body(server.url) == Data("phot".utf8))
        try await expectNextRequestWorks()
    }

    @Test(.requirement("RFC 9112 §6.3"))
    func `a transfer coding that there is none of was not applied, or is malformed to newer curls`() async throws {
        let version = try #require(calotype_curl_version()).pointee.version_num
        let server = try RawServer("HTTP/1.1 200 OK\r\nTransfer-Encoding: arabesque\r\n\r\nphotograph")
        do throws(TransportError) {
            // The body ends with the connection.
            let body = try await transport.body(server.url)
            #expect(body == Data("photograph".utf8))
        } catch {
            #expect(version >= 0x08_00_00 && error.code == .malformedResponse)
        }
        try await expectNextRequestWorks()
        let mixed = try RawServer("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, arabesque\r\n\r\nphotograph")
        #expect(await transport.failure(mixed.url) != nil)
    }

    @Test func `a connection closed in mid-body is a truncated body`() async throws {
        origin.on("/a", .ok(noise(100_000)).droppedAfter(bytes: 30_000))
        let error = await transport.failure(origin.url("/a"))
        #expect(error?.code == .truncatedBody)
        #expect(error?.message.contains("127.0.0.1") == true)
        try await expectNextRequestWorks()
    }

    @Test func `a connection closed in the middle of chunks is an error, too`() async throws {
        origin.on("/a", .ok(noise(100_000)).chunked().droppedAfter(bytes: 30_000))
        #expect(await transport.failure(origin.url("/a"))?.code == .truncatedBody)
    }

    @Test func `a reset in mid-body is a lost connection`() async throws {
        let server = try RawServer("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\nabc", thenResets: true)
        let code = await transport.failure(server.url)?.code
        #expect(code == .connectionLost || code == .truncatedBody)
        try await expectNextRequestWorks()
    }

    @Test func `a connection closed before any answer is a lost connection`() async throws {
        origin.on("/a", .status(200).resetImmediately())
        #expect(await transport.failure(origin.url("/a"))?.code == .connectionLost)
        try await expectNextRequestWorks()
    }

    @Test func `nobody there is no connection`() async throws {
        origin.stop()
        #expect(await transport.failure(origin.url("/a"))?.code == .cannotConnect)
    }

    @Test func `a name that does not exist is a host that cannot be found`() async throws {
        let url = try #require(URL(string: "http://no-such-host.invalid/a"))
        let error = await transport.failure(url)
        #expect(error?.code == .cannotFindHost)
        #expect(error?.message.contains("no-such-host.invalid") == true)
    }

    @Test(arguments: [
        "hello, this is not HTTP\r\n", "HTTP/1.1 2x0 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nno field\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcde",
        "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ])
    func `an answer that breaks the rules is malformed`(_ answer: String) async throws {
        let server = try RawServer(answer)
        #expect(await transport.failure(server.url)?.code == .malformedResponse)
        try await expectNextRequestWorks()
    }

    @Test func `a line without a name is skipped, with the lines folded below it`() async throws {
        let server = try RawServer(
            "HTTP/1.1 200 OK\r\nX-A: 1\r\n: nameless\r\n folded\r\nContent-Length: 2\r\n:\r\n\r\nok")
        let response = try await transport.get(server.url)
        #expect(response.fields["X-A"] == "1")
        #expect(response.fields.count == 2)
        #expect(try await response.body.collect() == Data("ok".utf8))
        try await expectNextRequestWorks()
    }

    // The transport's own limit refuses the first, curl the second.
    @Test(arguments: [(3000, 80), (1, 400_000)])
    func `a head without end is refused`(fields: Int, length: Int) async throws {
        let lines = (0..<fields).map { "X-\($0): \(String(repeating: "a", count: length))\r\n" }.joined()
        let server = try RawServer("HTTP/1.1 200 OK\r\n" + lines + "\r\n")
        #expect(await transport.failure(server.url)?.code == .malformedResponse)
        try await expectNextRequestWorks()
    }

    @Test func `interim heads are skipped, folded lines joined, trailers ignored`() async throws {
        let server = try RawServer(
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nX-Folded: one\r\n  two\r\nTransfer-Encoding: chunked\r\nTrailer: X-After\r\n\r\n"
                + "3\r\nabc\r\n0\r\nX-After: 1\r\n\r\n")
        let response = try await transport.get(server.url)
        #expect(response.status == 200)
        #expect(response.fields["Link"] == nil)
        #expect(response.fields["X-Folded"] == "one two")
        #expect(try await response.body.collect() == Data("abc".utf8))
        #expect(response.fields["X-After"] == nil)
    }

    @Test(arguments: [
        ("ftp://127.0.0.1/a", TransportError.Code.unsupportedScheme), ("file:///etc/hosts", .unsupportedScheme),
        ("gopher://127.0.0.1/", .unsupportedScheme), ("http:///a", .malformedURL), ("photo.jpg", .malformedURL),
        ("http://127.0.0.1:99999/", .malformedURL),
    ])
    func `a URL that is no http URL says why`(_ url: String, _ code: TransportError.Code) async throws {
        let url = try #require(URL(string: url))
        #expect(await transport.failure(url)?.code == code)
    }

    // Versions 7 and 8 refuse different responses, with different codes. Each code is written as a number, because the
    // headers of version 7 lack some.
    @Test(
        arguments: [
            (27, ""), (56, "Too large response headers: 307247 > 307200"),
            (61, "Unsolicited Transfer-Encoding (a) found"),
            (100, "Too many response headers, 5000 is max"), (100, ""), (8, "Nul byte in header"), (43, ""),
        ] as [(UInt32, String)])
    func `a head that curl itself refuses is malformed`(_ code: UInt32, _ text: String) {
        let failure = CurlFailure(
            result: CURLcode(code), text: text, host: "photos.example", connectTimeout: .seconds(1), hasHead: false,
            authorities: nil)
        #expect(failure.translated.code == .malformedResponse)
    }

    @Test func `a machine without certificate authorities is told which package has them`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "calotype-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.path + "/ca-certificates.crt"
        func message(_ authorities: CertificateAuthorities?) -> String {
            let failure = CurlFailure(
                result: CURLE_SSL_CACERT_BADFILE, text: "error setting certificate file", host: "photos.example",
                connectTimeout: .seconds(1), hasHead: false, authorities: authorities)
            #expect(failure.translated.code == .tlsFailed)
            return failure.translated.message
        }
        let missing = CertificateAuthorities(file: file, folder: folder.path)
        #expect(message(missing).contains("(\(file)): sudo apt-get install ca-certificates"))
        #expect(message(nil).hasSuffix(": error setting certificate file"))
        try Data("certificates".utf8).write(to: URL(filePath: file))
        #expect(message(missing).hasSuffix(": error setting certificate file"))
        #expect(CertificateAuthorities(file: nil, folder: nil).advice == nil)
    }

    @Test func `a server that sends nothing is idle, and the message says so`() async throws {
        let gate = Gate()
        defer { gate.open() }
        origin.on("/a", .ok(Data("a".utf8)).held(by: gate))
        var request = HTTPRequest(origin.url("/a"))
        request.timeouts.idle = .milliseconds(30)
        let error = await transport.failure(request)
        #expect(error?.code == .timedOut)
        #expect(error?.message.contains("no data from 127.0.0.1") == true)
    }

    @Test func `a server that stops in mid-body is idle, too`() async throws {
        let gate = Gate()
        defer { gate.open() }
        origin.on("/a", .ok(noise(1000)).bodyHeld(by: gate, after: 10))
        var request = HTTPRequest(origin.url("/a"))
        request.timeouts.idle = .milliseconds(30)
        #expect(await transport.failure(request)?.code == .timedOut)
        try await expectNextRequestWorks()
    }

    @Test func `a server that drips never idles, and the total timeout ends it`() async throws {
        origin.on("/a", .ok(noise(1_000_000)).dripping(bytes: 1, every: .milliseconds(5)))
        var request = HTTPRequest(origin.url("/a"))
        request.timeouts.idle = .seconds(60)
        request.timeouts.total = .milliseconds(80)
        let error = await transport.failure(request)
        #expect(error?.code == .timedOut)
        #expect(error?.message.contains("did not finish within") == true)
    }
}
