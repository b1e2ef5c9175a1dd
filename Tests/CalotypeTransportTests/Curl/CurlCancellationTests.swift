import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeTransport

struct CurlCancellationTests {
    let origin: OriginServer
    let transport = CurlTransport()
    let gate = Gate()

    init() throws {
        origin = try OriginServer()
        origin.on("/held", .ok(noise(1000)).held(by: gate))
        origin.on("/half", .ok(noise(100_000)).bodyHeld(by: gate, after: 500))
    }

    @Test(.requirement("B13")) func `cancelling ends the download, the server sees the client go`() async {
        let load = start(transport, HTTPRequest(origin.url("/half")))
        await origin.waitForRequests(1)
        load.cancel()
        #expect(await load.value.error?.code == .cancelled)
        await origin.waitForDisconnects(1)
        gate.open()
    }

    @Test(.requirement("B14")) func `cancelled before it starts, nothing goes out`() async {
        let hold = Gate()
        let transport = transport
        let request = HTTPRequest(origin.url("/held"))
        let load = Task {
            await hold.wait()
            return await transport.failure(request)
        }
        load.cancel()
        hold.open()
        #expect(await load.value?.code == .cancelled)
        #expect(origin.requestCount() == 0)
    }

    @Test func `Cancelled while it is submitted, nothing goes out`() async throws {
        let request = HTTPRequest(origin.url("/late"))
        let loop = CurlLoop(options: CurlTransport.Options())
        loop.start()
        let exchange = CurlExchange(request, origin: try HTTPOrigin(request.url), priority: nil, loop: loop)
        // The order on curl's thread when the cancellation overtakes the submission.
        exchange.cancel()
        #expect(loop.submit(exchange) == nil)
        await waitUntil { loop.load == (0, 0) }
        loop.shutDown()
        #expect(origin.requestCount() == 0)
    }

    @Test(.requirement("B16")) func `after a cancelled request the same one is a fresh load`() async throws {
        let load = start(transport, HTTPRequest(origin.url("/held")))
        await origin.waitForRequests(1)
        load.cancel()
        _ = await load.value
        gate.open()
        #expect(try await transport.body(origin.url("/held")) == noise(1000))
        #expect(origin.requestCount("/held") == 2)
    }

    @Test(.requirement("B17")) func `nothing is delivered after cancelling returned`() async throws {
        let response = try await transport.get(origin.url("/half"))
        var body = response.body.makeAsyncIterator()
        _ = try await body.next()
        let box = Box(body)
        let reading = Task { await box.next() }
        reading.cancel()
        #expect(await reading.value.error?.code == .cancelled)
        gate.open()
        #expect(await box.next().error?.code == .cancelled)
    }

    @Test(.requirement("B18")) func `cancelled at any moment, a request ends exactly once, 100 times`() async {
        gate.open()
        for round in 0..<100 {
            let load = start(transport, HTTPRequest(origin.url("/half")))
            for _ in 0..<round % 10 { await Task.yield() }
            load.cancel()
            switch await load.value {
            case .success(let body): #expect(body == noise(100_000))
            case .failure(let error): #expect(error.code == .cancelled)
            }
        }
    }

    @Test(.requirement("B19")) func `what is cancelled in the queue never runs`() async {
        var options = CurlTransport.Options()
        options.connectionsPerHost = 1
        let transport = CurlTransport(options: options)
        let first = start(transport, HTTPRequest(origin.url("/held")))
        await origin.waitForRequests(1)
        let second = start(transport, HTTPRequest(origin.url("/second")))
        let third = start(transport, HTTPRequest(origin.url("/third")))
        second.cancel()
        #expect(await second.value.error?.code == .cancelled)
        gate.open()
        _ = await (first.value, third.value)
        #expect(origin.requestCount("/second") == 0)
        #expect(origin.requestCount("/third") == 1)
    }

    @Test func `letting go of a body ends its transfer`() async throws {
        var response: HTTPResponse? = try await transport.get(origin.url("/half"))
        #expect(response?.status == 200)
        response = nil
        await origin.waitForDisconnects(1)
        gate.open()
    }

    @Test(.requirement("B25")) func `shutting down cancels all, and later requests fail at once`() async {
        let loads = (0..<8).map { _ in start(transport, HTTPRequest(origin.url("/held"))) }
        await origin.waitForRequests(6)
        transport.shutDown()
        for load in loads { #expect(await load.value.error?.code == .cancelled) }
        #expect(await transport.failure(origin.url("/held"))?.code == .cancelled)
        gate.open()
    }

    @Test func `a body outlives the variable that held its transport`() async throws {
        gate.open()
        var transport: CurlTransport? = CurlTransport()
        let response = try await transport?.get(origin.url("/half"))
        transport = nil
        #expect(try await response?.body.collect() == noise(100_000))
    }
}

/// Lets a test read a body from one task after the other.
private actor Box {
    private var body: HTTPBody.Iterator
    init(_ body: HTTPBody.Iterator) { self.body = body }

    func next() async -> Result<Data?, TransportError> {
        var body = body
        do throws(TransportError) {
            return .success(try await body.next())
        } catch {
            return .failure(error)
        }
    }
}
