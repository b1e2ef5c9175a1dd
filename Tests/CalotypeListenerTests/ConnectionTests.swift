import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import TestSupport
import Foundation
import Glibc
import Testing

@testable import CalotypeListener

/// The life of a connection, and the order of events on it (RFC 9112 §9).
@Suite struct ConnectionTests {
    private func listener(_ options: Listener.Options = .init()) throws -> Listener {
        try Listener(options: options, answer: { .now(ListenerResponse(body: Data("<\($0.target)>".utf8))) })
    }

    // MARK: HTTP/1.0

    @Test func `HTTP 1.0 keeps the connection only if asked, and is told so`() async throws {
        let listener = try listener()
        let client = try RawClient(port: listener.port)
        for _ in 0..<2 {
            try client.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(await client.receive(until: "</a>").contains("\r\nConnection: keep-alive\r\n"))
        }
        try client.send("GET /b HTTP/1.0\r\n\r\n")
        let last = await client.receive()
        #expect(last.contains("\r\nConnection: close\r\n"))
        #expect(last.hasSuffix("</b>"))
    }

    @Test func `HTTP 1.0 gets a body of unknown length up to the end of its connection`() async throws {
        let listener = try Listener(answer: { _ in .now(ListenerResponse(stream: HTTPBody(Data("hello".utf8)))) })
        let client = try RawClient(port: listener.port)
        try client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        let text = await client.receive()
        #expect(!text.contains("chunked"))
        #expect(text.contains("\r\nConnection: close\r\n"))
        #expect(text.hasSuffix("\r\n\r\nhello"))
    }

    // MARK: One after the other

