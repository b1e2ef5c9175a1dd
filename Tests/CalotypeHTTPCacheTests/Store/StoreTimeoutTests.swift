import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Testing
import Waiting

@testable import CalotypeHTTPCache

/// The time limit of a store's calls.
@Suite(.timeLimit(.minutes(1))) struct StoreTimeoutTests {
    private let clock = ManualClock()

    @Test func `a thousand calls have one timer, which ends after them`() async throws {
        let timeout = StoreTimeout(duration: .seconds(30), clock: clock)
        for number in 0..<1000 { #expect(try await timeout.limit { number } == number) }
        await clock.waitForSleepers(1)
        #expect(clock.sleepers == 1)
        clock.advance(by: .seconds(30))
        await waitUntil { clock.sleepers == 0 }
        // The next call has a timer again. It is in progress until then: the first timer may only now find that no call is.
        let gate = Gate()
        let call = Task { try await timeout.limit { await gate.wait() } }
        await clock.waitForSleepers(1)
        gate.open()
        try await call.value
    }

    @Test func `a call has its whole time, whatever calls came before`() async throws {
        let timeout = StoreTimeout(duration: .seconds(30), clock: clock)
        try await timeout.limit {}
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(20))
        let gate = Gate()
        let hasEnded = Locked(false)
        let call = Task {
            defer { hasEnded.withLock { $0 = true } }
            try await timeout.limit { await gate.wait() }
        }
        await gate.waitForWaiters(1)
        // The timer of the first call finds 20 s left of the second one's.
        clock.advance(by: .seconds(10))
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(19))
        #expect(try await timeout.limit { 1 } == 1)
        #expect(!hasEnded.withLock { $0 })
        clock.advance(by: .seconds(1))
        let error = await #expect(throws: TransportError.self) { try await call.value }
        #expect(error?.code == .timedOut)
        gate.open()
    }

    @Test func `a cancelled caller waits for its call, which may be half of a change`() async throws {
        let timeout = StoreTimeout(duration: .seconds(30), clock: clock)
        let gate = Gate()
        let call = Task {
            try await timeout.limit {
                await gate.wait()
                return Task.isCancelled
            }
        }
        await gate.waitForWaiters(1)
        call.cancel()
        gate.open()
        #expect(try await !call.value)
    }

    @Test func `a released limit keeps no timer`() async throws {
        var timeout: StoreTimeout? = StoreTimeout(duration: .seconds(30), clock: clock)
        try await timeout?.limit {}
        await clock.waitForSleepers(1)
        timeout = nil
        await waitUntil { clock.sleepers == 0 }
    }
}
