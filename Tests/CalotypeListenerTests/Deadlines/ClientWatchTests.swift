import Testing

@testable import CalotypeListener

/// The waits that a client is allowed, and the forbidden ones.
@Suite struct ClientWatchTests {
    private func seconds(_ count: UInt64) -> UInt64 { count * 1_000_000_000 }

    private func verdict(
        _ watch: inout ClientWatch, at now: UInt64, acknowledged: Int = 0, crowded: Bool = false
    ) -> ClientWatch.Verdict {
        watch.verdict(acknowledged: { acknowledged }, isCrowded: crowded, now: seconds(now))
    }

    @Test func `a new connection has 20 s for its first head`() {
        var watch = ClientWatch(Deadlines(.init()), now: 0)
        #expect(watch.deadline == seconds(20))
        watch.waitForRequest(hasBytes: true, now: seconds(15))
        #expect(verdict(&watch, at: 19) == .patient)
        #expect(verdict(&watch, at: 20) == .lateHead)
    }

    @Test func `a new connection that says nothing is idle`() {
        var watch = ClientWatch(Deadlines(.init()), now: 0)
        watch.waitForRequest(hasBytes: false, now: 0)
        #expect(verdict(&watch, at: 20) == .idle)
    }

    @Test func `between requests there are 75 s, and 20 s for the next head from its first byte`() {
        var watch = ClientWatch(Deadlines(.init()), now: 0)
        watch.requestBegan(now: 0)
        watch.waitForRequest(hasBytes: false, now: seconds(100))
        #expect(verdict(&watch, at: 174) == .patient)
        watch.waitForRequest(hasBytes: true, now: seconds(174))
        watch.waitForRequest(hasBytes: true, now: seconds(190))
        #expect(verdict(&watch, at: 193) == .patient)
        #expect(verdict(&watch, at: 194) == .lateHead)
    }

    @Test func `after 75 s without a request the connection is idle`() {
        var watch = ClientWatch(Deadlines(.init()), now: 0)
        watch.requestBegan(now: 0)
        watch.waitForRequest(hasBytes: false, now: 0)
        #expect(verdict(&watch, at: 75) == .idle)
    }

    @Test func `a handler has all the time of the world`() {
        var watch = ClientWatch(Deadlines(.init()), now: 0)
        watch.requestBegan(now: 0)
        watch.waitInExchange(forBody: false, forReading: false, acknowledged: { 0 }, now: 0)
        #expect(watch.deadline == .max)
        #expect(verdict(&watch, at: 1_000_000) == .patient)
        #expect(!watch.isSlowExchange)
    }

    @Test(arguments: [(1, false), (499, false), (500, true), (2048, true)])
    func `a body has to come at 500 bytes a second`(bytes: Int, isFine: Bool) {
        var watch = ClientWatch(Deadlines(.init()), now: 0)
        watch.requestBegan(now: 0)
        for now in 0..<100 as Range<UInt64> {
            watch.waitInExchange(forBody: true, forReading: false, acknowledged: { 0 }, now: seconds(now))
            watch.received(bytes)
            let verdict = verdict(&watch, at: now + 1)
            #expect(verdict == (isFine || now < 29 ? .patient : .slowBody), "at \(now)")
        }
    }

    @Test func `the time in which we take no body does not count`() {
        var watch = ClientWatch(Deadlines(.init()), now: 0)
        watch.requestBegan(now: 0)
        watch.waitInExchange(forBody: true, forReading: false, acknowledged: { 0 }, now: 0)
        watch.waitInExchange(forBody: false, forReading: false, acknowledged: { 0 }, now: seconds(20))
        #expect(verdict(&watch, at: 1000) == .patient)
        watch.waitInExchange(forBody: true, forReading: false, acknowledged: { 0 }, now: seconds(1000))
        #expect(verdict(&watch, at: 1009) == .patient)
        #expect(verdict(&watch, at: 1010) == .slowBody)
    }

    @Test(arguments: [(0, false, false), (1, false, true), (1, true, false), (499, true, false), (500, true, true)])
    func `a reader has to read, and while others wait at 500 bytes a second`(
        bytes: Int, isCrowded: Bool, isFine: Bool
    ) {
        var watch = ClientWatch(Deadlines(.init()), now: 0)
        watch.requestBegan(now: 0)
        watch.waitInExchange(forBody: false, forReading: true, acknowledged: { 0 }, now: 0)
        var last = ClientWatch.Verdict.patient
        for now in 1...70 as ClosedRange<UInt64> where last == .patient {
            last = verdict(&watch, at: now, acknowledged: Int(now) * bytes, crowded: isCrowded)
        }
        #expect(last == (isFine ? .patient : .slowReader))
    }

    @Test func `what was acknowledged before the client fell behind does not count`() {
        var watch = ClientWatch(Deadlines(.init()), now: 0)
        watch.requestBegan(now: 0)
        watch.waitInExchange(forBody: false, forReading: true, acknowledged: { 1_000_000 }, now: 0)
        #expect(verdict(&watch, at: 59, acknowledged: 1_000_000) == .patient)
        #expect(verdict(&watch, at: 60, acknowledged: 1_000_000) == .slowReader)
    }

    @Test func `without limits nothing is ever too slow`() {
        var watch = ClientWatch(Deadlines(.none), now: 0)
        watch.waitForRequest(hasBytes: true, now: 0)
        #expect(verdict(&watch, at: 1_000_000) == .patient)
        watch.requestBegan(now: 0)
        watch.waitInExchange(forBody: true, forReading: true, acknowledged: { 0 }, now: 0)
        #expect(verdict(&watch, at: 1_000_000) == .patient)
    }
}