    @Test(arguments: [false, true])
    func `a thousand requests in one piece are answered in order`(later: Bool) async throws {
        let listener = try Listener(answer: { request in
            let response = ListenerResponse(body: Data("<\(request.target)>".utf8))
            return later ? .later { response } : .now(response)
        })
        let client = try RawClient(port: listener.port)
        try client.send((1...1000).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
        let text = await client.receive(until: "</1000>")
        let order = text.components(separatedBy: "</").dropFirst().map { $0.prefix { $0 != ">" } }
        #expect(order == (1...1000).map { Substring("\($0)") })
    }

    @Test func `head and body leave in one piece`() async throws {
        let body = String(repeating: "x", count: 20_000)
        let listener = try Listener(answer: { _ in .now(ListenerResponse(body: Data(body.utf8))) })
        let client = try RawClient(port: listener.port)
        for _ in 0..<100 {
            try client.get("/")
            #expect(await client.receiveOnce().hasSuffix("\r\n\r\n" + body))
        }
    }

    @Test func `an empty line between requests is forgiven`() async throws {
        let listener = try listener()
        let client = try RawClient(port: listener.port)
        for _ in 0..<2 {
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n\r\n")
            #expect(await client.receive(until: "</>").hasPrefix("HTTP/1.1 200"))
        }
    }

    // MARK: Answers before the body

    private func streaming(_ answer: @escaping @Sendable (ListenerRequest) -> ListenerAnswer) throws -> Listener {
        var options = Listener.Options()
        options.streamsBodies = true
        return try Listener(options: options, answer: answer)
    }

    @Test(arguments: [false, true])
    func `an answer does not wait for the rest of its request's body`(later: Bool) async throws {
        let listener = try streaming { _ in
            let response = ListenerResponse(status: 403, body: Data("no".utf8))
            return later ? .later { response } : .now(response)
        }
        let client = try RawClient(port: listener.port)
        for _ in 0..<3 {
            try client.get("/", method: "POST", lines: ["Content-Length: 10"])
            #expect(await client.receive(until: "no").hasPrefix("HTTP/1.1 403"))
            try client.send("0123456789")
        }
        #expect(listener.openConnections == 1)
    }

    @Test func `an answer in place of 100 ends the connection, as the body may come or not`() async throws {
        let seen = Locked<[String]>([])
        let listener = try streaming { request in
            seen.withLock { $0.append(request.target) }
            return .now(ListenerResponse(status: 403))
        }
        let client = try RawClient(port: listener.port)
        let hidden = "GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n"
        try client.get(
            "/", method: "POST", lines: ["Content-Length: \(hidden.utf8.count)", "Expect: 100-continue"])
        let head = await client.receive(until: "\r\n\r\n")
        try? client.send(hidden)
        #expect(head.hasPrefix("HTTP/1.1 403 "))
        #expect(head.contains("\r\nConnection: close\r\n"))
        #expect(await client.receive().isEmpty)
        #expect(seen.withLock { $0 } == ["/"])
    }

    @Test func `no 100 comes before a 413`() async throws {
        var options = Listener.Options()
        options.bodyLimit = 10
        let listener = try listener(options)
        let client = try RawClient(port: listener.port)
        try client.get("/", method: "POST", lines: ["Content-Length: 11", "Expect: 100-continue"])
        #expect(await client.receive().hasPrefix("HTTP/1.1 413 "))
    }

    @Test func `a body that breaks the rules of chunks ends its upload with an error, and is answered 400`()
        async throws
    {
        let (errors, continuation) = AsyncStream.makeStream(of: TransportError.self)
        let listener = try streaming { request in
            .later {
                do throws(TransportError) { _ = try await request.upload?.collect() } catch {
                    continuation.yield(error)
                }
                return ListenerResponse()
            }
        }
        let client = try RawClient(port: listener.port)
        try client.get("/", method: "POST", lines: ["Transfer-Encoding: chunked"])
        try client.send("3\r\nabc\r\nx\r\n")
        #expect(await client.receive().hasPrefix("HTTP/1.1 400 "))
        #expect(await errors.first { _ in true }?.code == .connectionLost)
    }

    // MARK: Clients that send no more

    @Test func `a client that only stops sending gets the answer that is ready`() async throws {
        let body = String(repeating: "x", count: 8_000_000)
        let listener = try Listener(answer: { _ in .now(ListenerResponse(body: Data(body.utf8))) })
        let client = try RawClient(port: listener.port)
        try client.get("/")
        client.endSending()
        #expect(await client.receive().hasSuffix("\r\n\r\n" + body))
    }

    @Test func `a handler is cancelled when its client stops sending`() async throws {
        let (gate, cancelled) = (Gate(), Gate())
        let listener = try Listener { _ in
            await gate.wait()
            if Task.isCancelled { cancelled.open() }
            return ListenerResponse()
        }
        let client = try RawClient(port: listener.port)
        try client.get("/")
        await gate.waitForWaiters(1)
        client.endSending()
        await cancelled.wait()
        #expect(await client.receive().isEmpty)
    }

    @Test func `a client that leaves while its upload is held up is noticed`() async throws {
        let (gate, cancelled) = (Gate(), Gate())
        let listener = try streaming { request in
            .later {
                await gate.wait()
                if Task.isCancelled { cancelled.open() }
                return ListenerResponse(body: Data("\(request.upload == nil)".utf8))
            }
        }
        let client = try RawClient(port: listener.port)
        try client.get("/", method: "POST", lines: ["Content-Length: 10000000"])
        await gate.waitForWaiters(1)
        // More than the handler's buffer, but no more than the kernel buffers in addition: the end has to arrive.
        try client.send(Data(count: 150_000))
        client.leave()
        await cancelled.wait()
    }

    // MARK: Many

    @Test func `the accepting thread keeps eight connections before it deals evenly`() async throws {
        let threads = Locked<[UInt: Int]>([:])
        let listener = try Listener(
            options: .init(threads: 3),
            answer: { _ in
                threads.withLock { $0[UInt(pthread_self()), default: 0] += 1 }
                return .now(ListenerResponse(body: Data("done".utf8)))
            })
        let clients = try (0..<14).map { _ in try RawClient(port: listener.port) }
        for client in clients {
            try client.get("/")
            _ = await client.receive(until: "done")
        }
        #expect(threads.withLock { $0.values.sorted() } == [3, 3, 8])
    }

    @Test func `connections beyond the limit wait until one ends`() async throws {
        var options = Listener.Options()
        options.connectionLimit = 2
        let listener = try listener(options)
        let first = try (0..<2).map { _ in try RawClient(port: listener.port) }
        for client in first {
            try client.get("/")
            _ = await client.receive(until: "</>")
        }
        let third = try RawClient(port: listener.port)
        try third.get("/third")
        try first[0].get("/again")
        _ = await first[0].receive(until: "</again>")
        #expect(listener.openConnections == 2)
        first[1].leave()
        #expect(await third.receive(until: "</third>").hasPrefix("HTTP/1.1 200"))
    }

    // A lost error left a connection without events.
    @Test func `a descriptor that cannot be watched is reported`() throws {
        let epoll = try Epoll()
        let (file, socket) = (open(#filePath, O_RDONLY), Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        defer { for descriptor in [file, socket] { close(descriptor) } }
        // The queue is no value that `#expect` could copy.
        let isWatched = [
            epoll.add(file, .input, key: 5), epoll.change(socket, .input, key: 5), epoll.add(socket, .input, key: 5),
            epoll.change(socket, [], key: 5),
        ]
        #expect(isWatched == [false, false, true, true])
    }

    @Test func `a client that has much to say does not keep others waiting`() async throws {
        let listener = try listener()
        let busy = try RawClient(port: listener.port)
        // Never read: the listener has to continue without it.
        let requests = Data(String(repeating: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", count: 200_000).utf8)
        _ = try busy.sendWithoutWaiting(requests)
        let other = try RawClient(port: listener.port)
        try other.get("/other")
        #expect(await other.receive(until: "</other>").hasPrefix("HTTP/1.1 200"))
    }
}
