import CalotypeBase
import CalotypeHTTP
import CalotypeTransport
import Foundation
import Testing
import Waiting

/// Servers that send more or other bytes than they should: none crashes the process or answers another request.
struct HostileServerTests {
    private static let lie: ByteString = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nlie"

    private static func answer(_ request: ScriptedServer.Request, below line: ByteString = "") -> ByteString {
        "HTTP/1.1 200 OK\(line)\r\nContent-Length: \(request.path.count)\r\n\r\n\(request.path)"
    }

    private func transport(
        to server: ScriptedServer, _ change: (inout CurlTransport.Options) -> Void = { _ in }
    ) -> CurlTransport {
        var options = CurlTransport.Options()
        options.certificateAuthorities = server.certificate?.path
        change(&options)
        return CurlTransport(options: options)
    }

    // MARK: Folded lines

    // The cause is curl #11101: a reused handle points into the last response's head, which has been freed.
    @Test(arguments: [false, true], ["\r\n X: a", "\r\n\tX: a", "\r\n ", ""] as [ByteString])
    func `a head that begins with a folded line is malformed, on a used connection too`(
        isSecure: Bool, folded: ByteString
    ) async throws {
        for interim in [
            "", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", "HTTP/1.1 103 Early Hints\r\n X: a\r\n\r\n",
        ] {
            let isMalformed = interim.contains("X") || !folded.isEmpty
            let server = try ScriptedServer(isSecure: isSecure) { request in
                guard request.path == "/b" else { return [Self.answer(request)] }
                return ["\(interim)\(Self.answer(request, below: folded))"]
            }
            let transport = transport(to: server)
            #expect(try await transport.body(server.url("/a")) == Data("/a".utf8))
            #expect(await transport.failure(try server.url("/b"))?.code == (isMalformed ? .malformedResponse : nil))
            #expect(try await transport.body(server.url("/c")) == Data("/c".utf8))
        }
    }

