import CalotypeBase
import CalotypeTesting
import TestSupport
import ResourceProvider
import Testing
import Waiting

struct TimeoutTests {
    private let clock = ManualClock()
    private let gate = Gate()
    private let ended = Log<Bool>()

    private var source: AnyAsyncProvider<Int, Int, LoadError> {
        let (gate, ended) = (gate, ended)
        return AnyAsyncProvider { (id) async throws(LoadError) in
            await gate.wait()
            ended.add(Task.isCancelled)
            if id < 0 { throw .broken }
            return id
        }
    }

    @Test func `a request that takes too long throws timedOut, and its work is cancelled`() async {
        let provider = source.timeout(.seconds(15), clock: clock)
        let task = Task { try await provider.value(for: 1) }
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(14))
        #expect(clock.sleepers == 1)
        clock.advance(by: .seconds(1))
        await #expect(throws: LoadError.timedOut) { try await task.value }
        await waitUntil { ended.entries == [true] }
    }

    @Test func `a request in time gives its value or its error, and its timer ends`() async throws {
        gate.open()
        let provider = source.timeout(.seconds(15), clock: clock)
        #expect(try await provider.value(for: 1) == 1)
        #expect(await failure { () async throws(LoadError) in try await provider.value(for: -1) } == .broken)
        await waitUntil { clock.sleepers == 0 }
    }

    @Test func `a cancelled caller returns at once, however deaf the work is`() async {
        let provider = Provider.source { [gate] (id: Int) async throws -> Int in
            await Task.detached { await gate.wait() }.value
            return id
        }
        .timeout(.seconds(15), clock: clock)
        let task = Task { try await provider.value(for: 1) }
        await gate.waitForWaiters(1)
        task.cancel()
        await #expect(throws: Interruption.cancelled) { try await task.value }
        gate.open()
    }
}
