import CalotypeBase
import CalotypeHTTP
import CalotypeListener
import CalotypeTesting
import TestSupport
import Foundation
import Testing
import Waiting

/// Request bodies handed over as they arrive, interim responses, and orderly ends of connections.
@Suite struct StreamedUploadTests {
    private var streaming: Listener.Options {
        var options = Listener.Options()
        options.streamsBodies = true
        options.bodyLimit = 1 << 40
        return options
    }

    @Test func `the handler has the first bytes while the client still holds the rest`() async throws {
        let gotFirst = Gate()
        let seen = Locked("")
        let listener = try Listener(options: streaming) { request in
            var chunks = request.upload?.makeAsyncIterator()
            while let chunk = try? await chunks?.next() {
                let text = seen.withLock { seen in
                    seen += String(decoding: chunk, as: UTF8.self)
                    return seen
                }
                if text == "abc" { gotFirst.open() }
            }
            return ListenerResponse(body: Data("done".utf8))
        }
        let client = try RawClient(port: listener.port)
        try client.get("/", method: "POST", lines: ["Content-Length: 6"])
        try client.send("abc")
        await gotFirst.wait()
        try client.send("def")
        #expect(await client.receive(until: "done").hasPrefix("HTTP/1.1 200"))
        #expect(seen.withLock { $0 } == "abcdef")
    }

    @Test(arguments: [true, false])
    func `a large body arrives whole`(isChunked: Bool) async throws {
        let listener = try Listener(options: streaming) { request in
            let body = try? await request.upload?.collect()
            let isRight = body?.enumerated().allSatisfy { $1 == UInt8(truncatingIfNeeded: $0 &* 7) }
            return ListenerResponse(body: Data("\(body?.count ?? 0) \(isRight ?? false)".utf8))
        }
        let body = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let client = try RawClient(port: listener.port)
        let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(body.count)"
        try client.get("/", method: "PUT", lines: [framing, "Connection: close"])
        try client.send(isChunked ? Data("2dc6c0\r\n".utf8) + body + Data("\r\n0\r\n\r\n".utf8) : body)
        #expect(await client.receive().hasSuffix("3000000 true"))
    }

    @Test func `a client is not read faster than the handler reads`() async throws {
        let gate = Gate()
        let listener = try Listener(options: streaming) { request in
            await gate.wait()
            return ListenerResponse(body: Data("\((try? await request.upload?.collect().count) ?? 0)".utf8))
        }
        let size = 64 << 20
        let client = try RawClient(port: listener.port)
        try client.get("/", method: "PUT", lines: ["Content-Length: \(size)", "Connection: close"])
        let taken = try client.sendWithoutWaiting(Data(count: size))
        // The kernel's buffers on both sides and 128 KiB of the listener's.
        #expect(taken < size / 2)
        gate.open()
        try client.send(Data(count: size - taken))
        #expect(await client.receive().hasSuffix("\r\n\r\n\(size)"))
    }

    @Test func `a body whose last byte is the last that may wait has its end`() async throws {
        var options = streaming
        options.threads = 1
        let gate = Gate()
        let listener = try Listener(
            options: options,
            answer: { request in
                if request.path == "/now" { return .now(ListenerResponse(body: Data("now".utf8))) }
                return .later {
                    await gate.wait()
                    return ListenerResponse(body: Data("\((try? await request.upload?.collect().count) ?? 0)".utf8))
                }
            })
        let client = try RawClient(port: listener.port)
        try client.get("/", method: "PUT", lines: ["Content-Length: \(128 << 10)", "Connection: close"])
        try client.send(Data(count: 128 << 10))
        // The thread of both clients has read the body by then.
        let other = try RawClient(port: listener.port)
        for _ in 0..<10 {
            try other.get("/now")
            #expect(await other.receive(until: "now").hasPrefix("HTTP/1.1 200"))
        }
        gate.open()
        #expect(await client.receive().hasSuffix("\r\n\r\n\(128 << 10)"))
    }

