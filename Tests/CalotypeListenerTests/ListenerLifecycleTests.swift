import CalotypeBase
import CalotypeHTTP
@testable import CalotypeListener
import CalotypeTesting
import TestSupport
import Foundation
import FoundationNetworking
import Testing

@Suite struct ListenerLifecycleTests {
    private let hello = ListenerResponse(body: Data("hello".utf8))

    // MARK: Many requests

    @Test(arguments: [false, true])
    func `a thousand requests go over one connection`(later: Bool) async throws {
        let listener = try Listener(answer: { [hello] _ in later ? .later { hello } : .now(hello) })
        let client = try RawClient(port: listener.port)
        for _ in 0..<1000 {
            try client.get("/")
            #expect(await client.receive(until: "\r\n\r\nhello").hasPrefix("HTTP/1.1 200"))
        }
        #expect(listener.openConnections == 1)
    }

    @Test(arguments: [1, 3])
    func `many clients are served at once, each in order`(threads: Int) async throws {
        let listener = try Listener(options: .init(threads: threads)) { request in
            if request.path.hasSuffix("3") { await Task.yield() }
            return ListenerResponse(body: Data("<\(request.target)>".utf8))
        }
        let wrong = Locked(0)
        let clients = (0..<20).map { name in
            Task {
                let client = try RawClient(port: listener.port)
                for index in 0..<50 {
                    try client.get("/\(name)/\(index)")
                    let text = await client.receive(until: "</\(name)/\(index)>")
                    if !text.hasPrefix("HTTP/1.1 200") { wrong.withLock { $0 += 1 } }
                }
            }
        }
        for client in clients { try await client.value }
        #expect(wrong.withLock { $0 } == 0)
    }

    @Test func `requests sent ahead are answered in order`() async throws {
        let listener = try Listener { request in ListenerResponse(body: Data(request.target.utf8)) }
        let client = try RawClient(port: listener.port)
        try client.send((1...5).map { "GET /\($0) HTTP/1.1\r\nHost: test\r\n\r\n" }.joined())
        let text = await client.receive(until: "/5")
        let order = text.split(separator: "\r\n\r\n").dropFirst().map { $0.prefix(2) }
        #expect(order == ["/1", "/2", "/3", "/4", "/5"])
    }

    // The threads lost their names when all threads came to start in one place.
    @Test func `the listener's threads have names, by which debuggers and top tell them apart`() async throws {
        let listener = try Listener(answer: { _ in
            .now(ListenerResponse(body: FileManager.default.contents(atPath: "/proc/thread-self/comm") ?? Data()))
        })
        let client = try RawClient(port: listener.port)
        try client.get("/")
        #expect(await client.receive(until: "calotype-io-0\n").hasSuffix("\r\n\r\ncalotype-io-0\n"))
    }

    // MARK: Back-pressure

    @Test func `a stream is not read faster than the client takes it`() async throws {
        let pulled = Locked(0)
        let ended = Gate()
        let listener = try Listener(answer: { _ in
            .now(ListenerResponse(stream: HTTPBody(EndlessSource(pulled: pulled, ended: ended))))
        })
        let client = try RawClient(port: listener.port)
        try client.get("/")
        _ = await client.receive(count: 1 << 20)
        client.leave()
        await ended.wait()
        // The kernel's buffers on both sides, with a margin: far less than an endless source delivers.
        #expect(pulled.withLock { $0 } < 1024)
    }

    // MARK: Ends

    @Test func `a handler is cancelled when its client leaves`() async throws {
        let gate = Gate()
        let outcomes = OutcomeLog()
        let cancelled = Gate()
        let listener = try Listener(options: outcomes.options) { [hello] _ in
            await gate.wait()
            if Task.isCancelled { cancelled.open() }
            return hello
        }
        let client = try RawClient(port: listener.port)
        try client.get("/")
        await gate.waitForWaiters(1)
        client.leave()
        #expect(await outcomes.next() == .clientLeft)
        await cancelled.wait()
    }

    @Test func `every request's end is told once`() async throws {
        let outcomes = OutcomeLog()
        let listener = try Listener(options: outcomes.options) { [hello] request in
            request.path == "/drop" ? .drop : hello
        }
        for path in ["/", "/drop", "/"] {
            let client = try RawClient(port: listener.port)
            try client.get(path, lines: ["Connection: close"])
            _ = await client.receive()
        }
        #expect(await outcomes.next() == .complete)
        #expect(await outcomes.next() == .dropped)
        #expect(await outcomes.next() == .complete)
    }

