import CalotypeListener
import CalotypeTesting
import Foundation
import ResourceProvider
import Testing

/// What RFC 9112 tells a server to refuse: forms of requests that two readers may understand differently.
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
    /// What must not be taken for a request of its own.
    private static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test(arguments: [
        Form("§6.1: length and chunks", post + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Form("§6.3: two lengths", post + "Content-Length: 3\r\nContent-Length: 0\r\n\r\n"),
        Form("§6.3: two lengths, the longer one last", post + "Content-Length: 0\r\nContent-Length: 3\r\n\r\n"),
        Form("§6.3: a list of lengths", post + "Content-Length: 3, 4\r\n\r\n"),
        Form("§6.3: a length with a sign", post + "Content-Length: +3\r\n\r\nabc"),
        Form("§6.3: a negative length", post + "Content-Length: -3\r\n\r\n"),
        Form("§6.3: a length beyond numbers", post + "Content-Length: 99999999999999999999999\r\n\r\n"),
        Form("§6.1: a coding that nobody knows", post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
        Form("§6.1: a coding after chunked", post + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"),
        Form("§6.1: a misspelt coding", post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
        Form(
            "§6.1: two lines of codings", post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n"),
        Form("§6.1: chunks in HTTP/1.0", "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Form("§3.2: two hosts", get + "Host: b\r\n\r\n"),
        Form("§3.2: no host", "GET / HTTP/1.1\r\nX-A: a\r\n\r\n"),
        Form("§3.2: a host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
        Form("§3.2: a host with a user", "GET / HTTP/1.1\r\nHost: b@a\r\n\r\n"),
        Form("§5.1: white space before the colon", get + "X-A : b\r\n\r\n"),
        Form("§5.1: white space before the colon of a length", post + "Content-Length : 3\r\n\r\nabc"),
        Form("§5.2: a folded line", get + "X-A: b\r\n c\r\n\r\n"),
        Form("§5.2: a folded line by a tab", get + "X-A: b\r\n\tc\r\nX-B: d\r\n\r\n"),
        Form("§2.2: white space before the first field", "GET / HTTP/1.1\r\n X-A: b\r\nHost: a\r\n\r\n"),
        Form("§2.2: bare line feeds", "GET / HTTP/1.1\nHost: a\n\n"),
        Form("§2.2: one bare line feed", "GET / HTTP/1.1\r\nHost: a\nX-A: b\r\n\r\n"),
        Form("§2.2: a bare line feed at the last field", get + "X-A: b\n\r\n"),
        Form("§2.2: a bare line feed at the end", get + "X-A: b\r\n\n"),
        Form("§2.2: a bare carriage return", get + "X-A: b\rX-B: c\r\n\r\n"),
        Form("RFC 9110 §5.5: NUL in a value", get + "X-A: b\0c\r\n\r\n"),
        Form("RFC 9110 §5.5: NUL in a name", get + "X\0-A: b\r\n\r\n"),
        Form("RFC 9110 §5.5: a control character", get + "X-A: b\u{1}c\r\n\r\n"),
        Form("RFC 9110 §5.1: a name that is no token", get + "X(A): b\r\n\r\n"),
        Form("RFC 9110 §5.1: no name", get + ": b\r\n\r\n"),
        Form("§5: a line without a colon", get + "Nonsense\r\n\r\n"),
        Form("§3.2: white space in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"),
        Form("§3.2: NUL in the target", "GET /a\0b HTTP/1.1\r\nHost: a\r\n\r\n"),
        Form("§3.2: a fragment in the target", "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n"),
        Form("§3.2: bytes outside ASCII in the target", "GET /ä HTTP/1.1\r\nHost: a\r\n\r\n"),
        Form("§3.2: a target without a slash", "GET a HTTP/1.1\r\nHost: a\r\n\r\n"),
        Form("§3.2.4: an asterisk for GET", "GET * HTTP/1.1\r\nHost: a\r\n\r\n"),
        Form("§3: two spaces", "GET  /  HTTP/1.1\r\nHost: a\r\n\r\n"),
        Form("§2.3: no version", "GET /\r\nHost: a\r\n\r\n"),
        Form("§2.3: a version in small letters", "GET / http/1.1\r\nHost: a\r\n\r\n"),
    ])
    func `it is refused, and what follows is not a request`(_ form: Form) async throws {
        let seen = Locked<[String]>([])
        let listener = try Listener(answer: { request in
            seen.withLock { $0.append(request.target) }
            return .now(ListenerResponse())
        })
        let client = try RawClient(port: listener.port)
        try client.send(form.bytes + Self.smuggled)
        let text = await client.receive()
        #expect(seen.withLock { $0 } == [])
        #expect(text.hasPrefix("HTTP/1.1 4") || text.isEmpty, "\(text.prefix(100))")
        #expect(!text.contains(" 200 OK"))
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
        Form("a query that the library decodes", "GET /%41?a=%41%42%43&b=+c HTTP/1.1\r\nHost: a\r\n\r\n"),
        Form("a cookie that the library takes apart", get + "Cookie: a=b; c=\"d\"; e\r\nX-A: b\r\n\r\n"),
        Form("fields of 30 KB", get + "X-A: \(String(repeating: "a", count: 30_000))\r\n\r\n"),
        Form("300 fields", get + String(repeating: "X-A: b\r\n", count: 300) + "\r\n"),
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
        try? client.send(Self.get + "X-A: \(String(repeating: "a", count: 100_000))\r\n\r\n")
        #expect(await client.receive().hasPrefix("HTTP/1.1 431"))
    }
}