    @Test func `a body that nobody reads is thrown away, and the connection is in step`() async throws {
        let listener = try Listener(
            options: streaming,
            answer: { request in
                request.path == "/now"
                    ? .now(ListenerResponse(body: Data("now".utf8)))
                    : .later { ListenerResponse(body: Data("later".utf8)) }
            })
        let client = try RawClient(port: listener.port)
        for _ in 0..<3 {
            for path in ["now", "later"] {
                try client.get("/\(path)", method: "POST", lines: ["Content-Length: 500000"])
                try client.send(Data(count: 500_000))
                #expect(await client.receive(until: "\r\n\r\n\(path)").hasPrefix("HTTP/1.1 200"))
            }
        }
        #expect(listener.openConnections == 1)
    }

    @Test(arguments: ["Content-Length: 10", "Transfer-Encoding: chunked"])
    func `a body that breaks off is an error`(framing: String) async throws {
        let (errors, continuation) = AsyncStream.makeStream(of: TransportError.self)
        let listener = try Listener(options: streaming) { request in
            do throws(TransportError) { _ = try await request.upload?.collect() } catch { continuation.yield(error) }
            return ListenerResponse()
        }
        let client = try RawClient(port: listener.port)
        try client.get("/", method: "POST", lines: [framing])
        try client.send("3\r\nabc")
        client.leave()
        #expect(await errors.first { _ in true }.map { [.connectionLost, .cancelled].contains($0.code) } == true)
    }

    @Test func `a request without a body is handed over as ever`() async throws {
        let uploads = Locked(0)
        let listener = try Listener(options: streaming) { request in
            if request.upload != nil { uploads.withLock { $0 += 1 } }
            return ListenerResponse(body: Data("done".utf8))
        }
        let client = try RawClient(port: listener.port)
        try client.get("/", lines: ["Content-Length: 0"])
        #expect(await client.receive(until: "done").hasPrefix("HTTP/1.1 200"))
        #expect(uploads.withLock { $0 } == 0)
    }

    // MARK: Interim responses

    @Test func `an interim response is there before the answer`() async throws {
        let gate = Gate()
        let listener = try Listener(answer: { _ in
            .laterWithInterim { interim in
                interim.send(status: 103, fields: ["Link": "</a>; rel=preload"])
                await gate.wait()
                return ListenerResponse(body: Data("done".utf8))
            }
        })
        let client = try RawClient(port: listener.port)
        try client.get("/", lines: ["Connection: close"])
        let head = await client.receive(until: "\r\n\r\n")
        #expect(head == "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n")
        gate.open()
        #expect(await client.receive().hasPrefix("HTTP/1.1 200"))
    }

    @Test func `interim responses come behind 100, and before the request's body has come`() async throws {
        let sent = Gate()
        let listener = try Listener(
            options: streaming,
            answer: { request in
                .laterWithInterim { interim in
                    interim.send(status: 103)
                    sent.open()
                    _ = try? await request.upload?.collect()
                    return ListenerResponse(body: Data("done".utf8))
                }
            })
        let client = try RawClient(port: listener.port)
        try client.get("/", method: "POST", lines: ["Content-Length: 3", "Expect: 100-continue", "Connection: close"])
        await sent.wait()
        try client.send("abc")
        let text = await client.receive()
        #expect(text.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200"))
    }

    @Test func `HTTP 1.0 gets no interim response, and no 100`() async throws {
        let listener = try Listener(
            options: streaming,
            answer: { request in
                .laterWithInterim { interim in
                    interim.send(status: 103)
                    return ListenerResponse(body: (try? await request.upload?.collect()) ?? Data())
                }
            })
        let client = try RawClient(port: listener.port)
        try client.send("POST / HTTP/1.0\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabc")
        let text = await client.receive()
        #expect(text.hasPrefix("HTTP/1.1 200") && text.hasSuffix("\r\n\r\nabc"))
    }