    @Test(arguments: [1, 2])
    func `stopping ends all that is suspended, before and in the body`(threads: Int) async throws {
        let gate = Gate()
        let listener = try Listener(options: .init(threads: threads)) { [hello] request in
            if request.path == "/body" { return ListenerResponse(stream: HTTPBody(HeldSource(gate))) }
            await gate.wait()
            return hello
        }
        let clients = try (0..<40).map { index in
            let client = try RawClient(port: listener.port)
            try client.get(index.isMultiple(of: 2) ? "/head" : "/body")
            return client
        }
        await gate.waitForWaiters(40)
        listener.stop()
        listener.stop()
        for client in clients { #expect(!(await client.receive().contains("hello"))) }
        #expect(listener.openConnections == 0)
        #expect(gate.waiting == 0)
        #expect(throws: RawClient.Failure.self) { try RawClient(port: listener.port) }
    }

    @Test func `stopping while requests come in neither hangs nor crashes`() async throws {
        for _ in 0..<20 {
            let started = Gate()
            let listener = try Listener { [hello] _ in
                started.open()
                await Task.yield()
                return hello
            }
            let clients = (0..<4).map { _ in
                Task {
                    while let client = try? RawClient(port: listener.port) {
                        guard (try? client.get("/")) != nil else { return }
                        guard await client.receive(until: "hello").hasSuffix("hello") else { return }
                    }
                }
            }
            await started.wait()
            listener.stop()
            for client in clients { await client.value }
        }
    }

    @Test func `a handler may stop its own listener`() async throws {
        let listener = Locked<Listener?>(nil)
        let started = try Listener(answer: { [hello] _ in
            listener.withLock { $0 }?.stop()
            return .now(hello)
        })
        listener.withLock { $0 = started }
        let client = try RawClient(port: started.port)
        try client.get("/")
        #expect(!(await client.receive().contains("HTTP/1.1 5")))
        listener.withLock { $0 = nil }
    }

    @Test func `letting go of the listener stops it`() async throws {
        var listener: Listener? = try Listener(answer: { [hello] _ in .now(hello) })
        let port = try #require(listener?.port)
        listener = nil
        #expect(throws: RawClient.Failure.self) { try RawClient(port: port) }
    }

    // MARK: Starting

    @Test func `a port in use is an error that says so`() throws {
        let listener = try Listener(answer: { [hello] _ in .now(hello) })
        let error = #expect(throws: ListenerError.self) {
            try Listener(options: .init(port: listener.port), answer: { [hello] _ in .now(hello) })
        }
        #expect(error?.code == .cannotListen)
        #expect(error?.message == "cannot listen on 127.0.0.1 port \(listener.port): Address already in use")
    }

    @Test func `an option out of range is named`() {
        let error = #expect(throws: ListenerError.self) {
            try Listener(options: .init(threads: 0), answer: { [hello] _ in .now(hello) })
        }
        #expect(error?.message == "threads is 0, but must be from 1 to 256")
        #expect(throws: ListenerError.self) {
            try Listener(options: .init(host: "nowhere"), answer: { [hello] _ in .now(hello) })
        }
    }

    @Test(arguments: [("localhost", "127.0.0.1"), ("127.0.0.1", "127.0.0.1"), ("::1", "[::1]")])
    func `its URL names the host and the port`(host: String, inURL: String) throws {
        let listener = try Listener(options: .init(host: host), answer: { [hello] _ in .now(hello) })
        #expect(listener.url.absoluteString == "http://\(inURL):\(listener.port)")
    }
}

/// Records outcomes in their order.
private final class OutcomeLog: Sendable {
    private let stream: AsyncStream<Listener.Outcome>
    private let continuation: AsyncStream<Listener.Outcome>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    var options: Listener.Options {
        var options = Listener.Options()
        options.onEnd = { [continuation] _, outcome in continuation.yield(outcome) }
        return options
    }

    func next() async -> Listener.Outcome? {
        await stream.first { _ in true }
    }
}

/// Delivers chunks of 64 KiB without end, counts them, and reports its release.
private final class EndlessSource: HTTPBodySource {
    private let pulled: Locked<Int>
    private let ended: Gate

    init(pulled: Locked<Int>, ended: Gate) {
        self.pulled = pulled
        self.ended = ended
    }

    deinit { ended.open() }

    func next() async throws(TransportError) -> Data? {
        pulled.withLock { $0 += 1 }
        return Data(repeating: 0x61, count: 64 << 10)
    }
}

/// A body that never delivers a chunk.
private final class HeldSource: HTTPBodySource {
    private let gate: Gate

    init(_ gate: Gate) { self.gate = gate }

    func next() async throws(TransportError) -> Data? {
        await gate.wait()
        throw .cancelled
    }
}
