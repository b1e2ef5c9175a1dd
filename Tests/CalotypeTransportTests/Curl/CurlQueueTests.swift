import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Requirements
import Testing
import Waiting

/// The order of requests when not all can start.
struct CurlQueueTests {
    let origin: OriginServer
    let gate = Gate()

    init() throws {
        origin = try OriginServer()
        origin.onAny { [gate] _ in OriginReply.ok(Data("a".utf8)).held(by: gate) }
    }

    private func transport(perHost: Int = 1, total: Int = 128, queue: Int = 1000) -> CurlTransport {
        var options = CurlTransport.Options()
        options.connectionsPerHost = perHost
        options.transferLimit = total
        options.queueLimit = queue
        return CurlTransport(options: options)
    }

    private func start(
        _ transport: CurlTransport, _ path: String, _ priority: DynamicPriority
    ) -> Task<Result<Data, TransportError>, Never> {
        let request = HTTPRequest(origin.url(path))
        return DynamicPriority.$current.withValue(priority) { CalotypeTransportTests.start(transport, request) }
    }

    private func waitUntil(_ transport: CurlTransport, hasWaiting count: Int) async {
        await Waiting.waitUntil { transport.load.waiting >= count }
    }

    @Test(.requirement("D4.14")) func `one host gets six connections, and the rest wait`() async {
        let transport = CurlTransport()
        let loads = (0..<20).map { start(transport, "/\($0)", DynamicPriority()) }
        await waitUntil(transport, hasWaiting: 14)
        await origin.waitForRequests(6)
        #expect(transport.load.inFlight == 6)
        gate.open()
        for load in loads { #expect(await load.value.error == nil) }
        #expect(origin.peakConcurrency == 6)
        #expect(origin.openConnections <= 6)
    }

    @Test func `another host is not held up by one that is full`() async throws {
        let other = try OriginServer()
        other.onAny { _ in .ok(Data("b".utf8)) }
        let transport = transport()
        let loads = (0..<5).map { start(transport, "/\($0)", DynamicPriority(.veryHigh)) }
        await waitUntil(transport, hasWaiting: 4)
        #expect(try await transport.body(other.url("/b")) == Data("b".utf8))
        gate.open()
        for load in loads { _ = await load.value }
    }

    @Test func `the global limit holds across hosts`() async throws {
        let other = try OriginServer()
        other.onAny { [gate] _ in OriginReply.ok(Data("b".utf8)).held(by: gate) }
        let transport = transport(perHost: 6, total: 3)
        let loads = (0..<10).map {
            CalotypeTransportTests.start(transport, HTTPRequest(($0 % 2 == 0 ? origin : other).url("/\($0)")))
        }
        await waitUntil(transport, hasWaiting: 7)
        #expect(transport.load.inFlight == 3)
        gate.open()
        for load in loads { #expect(await load.value.error == nil) }
        #expect(transport.load.waiting == 0)
    }

    @Test(.requirement("B22")) func `raising a priority moves what waits, lowering it moves it back`() async {
        let transport = transport()
        let first = start(transport, "/first", DynamicPriority())
        await origin.waitForRequests(1)
        let priorities = [DynamicPriority(.low), DynamicPriority(), DynamicPriority(.high), DynamicPriority(.high)]
        var loads: [Task<Result<Data, TransportError>, Never>] = []
        for (index, priority) in priorities.enumerated() {
            loads.append(start(transport, "/\(index)", priority))
            await waitUntil(transport, hasWaiting: index + 1)
        }
        priorities[0].value = .veryHigh
        priorities[2].value = .veryLow
        gate.open()
        for load in [first] + loads { _ = await load.value }
        #expect(origin.requests.map(\.path) == ["/first", "/0", "/3", "/1", "/2"])
    }

    @Test(.requirement("B23")) func `of several changes the last one counts`() async {
        let transport = transport()
        let first = start(transport, "/first", DynamicPriority())
        await origin.waitForRequests(1)
        let moved = DynamicPriority(.low)
        let loads = [start(transport, "/moved", moved), start(transport, "/other", DynamicPriority())]
        await waitUntil(transport, hasWaiting: 2)
        for round in 0..<100 { moved.value = round % 2 == 0 ? .veryHigh : .veryLow }
        gate.open()
        for load in [first] + loads { _ = await load.value }
        #expect(origin.requests.map(\.path) == ["/first", "/other", "/moved"])
    }

    @Test func `a full queue refuses one more, and says so`() async {
        let transport = transport(queue: 2)
        let first = start(transport, "/first", DynamicPriority())
        await origin.waitForRequests(1)
        let waiting = [start(transport, "/a", DynamicPriority()), start(transport, "/b", DynamicPriority())]
        await waitUntil(transport, hasWaiting: 2)
        #expect(await transport.failure(origin.url("/c"))?.code == .overloaded)
        gate.open()
        for load in [first] + waiting { #expect(await load.value.error == nil) }
    }

    @Test(.requirement("B24")) func `nothing is left behind by requests that ended in any way`() async throws {
        let transport = transport(perHost: 2)
        let loads = (0..<50).map { start(transport, "/\($0)", DynamicPriority()) }
        await waitUntil(transport, hasWaiting: 48)
        for load in loads.enumerated() where load.offset % 3 == 0 { load.element.cancel() }
        gate.open()
        for load in loads { _ = await load.value }
        _ = await transport.failure(try #require(URL(string: "http://127.0.0.1:1/")))
        await Waiting.waitUntil { transport.load == (0, 0) }
    }
}
