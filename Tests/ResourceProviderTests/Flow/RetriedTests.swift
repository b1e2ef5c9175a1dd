import CalotypeTesting
import TestSupport
import Requirements
import ResourceProvider
import Testing

struct RetriedTests {
    private let clock = ManualClock()
    private let asked = Log<Int>()

    /// Returns a source that fails this many times, then succeeds.
    private func source(failures: Int) -> AnyAsyncProvider<Int, String, LoadError> {
        let asked = asked
        return AnyAsyncProvider { (id) async throws(LoadError) in
            asked.add(id)
            if asked.count <= failures { throw .refused(asked.count) }
            return "\(id)"
        }
    }

    @Test(.requirement("B56")) func `asks again as often as told, after the waits told`() async throws {
        let provider = source(failures: 2).retried(2, backoff: .constant(.seconds(5)), clock: clock)
        let task = Task { try await provider.value(for: 1) }
        for tries in 1...2 {
            await clock.waitForSleepers(1)
            #expect(asked.count == tries)
            clock.advance(by: .seconds(4))
            #expect(clock.sleepers == 1)
            clock.advance(by: .seconds(1))
        }
        #expect(try await task.value == "1")
        #expect(asked.count == 3)
    }

    @Test(.requirement("B56")) func `the last failure is thrown when all tries have failed`() async {
        let provider = source(failures: 9).retried(2, backoff: .none, clock: clock)
        #expect(await failure { () async throws(LoadError) in try await provider.value(for: 1) } == .refused(3))
    }

    @Test(.requirement("B56")) func `no further try for a failure that none can mend`() async {
        let provider = source(failures: 9).retried(5, backoff: .none, clock: clock) { $0 == .broken }
        #expect(await failure { () async throws(LoadError) in try await provider.value(for: 1) } == .refused(1))
    }

    @Test(.requirement("B56")) func `no further try once the caller is cancelled, in the middle of a wait too`() async {
        let provider = source(failures: 9).retried(5, backoff: .constant(.seconds(60)), clock: clock)
        let task = Task { try await provider.value(for: 1) }
        await clock.waitForSleepers(1)
        task.cancel()
        await #expect(throws: LoadError.refused(1)) { try await task.value }
        #expect(asked.count == 1)
    }

    @Test(.requirement("B56")) func `the failure may name the wait itself, or forbid it`() async throws {
        let provider = source(failures: 2).retried(9, clock: clock) { failure, retry in
            failure == .refused(retry) ? .seconds(100 * retry) : nil
        }
        let task = Task { try await provider.value(for: 1) }
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(100))
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(200))
        #expect(try await task.value == "1")
    }

    @Test func `exponential waits double up to their limit, and chance only shortens them`() {
        let exact = Backoff.exponential(first: .seconds(1), limit: .seconds(10), jitter: 0)
        #expect((1...6).map { exact.delay(before: $0) } == [1, 2, 4, 8, 10, 10].map { .seconds($0) })
        #expect(exact.delay(before: 1_000_000) == .seconds(10))
        let shortest = Backoff.exponential(first: .seconds(1), jitter: 0.5, random: { 1 })
        #expect(shortest.delay(before: 2) == .seconds(1))
        let drawn = Backoff.exponential(first: .seconds(1))
        for retry in 1...20 { #expect(drawn.delay(before: retry) <= .seconds(30)) }
    }
}
