import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Testing

/// Exchanges that share the deadline of their request.
struct ExchangeDeadlineTests {
    private let clock = ManualClock()

    private func request(_ limit: Duration) throws -> HTTPRequest {
        var request = HTTPRequest(try #require(URL(string: "http://example.com/a")))
        request.deadline = RequestDeadline(limit, clock: clock)
        return request
    }

    @Test func `each redirect has the time that the earlier ones have left, and none begins after the deadline`()
        async throws
    {
        let base = FakeTransport { [clock] request throws(TransportError) in
            clock.advance(by: .seconds(4))
            return HTTPResponse(url: request.url, status: 302, fields: ["Location": "/b"])
        }
        let transport = base.endingAtDeadline().followingRedirects()
        #expect(await transport.failure(try request(.seconds(10)))?.code == .timedOut)
        #expect(base.requests.map(\.timeouts.total) == [.seconds(10), .seconds(6), .seconds(2)])
    }

    @Test func `a shorter total timeout stays`() async throws {
        let base = FakeTransport(body: Data())
        var request = try request(.seconds(10))
        request.timeouts.total = .seconds(3)
        #expect(await base.endingAtDeadline().failure(request) == nil)
        request.deadline = nil
        request.timeouts.total = nil
        #expect(await base.endingAtDeadline().failure(request) == nil)
        #expect(base.requests.map(\.timeouts.total) == [.seconds(3), nil])
    }

    @Test func `a request with a deadline is not sent again after a timeout`() async throws {
        let base = FakeTransport(failing: .timedOut)
        let transport = base.endingAtDeadline().retried(clock: clock)
        #expect(await transport.failure(try request(.seconds(10)))?.code == .timedOut)
        #expect(base.requests.count == 1)
    }

    @Test func `a retry has the time that is left, and none waits for a pause beyond the deadline`() async throws {
        let base = FakeTransport(failing: TransportError(.connectionLost, "lost"))
        let transport = base.endingAtDeadline().retried(clock: clock, jitter: { 1 })
        let load = start(transport, try request(.milliseconds(1200)))
        await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(500))
        // The second pause, of a second, would end after the deadline.
        #expect(await load.value.error?.code == .connectionLost)
        #expect(base.requests.map(\.timeouts.total) == [.milliseconds(1200), .milliseconds(700)])
    }
}
