import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Requirements
import Testing

/// B56: count and pauses are honored, and a cancelled request is not retried.
struct RetryTests {
    let origin: OriginServer
    let clock = ManualClock()
    let transport: any Transport

    init() throws {
        origin = try OriginServer()
        transport = CurlTransport().retried(clock: clock, wallClock: clock.wall, jitter: { 1 })
    }

    private func retryAfter(_ value: ByteString, status: Int = 503) -> OriginReply {
        OriginReply(status: status, fields: ["Retry-After": value])
    }

    @Test(.requirement("B56")) func `after a failure it tries twice more, with pauses that double`() async {
        origin.on("/a", .status(503))
        let load = start(transport, HTTPRequest(origin.url("/a")))
        await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(499))
        #expect(clock.sleepers == 1)
        clock.advance(by: .milliseconds(1))
        await origin.waitForRequests(2)
        await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(1000))
        #expect(await load.value.error == nil)
        #expect(origin.requestCount() == 3)
    }

    @Test(arguments: [408, 429, 500, 502, 503, 504])
    func `a status that says "later" is tried again`(_ status: Int) async throws {
        origin.on("/a", replies: [.status(status), .ok(Data("good".utf8))])
        let load = start(transport, HTTPRequest(origin.url("/a")))
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(10))
        #expect(try await load.value.get() == Data("good".utf8))
    }

    @Test(arguments: [200, 301, 400, 401, 403, 404, 410, 501])
    func `any other status is an answer`(_ status: Int) async throws {
        origin.on("/a", .status(status))
        #expect(try await transport.get(origin.url("/a")).status == status)
        #expect(origin.requestCount() == 1)
    }

    // curl sends a request again by itself, up to five times: a refused HTTP/2 stream used to take 18 requests.
    @Test(arguments: [(RetryPolicy.twice, 3), (.never, 1)])
    func `refused HTTP/2 requests count as tries, whoever repeats them`(policy: RetryPolicy, count: Int) async throws {
        let server = try RefusingServer()
        var options = CurlTransport.Options()
        options.certificateAuthorities = server.certificate.path
        var policy = policy
        policy.firstPause = .zero
        let transport = CurlTransport(options: options).retried(policy)
        #expect(await transport.failure(try server.url("/a"))?.code == .connectionLost)
        #expect(server.requestCount == count)
        // Without the layer, curl may repeat a request once: the connection may have been dead all along.
        #expect(await CurlTransport(options: options).failure(try server.url("/a"))?.code == .connectionLost)
        #expect(server.requestCount == count + 2)
    }

    @Test(arguments: [(RetryPolicy.twice, 3), (.never, 1)])
    func `a kept connection that breaks takes no more tries than a new one`(policy: RetryPolicy, count: Int)
        async throws
    {
        origin.on("/good", .ok(Data("good".utf8)))
        origin.on("/a", .status(200).resetImmediately())
        var policy = policy
        policy.firstPause = .zero
        let transport = CurlTransport().retried(policy)
        #expect(try await transport.body(origin.url("/good")) == Data("good".utf8))
        #expect(await transport.failure(origin.url("/a"))?.code == .connectionLost)
        #expect(origin.requestCount("/a") == count)
    }

    @Test func `a lost connection is tried again`() async throws {
        origin.on("/a", replies: [.status(200).resetImmediately(), .ok(Data("good".utf8))])
        let load = start(transport, HTTPRequest(origin.url("/a")))
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(1))
        #expect(try await load.value.get() == Data("good".utf8))
    }

    @Test func `Retry-After in seconds is obeyed`() async throws {
        origin.on("/a", replies: [retryAfter("7"), .ok(Data("good".utf8))])
        let load = start(transport, HTTPRequest(origin.url("/a")))
        await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(6999))
        #expect(clock.sleepers == 1)
        clock.advance(by: .milliseconds(1))
        #expect(try await load.value.get() == Data("good".utf8))
    }

    @Test func `a pause is reported from its beginning to its end if the server asks for it`() async throws {
        let waits = Locked<[String]>([])
        var policy = RetryPolicy.twice
        policy.onRequestedPause = { pause in
            waits.withLock { $0.append("\(pause)") }
            return { waits.withLock { $0.append("end") } }
        }
        let transport = CurlTransport().retried(policy, clock: clock, wallClock: clock.wall, jitter: { 1 })
        origin.on("/a", replies: [retryAfter("7"), .status(503), .ok(Data("good".utf8))])
        let load = start(transport, HTTPRequest(origin.url("/a")))
        await clock.waitForSleepers(1)
        #expect(waits.withLock { $0 } == ["\(Duration.seconds(7))"])
        clock.advance(by: .seconds(7))
        await origin.waitForRequests(2)
        await clock.waitForSleepers(1)
        // The second pause is the layer's own.
        #expect(waits.withLock { $0 } == ["\(Duration.seconds(7))", "end"])
        load.cancel()
        _ = await load.value
        #expect(waits.withLock { $0.count } == 2)
        origin.on("/b", retryAfter("7"))
        let cancelled = start(transport, HTTPRequest(origin.url("/b")))
        await clock.waitForSleepers(1)
        cancelled.cancel()
        _ = await cancelled.value
        #expect(waits.withLock { $0.last } == "end" && waits.withLock { $0.count } == 4)
    }

    @Test func `Retry-After as a date is obeyed`() async throws {
        let date = HTTPDate.format(clock.wall.now + 20)
        origin.on("/a", replies: [retryAfter(date, status: 429), .ok(Data("good".utf8))])
        let load = start(transport, HTTPRequest(origin.url("/a")))
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(19))
        #expect(clock.sleepers == 1)
        clock.advance(by: .seconds(1))
        #expect(try await load.value.get() == Data("good".utf8))
    }

    @Test func `a server that asks for more patience than we have gets no other request`() async throws {
        origin.on("/a", retryAfter("61"))
        #expect(try await transport.get(origin.url("/a")).status == 503)
        #expect(origin.requestCount() == 1)
    }

    @Test(.requirement("B56")) func `a request cancelled in a pause ends at once and is not tried again`() async {
        origin.on("/a", .status(503))
        let load = start(transport, HTTPRequest(origin.url("/a")))
        await clock.waitForSleepers(1)
        load.cancel()
        #expect(await load.value.error?.code == .cancelled)
        #expect(origin.requestCount() == 1)
        #expect(clock.sleepers == 0)
    }

    @Test(.requirement("B56")) func `cancelling a request under way is no reason to try again`() async {
        let gate = Gate()
        origin.on("/a", OriginReply.status(503).held(by: gate))
        let load = start(transport, HTTPRequest(origin.url("/a")))
        await origin.waitForRequests(1)
        load.cancel()
        #expect(await load.value.error?.code == .cancelled)
        gate.open()
        #expect(origin.requestCount() == 1)
    }

    @Test func `a method that changes something is sent once`() async throws {
        origin.on("/a", .status(503))
        let response = try await transport.send(HTTPRequest(origin.url("/a"), method: .post, body: Data()))
        #expect(response.status == 503)
        #expect(origin.requestCount() == 1)
    }

    @Test func `errors that another try cannot mend end at once`() async throws {
        for code in [TransportError.Code.malformedURL, .tlsFailed, .malformedResponse, .overloaded, .other] {
            let fake = FakeTransport(failing: TransportError(code, "no"))
            let error = await fake.retried(clock: clock).failure(origin.url("/a"))
            #expect(error?.code == code)
            #expect(fake.requestCount == 1)
        }
    }

    @Test func `a timeout is tried again, but not past a total one`() {
        let policy = RetryPolicy.twice
        var request = HTTPRequest(origin.url("/a"))
        let outcome = Result<HTTPResponse, TransportError>.failure(.timedOut)
        #expect(policy.pause(after: outcome, of: request, tries: 1, jitter: 0, now: 0) == .milliseconds(250))
        request.timeouts.total = .seconds(5)
        #expect(policy.pause(after: outcome, of: request, tries: 1, jitter: 0, now: 0) == nil)
    }

    @Test func `pauses grow to a limit, and chance moves them by half`() {
        let policy = RetryPolicy(count: 40)
        let request = HTTPRequest(origin.url("/a"))
        let lost = Result<HTTPResponse, TransportError>.failure(TransportError(.connectionLost, "lost"))
        let pauses = [1, 2, 3, 6, 40].map { policy.pause(after: lost, of: request, tries: $0, jitter: 1, now: 0) }
        #expect(pauses == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(10), .seconds(10)])
        #expect(policy.pause(after: lost, of: request, tries: 2, jitter: 0, now: 0) == .milliseconds(500))
        #expect(policy.pause(after: lost, of: request, tries: 41, jitter: 0, now: 0) == nil)
    }
}
