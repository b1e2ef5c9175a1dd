import CalotypeBase
import CalotypeHTTP
@testable import CalotypeListener
import CalotypeTesting
import TestSupport
import Foundation
import FoundationNetworking
import Testing
import Waiting

@Suite struct ListenerResponseTests {
    private func answer(
        _ response: ListenerResponse, method: String = "GET", later: Bool = false
    ) async throws -> String {
        let listener = try Listener(answer: { _ in later ? .later { response } : .now(response) })
        let client = try RawClient(port: listener.port)
        try client.get("/", method: method, lines: ["Connection: close"])
        return await client.receive()
    }

    @Test(arguments: [false, true])
    func `status, fields in order, length and body go out`(later: Bool) async throws {
        let fields = HTTPFields([
            .init(name: "X-B", value: "1"), .init(name: "X-A", value: ""), .init(name: "X-B", value: "2"),
        ])
        let text = try await answer(
            ListenerResponse(status: 299, fields: fields, body: Data("hello".utf8)), later: later)
        #expect(text.hasPrefix("HTTP/1.1 299 "))
        #expect(text.contains("X-B: 1\r\nX-A: \r\nX-B: 2\r\n"))
        #expect(text.contains("Content-Length: 5\r\n"))
        #expect(text.hasSuffix("\r\n\r\nhello"))
    }

    @Test func `a date of one's own is the only one`() async throws {
        let date = "Thu, 01 Jan 2026 00:00:00 GMT"
        let text = try await answer(ListenerResponse(fields: ["Date": ByteString(date)]))
        #expect(text.components(separatedBy: "Date: ").count == 2)
        #expect(text.contains("Date: \(date)\r\n"))
    }

    @Test func `HEAD gets the length and no body`() async throws {
        let text = try await answer(ListenerResponse(body: Data("hello".utf8)), method: "HEAD")
        #expect(text.contains("Content-Length: 5\r\n"))
        #expect(text.hasSuffix("\r\n\r\n"))
    }

    @Test func `HEAD of a stream gets neither body nor chunk`() async throws {
        let text = try await answer(ListenerResponse(stream: HTTPBody(Data("hello".utf8))), method: "HEAD")
        #expect(text.hasSuffix("\r\n\r\n"))
        #expect(!text.contains("Content-Length"))
    }

    @Test func `304 tells the length of what it stands for, and sends none of it`() async throws {
        let text = try await answer(ListenerResponse(status: 304, fields: ["Content-Length": "123", "ETag": "\"a\""]))
        #expect(text.contains("Content-Length: 123\r\n"))
        #expect(text.hasSuffix("\r\n\r\n"))
    }

    @Test func `304 without a length says nothing about it`() async throws {
        let text = try await answer(ListenerResponse(status: 304))
        #expect(!text.contains("Content-Length"))
        #expect(text.hasSuffix("\r\n\r\n"))
    }

    @Test func `keep-alive stays in step after answers without a body`() async throws {
        let listener = try Listener(answer: { request in
            switch request.path {
            case "/304": .now(ListenerResponse(status: 304, body: Data("stored".utf8)))
            case "/204": .now(ListenerResponse(status: 204))
            default: .now(ListenerResponse(body: Data("end".utf8)))
            }
        })
        let client = try RawClient(port: listener.port)
        for (target, method) in [("/304", "GET"), ("/204", "GET"), ("/", "HEAD")] {
            try client.get(target, method: method)
            let text = await client.receive(until: "\r\n\r\n")
            #expect(text.components(separatedBy: "HTTP/1.1").count == 2)
        }
        try client.get("/", lines: ["Connection: close"])
        let last = await client.receive()
        #expect(last.hasPrefix("HTTP/1.1 200"))
        #expect(last.hasSuffix("end"))
    }

    @Test func `a stream of known length is sent as it comes`() async throws {
        let source = ListSource(["one", "two", "three"])
        let text = try await answer(ListenerResponse(stream: HTTPBody(source), length: 11))
        #expect(text.contains("Content-Length: 11\r\n"))
        #expect(text.hasSuffix("\r\n\r\nonetwothree"))
    }

    @Test func `a stream of unknown length is chunked`() async throws {
        let source = ListSource(["one", "three"])
        let text = try await answer(ListenerResponse(stream: HTTPBody(source)))
        #expect(text.contains("Transfer-Encoding: chunked\r\n"))
        #expect(text.hasSuffix("3\r\none\r\n5\r\nthree\r\n0\r\n\r\n"))
    }

    // Two more chunks used to be in memory beside the one being sent.
    @Test func `of a stream that waits for its client one chunk is in memory`() async throws {
        let asked = Locked(0)
        let source = CountedSource(chunks: 3, of: 32 << 20, asked)
        let listener = try Listener(answer: { _ in .now(ListenerResponse(stream: HTTPBody(source), length: 96 << 20)) })
        let client = try RawClient(port: listener.port)
        try client.get("/")
        // The kernel takes a few MB of the first chunk.
        _ = await client.receive(count: 200_000)
        #expect(asked.withLock { $0 } == 1)
    }