    @Test(arguments: [
        "Transfer-Encoding:\r\n chunked", "transfer-encoding:\r\n\tchunked", "Transfer-Encoding: chunked\r\n ",
        "Transfer-Encoding: gzip,\r\n chunked", "Content-Length:\r\n 8", "Content-Length: 8\r\n ",
        "Content-Length: 1\r\n 8",
    ])
    func `a folded field that frames the body is malformed`(_ field: String) async throws {
        let server = try RawServer("HTTP/1.1 200 OK\r\n\(field)\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
        #expect(await CurlTransport().failure(server.url)?.code == .malformedResponse)
    }

    // Some bodies used to be delivered with their chunk lines, some were taken for chunks.
    @Test(arguments: [
        "chunked0", "+chunked", "xchunked", "chunked;a=b", "chunked, chunked", "chunked, identity", "identity, chunked",
        "chunked, gzip", "gzip, chunkedx", ", chunked", "chunked,", "\u{E9}chunked",
        "chunked\r\nTransfer-Encoding: identity",
        "chunked\r\nTransfer-Encoding: chunked",
    ])
    func `a body that one reader takes for chunks and another does not is malformed`(_ coding: String) async throws {
        let server = try RawServer("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(coding)\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
        #expect(await CurlTransport().failure(server.url)?.code == .malformedResponse)
    }

    @Test(arguments: [("X: a\r\n b", "a b"), ("X: a \r\n \t b\r\n\tc", "a b c"), ("X:\r\n b", "b"), ("X: a\r\n ", "a")])
    func `any other fold becomes one space`(_ field: String, _ value: String) async throws {
        let server = try RawServer("HTTP/1.1 200 OK\r\n\(field)\r\nContent-Length: 0\r\n\r\n")
        #expect(try await CurlTransport().get(server.url).fields["X"] == ByteString(value))
    }

    // MARK: Bytes before a head

    // curl takes such a head for the last one, and the bytes after it for a body: once they filled the buffer, the
    // transfer was paused for a reader that was still waiting for the head, and no timeout ran.
    @Test(arguments: ["", "\r\nUpgrade: websocket\r\nConnection: Upgrade"], [0, 1_000_000])
    func `101 that nobody asked for is malformed, whatever follows`(fields: ByteString, count: Int) async throws {
        let rest = ByteString(bytes: [UInt8](repeating: 0x61, count: count))
        let server = try ScriptedServer { _ in ["HTTP/1.1 101 Switching Protocols\(fields)\r\n\r\n\(rest)"] }
        var request = HTTPRequest(try server.url("/"))
        // Without the check this timeout ends the wait.
        request.timeouts.total = .seconds(60)
        for countsPauses in [true, false] {
            request.timeouts.countsPauses = countsPauses
            let answer = await start(transport(to: server), request).value
            #expect(answer.error?.code == .malformedResponse)
        }
    }

    // MARK: Bytes that are no text

    @Test(
        arguments: [[0xE9, 0xFF], [0xC3, 0xA9], [0x65, 0xCC, 0x81], [0xE2, 0x84, 0xAA], [0xC3], [0x80]] as [[UInt8]])
    func `an entity tag goes back with the bytes with which it came`(_ bytes: [UInt8]) async throws {
        let tag: ByteString = "\"\(ByteString(bytes: bytes))\""
        let server = try ScriptedServer { [Self.answer($0, below: "\r\nETag: \(tag)\r\nX: \(tag)\r\n \(tag)")] }
        let transport = CurlTransport()
        let received = try await transport.get(server.url("/a")).fields
        #expect(received["ETag"]?.bytes == [0x22] + bytes + [0x22])
        #expect(received["X"] == "\(tag) \(tag)")
        _ = try await transport.get(server.url("/b"), ["If-None-Match": #require(received["ETag"])])
        #expect(server.requests[1].head.contains("\r\nIf-None-Match: \(tag)\r\n"))
    }

    // MARK: Bytes that no request asked for

    // The cause is curl #10690: bytes on an idle connection were read as the response to the next request.
    @Test(arguments: [false, true])
    func `what a server says on an idle connection answers no request`(isSecure: Bool) async throws {
        let server = try ScriptedServer(isSecure: isSecure) { [Self.answer($0)] }
        let transport = transport(to: server)
        #expect(try await transport.body(server.url("/a")) == Data("/a".utf8))
        #expect(try await transport.body(server.url("/b")) == Data("/b".utf8))
        await server.say(Self.lie, on: 0)
        #expect(try await transport.body(server.url("/c")) == Data("/c".utf8))
        try #require(server.requests.map(\.connection) == [0, 0, 1])
        await server.waitUntilClosed(0)
    }

    // The body's end arrives in a later read than its head: curl reads no further, and the rest stays in the socket or,
    // for a TLS record, decrypted in OpenSSL.
    @Test(arguments: [false, true])
    func `what follows a long body answers no request`(isSecure: Bool) async throws {
        let body = String(repeating: "a", count: 200_000)
        let server = try ScriptedServer(isSecure: isSecure) { request in
            guard request.path == "/a" else { return [Self.answer(request)] }
            return ["HTTP/1.1 200 OK\r\nContent-Length: \(body.count + 1)\r\n\r\n\(body)", "b\(Self.lie)"]
        }
        let transport = transport(to: server)
        #expect(try await transport.body(server.url("/a")) == Data((body + "b").utf8))
        #expect(try await transport.body(server.url("/b")) == Data("/b".utf8))
        try #require(server.requests.map(\.connection) == [0, 1])
        await server.waitUntilClosed(0)
    }

    @Test func `a request that changes its connection keeps its place and its deadline`() async throws {
        let server = try ScriptedServer { $0.path == "/silent" ? [] : [Self.answer($0)] }
        let transport = transport(to: server) { $0.transferLimit = 1 }
        _ = try await transport.body(server.url("/a"))
        await server.say(Self.lie, on: 0)
        var silent = HTTPRequest(try server.url("/silent"))
        silent.timeouts.total = .seconds(2)
        let first = start(transport, silent)
        await waitUntil { server.requests.count >= 2 }
        let second = start(transport, HTTPRequest(try server.url("/b")))
        #expect(await first.value.error?.code == .timedOut)
        #expect(try await second.value.get() == Data("/b".utf8))
        #expect(transport.load == (0, 0))
        #expect(server.requests.map(\.path) == ["/a", "/silent", "/b"])
    }
}