    @Test(arguments: [100, 101, 200, 404])
    func `what is no interim response is not sent as one`(status: Int) async throws {
        let listener = try Listener(answer: { _ in
            .laterWithInterim { interim in
                interim.send(status: status)
                interim.send(status: 103, fields: ["X-A": "a\r\nX-B: b"])
                return ListenerResponse()
            }
        })
        let client = try RawClient(port: listener.port)
        try client.get("/", lines: ["Connection: close"])
        #expect(await client.receive().hasPrefix("HTTP/1.1 200"))
    }

    /// The exchange that delivers the body retains the proxy's observer: each would retain the other.
    @Test(.timeLimit(.minutes(1))) func `who may send interim responses does not keep the answer's body`() async throws
    {
        let responders = Locked([InterimResponder]())
        let isGone = Gate()
        let listener = try Listener(answer: { _ in
            .laterWithInterim { interim in
                responders.withLock { $0.append(interim) }
                return ListenerResponse(stream: HTTPBody(BodyWithEnd(isGone)))
            }
        })
        let client = try RawClient(port: listener.port)
        try client.get("/", lines: ["Connection: close"])
        #expect(await client.receive().hasPrefix("HTTP/1.1 200"))
        await isGone.wait()
        #expect(responders.withLock { $0.count } == 1)
    }

    // MARK: The end

    @Test func `draining lets what is in flight finish, and takes nobody new`() async throws {
        let gate = Gate()
        let listener = try Listener { _ in
            await gate.wait()
            return ListenerResponse(body: Data("done".utf8))
        }
        let client = try RawClient(port: listener.port)
        try client.get("/")
        await gate.waitForWaiters(1)
        let (started, continuation) = AsyncStream.makeStream(of: Void.self)
        let drain = Task {
            continuation.yield()
            await listener.drain()
        }
        _ = await started.first { _ in true }
        gate.open()
        #expect(await client.receive(until: "done").hasPrefix("HTTP/1.1 200"))
        await drain.value
        #expect(throws: RawClient.Failure.self) { try RawClient(port: listener.port) }
        listener.stop()
    }

    @Test func `draining a second time waits for what is in flight, too`() async throws {
        let gate = Gate()
        let isAnswered = Locked(false)
        let listener = try Listener { _ in
            await gate.wait()
            isAnswered.withLock { $0 = true }
            return ListenerResponse(body: Data("done".utf8))
        }
        let client = try RawClient(port: listener.port)
        try client.get("/")
        await gate.waitForWaiters(1)
        let (started, continuation) = AsyncStream.makeStream(of: Void.self)
        let drains = (0..<2).map { _ in
            Task {
                continuation.yield()
                await listener.drain()
                return isAnswered.withLock { $0 }
            }
        }
        for await _ in started.prefix(2) {}
        gate.open()
        for drain in drains { #expect(await drain.value) }
        listener.stop()
    }

    @Test func `draining waits for no idle client and for no deadline`() async throws {
        var options = Listener.Options()
        options.timeouts = .none
        let listener = try Listener(options: options) { _ in ListenerResponse(body: Data("done".utf8)) }
        let client = try RawClient(port: listener.port)
        try client.get("/")
        #expect(await client.receive(until: "done").hasPrefix("HTTP/1.1 200"))
        let isOver = Locked(false)
        Task {
            await listener.drain()
            isOver.withLock { $0 = true }
        }
        await waitUntil { isOver.withLock { $0 } }
        #expect(listener.openConnections == 1)
        #expect(throws: RawClient.Failure.self) { try RawClient(port: listener.port) }
        listener.stop()
    }

    @Test func `the client's address is told`() async throws {
        let seen = Locked<String?>(nil)
        let listener = try Listener(answer: { request in
            seen.withLock { $0 = request.client?.description }
            return .now(ListenerResponse())
        })
        let client = try RawClient(port: listener.port)
        try client.get("/", lines: ["Connection: close"])
        _ = await client.receive()
        #expect(seen.withLock { $0 } == "127.0.0.1")
    }
}

/// An empty body. Opens a gate when its last reference is gone.
private final class BodyWithEnd: HTTPBodySource {
    private let isGone: Gate

    init(_ isGone: Gate) { self.isGone = isGone }

    deinit { isGone.open() }

    func next() async throws(TransportError) -> Data? { nil }
}
