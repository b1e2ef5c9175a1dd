import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import TestSupport
import Foundation
import Testing

@testable import CalotypeListener

/// Requests that RFC 9112 requires a server to refuse, because two readers may understand them differently.
@Suite struct RequestStrictnessTests {
    struct Form: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: String

        init(_ description: String, _ bytes: String) {
            testDescription = description
            self.bytes = bytes
        }
    }

    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n"
    private static let post = "POST / HTTP/1.1\r\nHost: a\r\n"
    /// A request inside another message, which the listener must not answer.
    private static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"

    /// The table of the parser's tests, over a real connection.
    @Test func `what is refused is answered once and whole, and what follows is not a request`() async throws {
        let seen = Locked<[String]>([])
        let listener = try Listener(answer: { request in
            seen.withLock { $0.append(request.target) }
            return .now(ListenerResponse(fields: ["X-Answer": "given"]))
        })
        for row in RequestParserTests.rows where row.limits == RequestLimits() {
            guard let status = row.refused else { continue }
            seen.withLock { $0 = [] }
            let client = try RawClient(port: listener.port)
            try client.send(Data(row.bytes) + Data(Self.smuggled.utf8))
            let text = await client.receive()
            #expect(seen.withLock { $0.count } == row.requests.count, "\(row.testDescription)")
            let answers = "\r\n\(text)".components(separatedBy: "\r\nHTTP/1.1 ").dropFirst()
            #expect(answers.count == row.requests.count + 1, "\(row.testDescription): \(text)")
            #expect(answers.last?.hasPrefix("\(status) ") == true, "\(row.testDescription): \(text)")
            #expect(answers.last?.contains("\r\nConnection: close\r\n") == true, "\(row.testDescription): \(text)")
            #expect(answers.last?.hasSuffix(".\n") == true, "\(row.testDescription): \(text)")
        }
    }

    @Test(arguments: [false, true])
    func `a client that goes on sending still hears why it was refused`(_ isBadHead: Bool) async throws {
        let listener = try Listener(answer: { _ in .now(ListenerResponse()) })
        for _ in 0..<20 {
            let client = try RawClient(port: listener.port)
            let head = isBadHead ? "GET / HTTP/1.1\r\n\r\n" : Self.post + "Content-Length: 99999999999\r\n\r\n"
            try client.send(Data(head.utf8) + Data(count: 6 << 20))
            let text = await client.receive()
            #expect(text.hasPrefix(isBadHead ? "HTTP/1.1 400 " : "HTTP/1.1 413 "))
            #expect(text.hasSuffix(".\n"))
        }
    }

    @Test(arguments: [
        Form("RFC 9110 §9.3.6: CONNECT", "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n"),
        Form("RFC 9110 §7.8: Upgrade", get + "Connection: upgrade\r\nUpgrade: h2c\r\n\r\n"),
        Form("RFC 9110 §7.8: Upgrade without Connection", get + "Upgrade: websocket\r\n\r\n"),
    ])
    func `what follows a request for another protocol is not a request`(_ form: Form) async throws {
        let seen = Locked<[String]>([])
        let listener = try Listener(answer: { request in
            seen.withLock { $0.append(request.target) }
            return .now(ListenerResponse(status: 405))
        })
        let client = try RawClient(port: listener.port)
        try client.send(form.bytes + Self.smuggled)
        let text = await client.receive()
        #expect(text.hasPrefix("HTTP/1.1 405 "))
        #expect(text.contains("Connection: close\r\n"))
        #expect(seen.withLock { $0.count } == 1)
    }

    @Test(arguments: [
        Form("§3.2.2: the absolute form", "GET http://b/c HTTP/1.1\r\nHost: a\r\n\r\n"),
        Form("§2.2: an empty line first", "\r\n" + get + "\r\n"),
        Form("§5.1: white space around a value", get + "X-A: \t b \t\r\nX-B:\r\nX-C:c\r\n\r\n"),
        Form("RFC 9110 §5.5: bytes outside ASCII in a value", get + "X-A: ä\r\n\r\n"),
        Form("§6.3: one length twice", post + "Content-Length: 0\r\nContent-Length: 0\r\n\r\n"),
        Form("§6.1: chunked in capitals", post + "Transfer-Encoding: CHUNKED\r\n\r\n0\r\n\r\n"),
        Form("§3.2: an address and a port", "GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n"),
        Form("§3.2: an empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n"),
        Form("§2.3: HTTP/1.0 without a host", "GET / HTTP/1.0\r\n\r\n"),
        Form("no fields at all", "GET /?a=%41&b&c=d HTTP/1.0\r\n\r\n"),
        Form("a query with escapes", "GET /%41?a=%41%42%43&b=+c HTTP/1.1\r\nHost: a\r\n\r\n"),
        Form("a cookie with quotes", get + "Cookie: a=b; c=\"d\"; e\r\nX-A: b\r\n\r\n"),
        Form("fields of 30 KB", get + "X-A: \(String(repeating: "a", count: 30_000))\r\n\r\n"),
        Form("300 fields", get + String(repeating: "X-A: b\r\n", count: 300) + "\r\n"),
        // This filled the field buffer of an earlier listener, which then hung up without a response.
        Form("2 KB of parameters", "GET /?\(String(repeating: "a&", count: 1000)) HTTP/1.1\r\nHost: a\r\n\r\n"),
        Form("900 cookies", get + "Cookie: \(String(repeating: "a=b; ", count: 900))c=d\r\n\r\n"),
    ])
    func `it is answered`(_ form: Form) async throws {
        let listener = try Listener(answer: { _ in .now(ListenerResponse(body: Data("done".utf8))) })
        let client = try RawClient(port: listener.port)
        try client.send(form.bytes)
        let text = await client.receive(until: "done")
        #expect(text.contains(" 200 "), "\(text.prefix(200))")
    }

    @Test func `fields that come in many small pieces are counted right`() async throws {
        let listener = try Listener(answer: { _ in .now(ListenerResponse(body: Data("done".utf8))) })
        let client = try RawClient(port: listener.port)
        for character in Self.get + "X-A: b\r\n\r\n" { try client.send(String(character)) }
        #expect(await client.receive(until: "done").contains(" 200 "))
    }

    @Test func `a head beyond the memory for it is answered 431`() async throws {
        let listener = try Listener(answer: { _ in .now(ListenerResponse()) })
        let client = try RawClient(port: listener.port)
        try client.send(Self.get + "X-A: \(String(repeating: "a", count: 100_000))\r\n\r\n")
        #expect(await client.receive().hasPrefix("HTTP/1.1 431"))
    }
}
