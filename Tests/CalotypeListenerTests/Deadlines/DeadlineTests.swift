import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import TestSupport
import Foundation
import Testing
import Waiting

@testable import CalotypeListener

/// Clients that take too long, over real connections and with a clock that the test moves.
@Suite(.timeLimit(.minutes(2))) struct DeadlineTests {
    private let time = Locked<UInt64>(0)
    private let outcomes = Locked<[Listener.Outcome]>([])
    private let cuts = Locked<[Listener.Cut]>([])

    private var options: Listener.Options {
        var options = Listener.Options()
        options.clock = { [time] in time.withLock { $0 } }
        options.onEnd = { [outcomes] _, outcome in outcomes.withLock { $0.append(outcome) } }
        options.onCut = { [cuts] _, cut in cuts.withLock { $0.append(cut) } }
        return options
    }

    private func pass(_ seconds: UInt64, _ listener: Listener) {
        time.withLock { $0 += seconds * 1_000_000_000 }
        listener.timeHasChanged()
    }

    /// Advances the clock in small steps until the work is done.
    private func pass<Result: Sendable>(_ listener: Listener, until work: Task<Result, Never>) async -> Result {
        let isDone = Locked(false)
        let watcher = Task {
            let result = await work.value
            isDone.withLock { $0 = true }
            return result
        }
        await waitUntil {
            pass(1, listener)
            return isDone.withLock { $0 }
        }
        // Ends the work of a test that has failed.
        if Task.isCancelled { listener.stop() }
        return await watcher.value
    }

    @Test func `half a head is answered 408`() async throws {
        var options = options
        options.threads = 1
        let listener = try Listener(options: options, answer: { _ in .now(ListenerResponse(body: Data("done".utf8))) })
        let client = try RawClient(port: listener.port)
        try client.send("GET / HTTP/1.1\r\nHost")
        // The thread that answers the second client reads what the first has sent before it looks at the clock again.
        let other = try RawClient(port: listener.port)
        try other.get("/")
        #expect(await other.receive(until: "done").hasPrefix("HTTP/1.1 200 "))
        let text = await pass(listener, until: Task { await client.receive() })
        #expect(text.hasPrefix("HTTP/1.1 408 "))
        #expect(text.contains("\r\nConnection: close\r\n"))
    }

    @Test func `half a head behind an answer is answered 408`() async throws {
        let listener = try Listener(options: options, answer: { _ in .now(ListenerResponse(body: Data("done".utf8))) })
        let client = try RawClient(port: listener.port)
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HT")
        _ = await client.receive(until: "done")
        let text = await pass(listener, until: Task { await client.receive() })
        #expect(text.hasPrefix("HTTP/1.1 408 "))
        #expect(text.contains("\r\nConnection: close\r\n"))
    }

    @Test func `a connection without a request is closed without a word`() async throws {
        let listener = try Listener(options: options, answer: { _ in .now(ListenerResponse(body: Data("done".utf8))) })
        let (silent, idle) = (try RawClient(port: listener.port), try RawClient(port: listener.port))
        try idle.get("/")
        _ = await idle.receive(until: "done")
        #expect(await pass(listener, until: Task { await silent.receive() + idle.receive() }).isEmpty)
    }

    @Test func `a client may wait for its handler for as long as that takes`() async throws {
        let gate = Gate()
        let listener = try Listener(options: options) { _ in
            await gate.wait()
            return ListenerResponse(body: Data("done".utf8))
        }
        let client = try RawClient(port: listener.port)
        try client.get("/")
        await gate.waitForWaiters(1)
        for _ in 0..<100 { pass(100, listener) }
        gate.open()
        #expect(await client.receive(until: "done").hasPrefix("HTTP/1.1 200"))
    }

    @Test(arguments: [false, true])
    func `a body of a byte a second is answered 408, and its handler is cancelled`(_ streams: Bool) async throws {
        var options = options
        options.streamsBodies = streams
        let failed = Gate(isOpen: !streams)
        let listener = try Listener(options: options) { request in
            do throws(TransportError) { _ = try await request.upload?.collect() } catch { failed.open() }
            return ListenerResponse()
        }
        let client = try RawClient(port: listener.port)
        try client.get("/", method: "POST", lines: ["Content-Length: 1000"])
        try client.send("a")
        #expect(await pass(listener, until: Task { await client.receive() }).hasPrefix("HTTP/1.1 408 "))
        await failed.wait()
        #expect(outcomes.withLock { $0 } == (streams ? [.dropped] : []))
    }

    @Test func `a body of two kilobytes a second arrives whole`() async throws {
        var options = options
        options.streamsBodies = true
        let received = Watched(0)
        let listener = try Listener(options: options) { request in
            var chunks = request.upload?.makeAsyncIterator()
            while let chunk = try? await chunks?.next() { received.update { $0 += chunk.count } }
            return ListenerResponse(body: Data("done".utf8))
        }
        let client = try RawClient(port: listener.port)
        try client.get("/", method: "POST", lines: ["Content-Length: \(2048 * 100)"])
        for second in 1...100 {
            try client.send(Data(count: 2048))
            await received.wait { $0 >= 2048 * second }
            pass(1, listener)
        }
        #expect(await client.receive(until: "done").hasPrefix("HTTP/1.1 200"))
    }

    @Test func `an upload that waits for its handler is not late`() async throws {
        var options = options
        options.streamsBodies = true
        let gate = Gate()
        let listener = try Listener(options: options) { request in
            await gate.wait()
            return ListenerResponse(body: Data("\((try? await request.upload?.collect().count) ?? 0)".utf8))
        }
        let size = 4 << 20
        let client = try RawClient(port: listener.port)
        try client.get("/", method: "PUT", lines: ["Content-Length: \(size)", "Connection: close"])
        let sent = try client.sendWithoutWaiting(Data(count: size))
        for _ in 0..<100 { pass(10, listener) }
        gate.open()
        try client.send(Data(count: size - sent))
        #expect(await client.receive().hasSuffix("\r\n\r\n\(size)"))
    }

    @Test(arguments: [false, true])
    func `a client that reads nothing is closed`(_ streams: Bool) async throws {
        let body = Data(count: 30 << 20)
        let listener = try Listener(options: options) { _ in
            streams ? ListenerResponse(stream: HTTPBody(body)) : ListenerResponse(body: body)
        }
        let client = try RawClient(port: listener.port)
        try client.get("/")
        let cuts = cuts
        let ended = Task { await waitUntil { cuts.withLock { !$0.isEmpty } } }
        await pass(listener, until: ended)
        #expect(outcomes.withLock { $0 } == [.dropped])
        let cut = try #require(cuts.withLock { $0.first })
        #expect(cut.status == 200 && (1..<body.count).contains(cut.sentBytes) && cut.reason.contains("too slowly"))
        #expect(await client.receive().utf8.count < body.count)
    }

    @Test func `draining has an end though a client is stuck in its upload`() async throws {
        var options = options
        options.streamsBodies = true
        options.timeouts.body = nil
        let began = Gate()
        let listener = try Listener(options: options) { request in
            began.open()
            _ = try? await request.upload?.collect()
            return ListenerResponse()
        }
        let client = try RawClient(port: listener.port)
        try client.get("/", method: "POST", lines: ["Content-Length: 10"])
        await began.wait()
        await pass(listener, until: Task { await listener.drain() })
        listener.stop()
        #expect(await client.receive().isEmpty)
    }

    // MARK: Room for others

    @Test(arguments: [1, 3], ["GET / HTTP/1.1\r\nHo", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc"])
    func `when connections run out those that wait for a request give way`(threads: Int, half: String) async throws {
        var options = options
        options.threads = threads
        options.connectionLimit = 12
        let listener = try Listener(options: options, answer: { _ in .now(ListenerResponse(body: Data("done".utf8))) })
        let slow = try (0..<40).map { _ in
            let client = try RawClient(port: listener.port)
            try client.send(half)
            return client
        }
        let good = try RawClient(port: listener.port)
        try good.get("/")
        let answer = Task { await good.receive(until: "done") }
        #expect(await pass(listener, until: answer).hasPrefix("HTTP/1.1 200"))
        #expect(listener.openConnections <= 12)
        withExtendedLifetime(slow) {}
    }

    // The listener used to keep each for 5 s, and a new client waited for the first of them to end.
    @Test(arguments: [1, 3])
    func `connections that were refused give way at once, and the clock need not move`(threads: Int) async throws {
        var options = options
        options.threads = threads
        options.connectionLimit = 12
        let listener = try Listener(options: options, answer: { _ in .now(ListenerResponse(body: Data("done".utf8))) })
        var refused: [RawClient] = []
        for _ in 0..<40 {
            let client = try RawClient(port: listener.port)
            try client.send("GET / HTTP/1.1\r\nHost : a\r\n\r\n")
            #expect(await client.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 400"))
            refused.append(client)
        }
        let good = try RawClient(port: listener.port)
        try good.get("/")
        #expect(await good.receive(until: "done").hasPrefix("HTTP/1.1 200"))
        #expect(listener.openConnections <= 12)
        withExtendedLifetime(refused) {}
    }

    @Test func `a refused connection lingers for a quarter of a second where others wait`() async throws {
        var options = options
        options.connectionLimit = 8
        let listener = try Listener(options: options, answer: { _ in .now(ListenerResponse(body: Data("done".utf8))) })
        let busy = try (0..<6).map { _ in try RawClient(port: listener.port) }
        for client in busy {
            try client.get("/")
            _ = await client.receive(until: "done")
        }
        let refused = try RawClient(port: listener.port)
        try refused.send("GET / HTTP/1.1\r\nHost : a\r\n\r\n")
        #expect(await refused.receive().hasPrefix("HTTP/1.1 400"))
        #expect(listener.openConnections == 7)
        time.withLock { $0 += 400_000_000 }
        listener.timeHasChanged()
        await waitUntil { listener.openConnections <= 6 }
        withExtendedLifetime((busy, refused)) {}
    }

    // Each exchange that waited for its socket used to give way: a third of the good answers were cut.
    @Test(arguments: [1, 3])
    func `at the limit readers of large answers keep their places, and the newcomer waits`(threads: Int) async throws {
        var options = options
        (options.threads, options.connectionLimit) = (threads, 12)
        let listener = try Listener(options: options, answer: { [large] _ in .now(ListenerResponse(body: large)) })
        let readers = try await readers(12, of: listener)
        let newcomer = try RawClient(port: listener.port)
        try newcomer.get("/", lines: ["Connection: close"])
        for _ in 0...threads { await listener.pulse() }
        for reader in readers { #expect(await reader.bytes() >= large.count) }
        #expect(await newcomer.receive().utf8.count >= large.count)
        #expect(outcomes.withLock { $0 } == Array(repeating: .complete, count: 13))
    }

    // The limit was divided by the threads: those with many clients closed good ones below it.
    @Test(arguments: [(7, true), (8, false)])
    func `exchanges beyond their limit crowd the listener, whichever thread has them`(
        limit: Int, isCrowded: Bool
    ) async throws {
        var options = options
        (options.threads, options.slowExchangeLimit) = (4, limit)
        let listener = try Listener(options: options, answer: { [large] _ in .now(ListenerResponse(body: large)) })
        let readers = try await readers(8, of: listener)
        await listener.pulse()
        #expect(listener.running.core.isCrowded == isCrowded)
        pass(30, listener)
        for reader in readers { #expect(await reader.bytes() >= large.count) }
        #expect(!listener.running.core.isCrowded)
    }

    @Test(arguments: [(4, 4), (8, 7), (12, 11), (1024, 896)])
    func `a listener is crowded when an eighth of its connections is left`(limit: Int, connections: Int) async throws {
        var options = options
        options.connectionLimit = limit
        let listener = try Listener(options: options, answer: { _ in .now(ListenerResponse()) })
        let core = listener.running.core
        for _ in 1..<connections { core.loops[0].connectionWasGiven() }
        #expect(!core.isCrowded)
        core.loops[0].connectionWasGiven()
        #expect(core.isCrowded)
    }

    /// A body that no socket's buffers hold.
    private let large = Data(count: 2 << 20)

    /// A client that has received the beginning of its answer.
    private struct Reader {
        let client: RawClient
        let begun: Int

        func bytes() async -> Int { begun + (await client.receive().utf8.count) }
    }

    private func readers(_ count: Int, of listener: Listener) async throws -> [Reader] {
        let clients = try (0..<count).map { _ in
            let client = try RawClient(port: listener.port)
            try client.get("/", lines: ["Connection: close"])
            return client
        }
        var readers: [Reader] = []
        for client in clients { readers.append(Reader(client: client, begun: await client.receiveOnce().utf8.count)) }
        return readers
    }
}
