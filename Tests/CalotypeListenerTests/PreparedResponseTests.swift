import CalotypeBase
import CalotypeHTTP
import CalotypeListener
import CalotypeTesting
import TestSupport
import Foundation
import Testing

@Suite struct `A response that is made once` {
    private static let small = ListenerResponse(status: 299, fields: ["X-A": "1"], body: Data("hello".utf8))

    private func listener(_ response: ListenerResponse) throws -> Listener {
        let prepared = PreparedResponse(response)
        return try Listener(options: .init(threads: 2), answer: { _ in .now(prepared) })
    }

    @Test(arguments: [5, 200_000])
    func `goes out again and again, over one connection and over many`(size: Int) async throws {
        let body = String(repeating: "x", count: size)
        let listener = try listener(ListenerResponse(fields: ["X-A": "1"], body: Data(body.utf8)))
        let clients = try (0..<8).map { _ in try RawClient(port: listener.port) }
        for last in [false, true] {
            for client in clients { try client.get("/", lines: last ? ["Connection: close"] : []) }
            for client in clients {
                let text = last ? await client.receive() : await client.receive(until: "\r\n\r\n" + body)
                #expect(text.hasPrefix("HTTP/1.1 200 "))
                #expect(text.contains("X-A: 1\r\n"))
                #expect(text.contains("Content-Length: \(size)\r\n"))
                #expect(text.hasSuffix("\r\n\r\n" + body))
            }
        }
    }

    @Test func `HEAD gets its length and no body`() async throws {
        let listener = try listener(Self.small)
        let client = try RawClient(port: listener.port)
        try client.get("/", method: "HEAD", lines: ["Connection: close"])
        let text = await client.receive()
        #expect(text.contains("Content-Length: 5\r\n"))
        #expect(text.hasSuffix("\r\n\r\n"))
    }

    @Test(arguments: [
        (ListenerResponse(status: 204), "HTTP/1.1 204 ", "\r\n\r\n"),
        (ListenerResponse(status: 304, body: Data("hello".utf8)), "HTTP/1.1 304 ", "\r\n\r\n"),
        (ListenerResponse(stream: HTTPBody(Data("hello".utf8))), "HTTP/1.1 200 ", "0\r\n\r\n"),
        (ListenerResponse(fields: ["Content-Length": "9"], body: Data("hello".utf8)), "HTTP/1.1 200 ", "hello"),
        (ListenerResponse(fields: ["X": "a\r\nb"], body: Data("hello".utf8)), "HTTP/1.1 500 ", ": X\n"),
    ])
    func `what cannot be made beforehand is made as ever`(
        _ response: ListenerResponse, _ beginning: String, _ end: String
    ) async throws {
        let listener = try listener(response)
        let client = try RawClient(port: listener.port)
        try client.get("/", lines: ["Connection: close"])
        let text = await client.receive()
        #expect(text.hasPrefix(beginning))
        #expect(text.hasSuffix(end))
    }

    @Test(arguments: [small, ListenerResponse(status: 299, fields: ["X-A": "1"], stream: HTTPBody(Data("hello".utf8)))])
    func `takes fields for one request`(_ response: ListenerResponse) async throws {
        let prepared = PreparedResponse(response)
        let listener = try Listener(answer: { .now(prepared, adding: ["X-Path": ByteString($0.path)]) })
        for path in ["/1", "/2"] {
            let client = try RawClient(port: listener.port)
            try client.get(path, lines: ["Connection: close"])
            let lines = await client.receive().components(separatedBy: "\r\n")
            #expect(lines.filter { $0.hasPrefix("X-") }.sorted() == ["X-A: 1", "X-Path: \(path)"])
        }
    }

    @Test func `leaves out a field of one request that cannot be sent`() async throws {
        let prepared = PreparedResponse(Self.small)
        let listener = try Listener(answer: { _ in .now(prepared, adding: ["X-B": "a\r\nb", "X-C": "2"]) })
        let client = try RawClient(port: listener.port)
        try client.get("/", lines: ["Connection: close"])
        let text = await client.receive()
        #expect(text.contains("X-C: 2\r\n") && !text.contains("X-B"))
    }

    @Test func `while the listener drains it is its connection's last`() async throws {
        let prepared = PreparedResponse(Self.small)
        let gate = Gate()
        let listener = try Listener(answer: { request in
            guard request.path == "/slow" else { return .now(prepared) }
            return .later {
                await gate.wait()
                return ListenerResponse()
            }
        })
        let (slow, open) = (try RawClient(port: listener.port), try RawClient(port: listener.port))
        try open.get("/")
        #expect(!(await open.receive(until: "hello")).contains("Connection: close"))
        try slow.get("/slow")
        await gate.waitForWaiters(1)
        async let drained: Void = listener.drain()
        var text = ""
        repeat {
            try open.get("/")
            text = await open.receive(until: "hello")
        } while !text.contains("Connection: close") && !text.isEmpty
        #expect(text.contains("Connection: close"))
        gate.open()
        await drained
    }
}
