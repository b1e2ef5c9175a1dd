import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing
import Waiting

@testable import CalotypeTransport

/// Slots of transfers whose servers send nothing, and of transfers that have ended unread.
@Suite(.timeLimit(.minutes(1))) struct SilentServerTests {
    private let origin: OriginServer
    private let gate = Gate()

    init() throws {
        origin = try OriginServer()
        origin.onAny { [gate] request in
            let reply = OriginReply.ok(Data(request.path.utf8))
            return request.path.hasPrefix("/silent") ? reply.held(by: gate) : reply
        }
    }

    private func transport(_ change: (inout CurlTransport.Options) -> Void = { _ in }) -> CurlTransport {
        var options = CurlTransport.Options()
        options.silentLimit = 256
        options.silence = .milliseconds(40)
        change(&options)
        return CurlTransport(options: options)
    }

    private func startSilent(_ count: Int, _ transport: CurlTransport) -> [Task<Result<Data, TransportError>, Never>] {
        (0..<count).map { start(transport, HTTPRequest(origin.url("/silent\($0)"))) }
    }

    // Each used to keep its connection for the idle timeout, 15 s by default.
    @Test(arguments: [(1, 12), (6, 12), (6, 100)])
    func `requests without an answer do not hold up one to the same origin`(perHost: Int, count: Int) async throws {
        let transport = transport { $0.connectionsPerHost = perHost }
        let silent = startSilent(count, transport)
        // Silent ones may have lent their slots to others before the last task has begun.
        await waitUntil { transport.load.waiting + transport.load.inFlight == count }
        #expect(try await transport.body(origin.url("/good")) == Data("/good".utf8))
        await origin.waitForRequests(count + 1)
        gate.open()
        for load in silent { #expect(await load.value.error == nil) }
        await waitUntil { transport.load == (0, 0) }
    }

    @Test func `one slot and one connection per host are enough for a good answer behind a silent one`() async throws {
        let transport = transport { ($0.transferLimit, $0.connectionsPerHost) = (1, 1) }
        let silent = startSilent(3, transport)
        #expect(try await transport.body(origin.url("/good")) == Data("/good".utf8))
        gate.open()
        for load in silent { #expect(await load.value.error == nil) }
    }

    @Test func `a server that falls silent in the middle of a body holds up no other request`() async throws {
        origin.on("/silent-body", OriginReply.ok(noise(100_000)).bodyHeld(by: gate, after: 10))
        let transport = transport { $0.transferLimit = 1 }
        let held = start(transport, HTTPRequest(origin.url("/silent-body")))
        await origin.waitForRequests(1)
        #expect(try await transport.body(origin.url("/good")) == Data("/good".utf8))
        gate.open()
        #expect(await held.value == .success(noise(100_000)))
        #expect(try await transport.body(origin.url("/good")) == Data("/good".utf8))
    }

    @Test func `without room to lend, the others wait in the queue, and no slot is lost`() async throws {
        let transport = transport { ($0.transferLimit, $0.silentLimit) = (1, 2) }
        let silent = startSilent(4, transport)
        // One of the two slots that can be lent is for another origin.
        await origin.waitForRequests(2)
        gate.open()
        for load in silent { #expect(await load.value.error == nil) }
        #expect(try await transport.body(origin.url("/good")) == Data("/good".utf8))
    }

    @Test func `a transfer that has ended keeps its slot until the task has taken its bytes`() async throws {
        origin.on("/slow", OriginReply.ok(noise(100_000)).bodyHeld(by: gate, after: 10))
        let transport = transport { ($0.transferLimit, $0.silentLimit, $0.keepsPlaces) = (1, 0, true) }
        let response = try await transport.send(HTTPRequest(origin.url("/slow")))
        gate.open()
        await waitUntil { transport.load.inFlight == 0 }
        let next = start(transport, HTTPRequest(origin.url("/next")))
        await waitUntil { transport.load.waiting > 0 }
        #expect(origin.requestCount("/next") == 0)
        #expect(try await response.body.collect() == noise(100_000))
        #expect(await next.value == .success(Data("/next".utf8)))
    }

    @Test func `a response that is released unread, or an exchange that fails, keeps no slot`() async throws {
        origin.on("/slow", OriginReply.ok(noise(100_000)).bodyHeld(by: gate, after: 10))
        origin.on("/reset", OriginReply.ok(Data()).resetImmediately())
        let transport = transport { ($0.transferLimit, $0.silentLimit, $0.keepsPlaces) = (1, 0, true) }
        do { _ = try await transport.send(HTTPRequest(origin.url("/slow"))) }
        #expect(await transport.failure(origin.url("/reset"))?.code == .connectionLost)
        let cancelled = start(transport, HTTPRequest(origin.url("/silent")))
        await origin.waitForRequests(1, path: "/silent")
        cancelled.cancel()
        #expect(try await transport.body(origin.url("/good")) == Data("/good".utf8))
    }

    // A cancellation in the turn in which its transfer ended used to leave the slot in a table, for ever.
    @Test func `10,000 requests, half of them cancelled at any moment, return every slot`() async {
        let transport = transport { ($0.transferLimit, $0.connectionsPerHost, $0.keepsPlaces) = (8, 6, true) }
        await withTaskGroup { group in
            for worker in 0..<16 {
                group.addTask {
                    var random = SplitMix(seed: UInt64(worker))
                    for number in 0..<625 {
                        let load = start(transport, HTTPRequest(origin.url("/\(number)")))
                        if Bool.random(using: &random) {
                            for _ in 0..<Int.random(in: 0..<60, using: &random) { await Task.yield() }
                            load.cancel()
                        }
                        let result = await load.value
                        #expect(result == .success(Data("/\(number)".utf8)) || result.error?.code == .cancelled)
                    }
                }
            }
        }
        await waitUntil { transport.load == (0, 0) && transport.slots.inUse == 0 }
        #expect(!transport.isStuck(after: .zero))
    }

    @Test func `slots that ended transfers never return are noticed`() async throws {
        origin.on("/slow", OriginReply.ok(noise(100_000)).bodyHeld(by: gate, after: 10))
        let transport = transport { ($0.connectionsPerHost, $0.silentLimit, $0.keepsPlaces) = (2, 0, true) }
        let first = try await transport.send(HTTPRequest(origin.url("/slow")))
        let second = try await transport.send(HTTPRequest(origin.url("/slow")))
        #expect(transport.slots.inUse == 2)
        #expect(!transport.isStuck(after: .zero), "two transfers in flight may still end")
        gate.open()
        await waitUntil { transport.isStuck(after: .zero) }
        #expect(!transport.isStuck(after: .seconds(3600)))
        #expect(try await first.body.collect() == noise(100_000))
        await waitUntil { transport.slots.inUse == 1 }
        #expect(!transport.isStuck(after: .zero))
        #expect(try await second.body.collect() == noise(100_000))
        await waitUntil { transport.slots.inUse == 0 }
    }

    @Test func `requests begin at the rate, and while there is room for their bodies`() async throws {
        let room = Room()
        let transport = transport { options in
            options.admission = TransferLimits(
                transfers: 8, queue: 8, perSecond: 0.001, burst: 2, silence: .seconds(2),
                mayBegin: { room.mayBegin($0) })
        }
        let first = start(transport, HTTPRequest(origin.url("/first")))
        await waitUntil { transport.load.waiting > 0 }
        #expect(origin.requestCount() == 0)
        room.open()
        #expect(await first.value == .success(Data("/first".utf8)))
        #expect(try await transport.body(origin.url("/second")) == Data("/second".utf8))
        // The tokens are used up for a quarter of an hour.
        let third = start(transport, HTTPRequest(origin.url("/third")))
        await waitUntil { transport.load.waiting > 0 }
        third.cancel()
        #expect(await third.value.error?.code == .cancelled)
        #expect(origin.requestCount() == 2)
    }
}

/// A condition that a test makes true.
private final class Room: Sendable {
    private let state = Locked((isOpen: false, wake: (@Sendable () -> Void)?.none))

    func mayBegin(_ wake: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if !state.isOpen { state.wake = wake }
            return state.isOpen
        }
    }

    func open() {
        let wake = state.withLock { state in
            state.isOpen = true
            return state.wake
        }
        wake?()
    }
}

extension Result<Data, TransportError> {
    fileprivate static func == (left: Self, right: Self) -> Bool { (try? left.get()) == (try? right.get()) }
}