    @Test func `a stream is read to its end when all that was announced is sent`() async throws {
        let asked = Locked(0)
        let source = CountedSource(chunks: 3, of: 10, asked)
        let listener = try Listener(answer: { _ in .now(ListenerResponse(stream: HTTPBody(source), length: 30)) })
        let client = try RawClient(port: listener.port)
        try client.get("/")
        #expect(await client.receive(until: String(repeating: "a", count: 30)).hasPrefix("HTTP/1.1 200"))
        await waitUntil { asked.withLock { $0 } >= 4 }
    }

    @Test func `a stream that fails cuts the connection`() async throws {
        let source = ListSource(["one"], failing: true)
        let text = try await answer(ListenerResponse(stream: HTTPBody(source)))
        #expect(text.hasSuffix("3\r\none\r\n"))
    }

    @Test(arguments: [nil, 11])
    func `a head that waits for its body precedes it`(length: Int?) async throws {
        func text(waits: Bool) async throws -> String {
            var response = ListenerResponse(
                fields: ["Date": "now"], stream: HTTPBody(ListSource(["one", "two", "three"])), length: length)
            response.headWaitsForBody = waits
            return try await answer(response)
        }
        let waited = try await text(waits: true)
        #expect(try await waited == text(waits: false))
        #expect(waited.hasPrefix("HTTP/1.1 200"))
    }

    @Test(arguments: [nil, 0])
    func `a head that waits is sent with the end of an empty body`(length: Int?) async throws {
        var response = ListenerResponse(stream: HTTPBody(ListSource([])), length: length)
        response.headWaitsForBody = true
        let text = try await answer(response)
        #expect(text.hasPrefix("HTTP/1.1 200"))
        #expect(text.hasSuffix(length == nil ? "\r\n\r\n0\r\n\r\n" : "\r\n\r\n"))
    }

    // A balancer repeats a request without a response, but not one with a head.
    @Test(arguments: [true, false])
    func `a head that waits is not sent if the body fails before its first byte`(waits: Bool) async throws {
        var response = ListenerResponse(stream: HTTPBody(ListSource([], failing: true)), length: 11)
        response.headWaitsForBody = waits
        #expect(try await answer(response).isEmpty == waits)
    }

    @Test func `a large body arrives whole`() async throws {
        let body = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let listener = try Listener(answer: { _ in .now(ListenerResponse(body: body)) })
        let (data, _) = try await URLSession(configuration: .ephemeral).data(from: listener.url)
        #expect(data == body)
    }

    @Test func `a field that cannot be sent becomes an error that names it`() async throws {
        let text = try await answer(ListenerResponse(fields: ["X-Bad": "a\r\nInjected: yes"]))
        #expect(text.hasPrefix("HTTP/1.1 500"))
        #expect(text.contains("X-Bad"))
        #expect(!text.contains("Injected"))
    }

    @Test(arguments: [200, 204, 304])
    func `an error in place of a response has its own framing`(status: Int) async throws {
        let bad = ListenerResponse(status: status, fields: ["X-Bad": "a\r\nb"])
        let listener = try Listener(answer: { _ in .now(bad) })
        for method in ["HEAD", "GET"] {
            let client = try RawClient(port: listener.port)
            try client.send("\(method) / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            let parts = await client.receive().components(separatedBy: "\r\n\r\n")
            let body = "The response has a field that cannot be sent: X-Bad\n"
            #expect(parts.first?.contains("Content-Length: \(body.utf8.count)") == true, "\(method)")
            #expect(parts.last == (method == "GET" ? body : ""), "\(method)")
        }
    }

    @Test func `a status that is none becomes an error that names it`() async throws {
        let text = try await answer(ListenerResponse(status: 42))
        #expect(text.hasPrefix("HTTP/1.1 500"))
        #expect(text.contains("the status 42"))
    }

    @Test func `a dropped connection says nothing`() async throws {
        #expect(try await answer(.drop).isEmpty)
        #expect(try await answer(.drop, later: true).isEmpty)
    }

    @Test func `closing the connection is announced`() async throws {
        var response = ListenerResponse(body: Data("bye".utf8))
        response.closesConnection = true
        let listener = try Listener(answer: { [response] _ in .now(response) })
        let client = try RawClient(port: listener.port)
        try client.get("/")
        let text = await client.receive()
        #expect(text.lowercased().contains("connection: close\r\n"))
    }
}

/// A body of available pieces, with a failure on request.
private final class CountedSource: HTTPBodySource {
    private let left: Locked<Int>
    private let size: Int
    private let asked: Locked<Int>

    init(chunks: Int, of size: Int, _ asked: Locked<Int>) {
        left = Locked(chunks)
        self.size = size
        self.asked = asked
    }

    func next() async throws(TransportError) -> Data? {
        asked.withLock { $0 += 1 }
        let isOver = left.withLock { left in
            left -= 1
            return left < 0
        }
        return isOver ? nil : Data(repeating: 0x61, count: size)
    }
}

private final class ListSource: HTTPBodySource {
    private let rest: Locked<ArraySlice<String>>
    private let failing: Bool

    init(_ pieces: [String], failing: Bool = false) {
        rest = Locked(pieces[...])
        self.failing = failing
    }

    func next() async throws(TransportError) -> Data? {
        if let piece = rest.withLock({ $0.popFirst() }) { return Data(piece.utf8) }
        if failing { throw TransportError(.connectionLost, "no more") }
        return nil
    }
}
