import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Requirements
import Testing

struct RateLimitTests {
    let clock = ManualClock()
    let fake = FakeTransport(body: Data("a".utf8))
    let transport: any Transport
    let url: URL

    init() throws {
        transport = fake.rateLimited(perSecond: 10, burst: 3, queueLimit: 5, clock: clock)
        url = try #require(URL(string: "http://example.org/a"))
    }

    @Test(.requirement("B55")) func `a burst passes at once, what follows at the steady rate`() async {
        for _ in 0..<3 { #expect(await transport.failure(url) == nil) }
        let loads = [start(transport, HTTPRequest(url)), start(transport, HTTPRequest(url))]
        await clock.waitForSleepers(1)
        #expect(fake.requestCount == 3)
        clock.advance(by: .milliseconds(100))
        await fake.waitForRequests(4)
        await clock.waitForSleepers(1)
        #expect(fake.requestCount == 4)
        clock.advance(by: .milliseconds(100))
        for load in loads { #expect(await load.value.error == nil) }
    }

    @Test(.requirement("B55")) func `postponed and cancelled work takes no token`() async {
        for _ in 0..<3 { _ = await transport.failure(url) }
        let cancelled = (0..<3).map { _ in start(transport, HTTPRequest(url)) }
        await clock.waitForSleepers(1)
        for load in cancelled { load.cancel() }
        for load in cancelled { #expect(await load.value.error?.code == .cancelled) }
        clock.advance(by: .milliseconds(300))
        for _ in 0..<3 { #expect(await transport.failure(url) == nil) }
        #expect(fake.requestCount == 6)
    }

    @Test func `a rest fills the bucket up to the burst and no further`() async {
        for _ in 0..<3 { _ = await transport.failure(url) }
        clock.advance(by: .seconds(3600))
        for _ in 0..<3 { _ = await transport.failure(url) }
        let fourth = start(transport, HTTPRequest(url))
        await clock.waitForSleepers(1)
        #expect(fake.requestCount == 6)
        fourth.cancel()
        #expect(await fourth.value.error?.code == .cancelled)
    }

    @Test func `a full queue refuses one more`() async {
        let full = fake.rateLimited(perSecond: 1, burst: 1, queueLimit: 0, clock: clock)
        #expect(await full.failure(url) == nil)
        #expect(await full.failure(url)?.code == .overloaded)
    }

    @Test(.requirement("B14")) func `cancelled before it starts, nothing goes out and no token is used`() async {
        let gate = Gate()
        let (transport, url) = (transport, url)
        let load = Task {
            await gate.wait()
            return await transport.failure(url)
        }
        load.cancel()
        gate.open()
        #expect(await load.value?.code == .cancelled)
        #expect(fake.requestCount == 0)
    }
}
