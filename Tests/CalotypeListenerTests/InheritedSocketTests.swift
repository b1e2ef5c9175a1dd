@testable import CalotypeListener
import CalotypeTesting
import TestSupport
import Foundation
import Glibc
import Testing

/// Listening sockets that a service manager opens, keeps, and passes to one process after the other.
@Suite final class InheritedSocketTests {
    private let socket: Int32
    private let port: Int

    init() throws {
        let bound = try boundSocket()
        (socket, port) = (bound.socket, Int(bound.port))
        listen(socket, 256)
    }

    deinit { close(socket) }

    /// Starts a listener on a duplicate, as the next process of a service would.
    private func listener(
        threads: Int = 1, _ answer: @escaping @Sendable (ListenerRequest) async -> ListenerResponse
    ) throws -> Listener {
        var options = Listener.Options(threads: threads)
        options.socket = try InheritedSocket(dup(socket))
        return try Listener(options: options, handler: answer)
    }

    @Test func `the listener serves the clients of a socket that another process has opened`() async throws {
        let listener = try listener { _ in ListenerResponse(body: Data("hello".utf8)) }
        #expect(listener.port == port && listener.url.absoluteString == "http://127.0.0.1:\(port)")
        let client = try RawClient(port: port)
        try client.get("/", lines: ["Connection: close"])
        #expect(await client.receive().hasSuffix("hello"))
    }

    @Test(arguments: [1, 3])
    func `clients that connect between two listeners are answered by the second`(threads: Int) async throws {
        try listener { _ in .drop }.stop()
        let clients = try (0..<200).map { _ in try RawClient(port: port) }
        for client in clients { try client.get("/", lines: ["Connection: close"]) }
        let second = try listener(threads: threads) { _ in ListenerResponse(body: Data("second".utf8)) }
        for client in clients { #expect(await client.receive().hasSuffix("second")) }
        second.stop()
    }

    // A client that had been given to another thread was cut if the listener drained before that thread read the request.
    @Test(arguments: [1, 3])
    func `no client of a restart is cut, whichever thread has it`(threads: Int) async throws {
        for _ in 0..<20 {
            let clients = try (0..<200).map { _ in try RawClient(port: port) }
            for client in clients { try client.get("/", lines: ["Connection: close"]) }
            for _ in 0..<3 {
                let listener = try listener(threads: threads) { _ in ListenerResponse(body: Data("done".utf8)) }
                await listener.pulse()
                await listener.drain()
                listener.stop()
            }
            let last = try listener(threads: threads) { _ in ListenerResponse(body: Data("done".utf8)) }
            for client in clients { #expect(await client.receive().hasSuffix("done")) }
            last.stop()
        }
    }

    @Test func `a listener that drains leaves new clients to the next one`() async throws {
        let gate = Gate()
        let first = try listener { _ in
            await gate.wait()
            return ListenerResponse(body: Data("first".utf8))
        }
        let early = try RawClient(port: port)
        try early.get("/")
        await gate.waitForWaiters(1)
        let drained = Task { await first.drain() }
        // The listening socket is closed once a thread has handled the message of `drain`.
        repeat { await first.pulse() } while listens(first)
        let late = try RawClient(port: port)
        try late.get("/", lines: ["Connection: close"])
        await first.pulse()
        #expect(first.openConnections == 1)
        gate.open()
        #expect(await early.receive().hasSuffix("first"))
        await drained.value
        first.stop()
        let second = try listener { _ in ListenerResponse(body: Data("second".utf8)) }
        #expect(await late.receive().hasSuffix("second"))
        second.stop()
    }

    private func listens(_ listener: Listener) -> Bool { !listener.isDraining }

    @Test func `a pulse passes through the thread of a handler that hangs, and returns afterwards`() async throws {
        let release = DispatchSemaphore(value: 0)
        let events = Log<String>()
        let entered = Gate()
        let listener = try Listener(answer: { _ in
            entered.open()
            release.wait()
            events.add("handled")
            return .now(ListenerResponse())
        })
        let client = try RawClient(port: listener.port)
        try client.get("/")
        await entered.wait()
        let pulse = Task {
            await listener.pulse()
            events.add("pulse")
        }
        release.signal()
        await pulse.value
        #expect(events.entries == ["handled", "pulse"])
        listener.stop()
        // A listener that has stopped keeps nobody waiting.
        await listener.pulse()
    }

    @Test func `a descriptor that is no listening TCP socket is refused with the reason`() throws {
        func reason(_ descriptor: Int32) -> String? {
            let error = #expect(throws: ListenerError.self) { try InheritedSocket(descriptor) }
            return error?.message
        }
        let (file, unbound) = (open("/dev/null", O_RDONLY), try boundSocket().socket)
        let datagrams = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        let local = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { for descriptor in [file, unbound, datagrams, local] { close(descriptor) } }
        #expect(reason(file) == "descriptor \(file) is no socket")
        #expect(reason(unbound) == "descriptor \(unbound) is a socket that does not listen")
        #expect(reason(datagrams) == "descriptor \(datagrams) is no TCP socket")
        #expect(reason(local) == "descriptor \(local) is no TCP socket")
        #expect(reason(10_000) == "descriptor 10000 is not open")
    }
}

extension Listener {
    fileprivate var isDraining: Bool { running.core.isDraining }
}
