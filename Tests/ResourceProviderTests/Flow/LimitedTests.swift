import CalotypeTesting
import TestSupport
@testable import CalotypeBase
@testable import ResourceProvider
import Requirements
import Testing
import Waiting

struct LimitedTests {
    private let gate = Gate()
    private let started = Log<Int>()

    private var source: AnyAsyncProvider<Int, Int, LoadError> {
        let (gate, started) = (gate, started)
        return AnyAsyncProvider { (id) async throws(LoadError) in
            started.add(id)
            await gate.wait()
            return id
        }
    }

    /// Requests the identifiers in turn, each after the previous one is in the queue.
    private func ask(
        _ provider: some AsyncProvider<Int, Int, LoadError>, _ limiter: Limiter,
        for ids: [(id: Int, priority: DynamicPriority?)]
    ) async -> [Task<Int, any Error>] {
        var tasks: [Task<Int, any Error>] = []
        for (id, priority) in ids {
            let before = limiter.load
            tasks.append(
                DynamicPriority.$current.withValue(priority) { Task { try await provider.value(for: id) } })
            await waitUntil { limiter.load != before }
        }
        return tasks
    }

    private func finish(_ tasks: [Task<Int, any Error>]) async throws {
        for _ in tasks {
            await gate.waitForWaiters(1)
            gate.open(count: 1)
        }
        for task in tasks { _ = try await task.value }
    }

    @Test(.requirement("D3.2")) func `no more than the limit are under way, and all get their turn`() async throws {
        let limiter = Limiter(limit: 3)
        let provider = source.limited(by: limiter, InterruptionErrors())
        let tasks = (0..<20).map { id in Task { try await provider.value(for: id) } }
        await waitUntil { limiter.load == (3, 17) }
        await gate.waitForWaiters(3)
        #expect(started.count == 3)
        gate.open()
        for (id, task) in tasks.enumerated() { #expect(try await task.value == id) }
        #expect(limiter.load == (0, 0))
    }

    @Test(.requirement("D3.2"), arguments: [false, true])
    func `within one priority first in, first out, or last in, first out`(lastInFirstOut: Bool) async throws {
        let limiter = Limiter(limit: 1, order: lastInFirstOut ? .lastInFirstOut : .firstInFirstOut)
        let provider = source.limited(by: limiter, InterruptionErrors())
        let tasks = await ask(provider, limiter, for: (0..<4).map { ($0, nil) })
        try await finish(tasks)
        #expect(started.entries == (lastInFirstOut ? [0, 3, 2, 1] : [0, 1, 2, 3]))
    }

    @Test(.requirement("B22"))
    func `a request that is raised while it waits overtakes, and one that is lowered is overtaken`() async throws {
        let limiter = Limiter(limit: 1)
        let provider = source.limited(by: limiter, InterruptionErrors())
        let raised = DynamicPriority(.low)
        let lowered = DynamicPriority(.veryHigh)
        let tasks = await ask(
            provider, limiter, for: [(0, nil), (1, raised), (2, nil), (3, DynamicPriority(.high)), (4, lowered)])
        raised.value = .veryHigh
        lowered.value = .veryLow
        try await finish(tasks)
        #expect(started.entries == [0, 1, 3, 2, 4])
    }

    @Test func `requests in the background leave the last slot to others, if there are two`() async throws {
        let limiter = Limiter(limit: 2, keepsLastSlot: true)
        let provider = source.limited(by: limiter, InterruptionErrors())
        let raised = DynamicPriority(.low)
        let low = DynamicPriority(.low)
        var tasks = await ask(provider, limiter, for: [(0, low), (1, raised), (2, low)])
        #expect(limiter.load == (1, 2))
        tasks += await ask(provider, limiter, for: [(3, nil)])
        #expect(limiter.load == (2, 2))
        await gate.waitForWaiters(2)
        gate.open(count: 1)
        await waitUntil { limiter.load == (1, 2) }
        raised.value = .normal
        await waitUntil { limiter.load == (2, 1) }
        try await finish(Array(tasks.dropFirst()))
        #expect(started.entries == [0, 3, 1, 2])
        #expect(limiter.load == (0, 0))

        let single = Limiter(limit: 1, keepsLastSlot: true)
        try await finish(ask(source.limited(by: single, InterruptionErrors()), single, for: [(4, low)]))
    }

    @Test(.requirement("B21")) func `a coordinated request waits with its callers' highest priority`() async throws {
        let limiter = Limiter(limit: 1)
        let provider = source.limited(by: limiter, InterruptionErrors()).coordinated()
        let tasks = await ask(provider, limiter, for: [(0, nil), (1, DynamicPriority(.low)), (2, nil)])
        let urgent = DynamicPriority.$current.withValue(DynamicPriority(.veryHigh)) {
            Task { try await provider.value(for: 3) }
        }
        await waitUntil { limiter.load == (1, 3) }
        try await finish(tasks + [urgent])
        #expect(started.entries == [0, 3, 2, 1])
    }

    @Test(.requirement("B19")) func `a request cancelled while it waits returns at once and never starts`() async throws
    {
        let limiter = Limiter(limit: 1)
        let provider = source.limited(by: limiter, InterruptionErrors())
        let tasks = await ask(provider, limiter, for: [(0, nil), (1, nil), (2, nil)])
        tasks[1].cancel()
        await #expect(throws: LoadError.cancelled) { try await tasks[1].value }
        #expect(limiter.load == (1, 1))
        try await finish([tasks[0], tasks[2]])
        #expect(started.entries == [0, 2])
    }

    @Test(.requirement("B14")) func `a request cancelled before it asks never starts`() async {
        let provider = source.limited(to: 1)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await provider.value(for: 1)
        }
        await #expect(throws: LoadError.cancelled) { try await task.value }
        #expect(started.entries.isEmpty)
    }

    @Test(.requirement("D3.2"))
    func `one more than may wait fails as overloaded, in the chain's own error or as an Interruption`() async throws {
        let provider = source.limited(to: 1, queueLimit: 0)
        let running = Task { try await provider.value(for: 0) }
        await gate.waitForWaiters(1)
        #expect(await failure { () async throws(LoadError) in try await provider.value(for: 1) } == .overloaded)
        gate.open()
        _ = try await running.value

        let closed = Gate()
        let untyped = Provider.source { (id: Int) async throws -> Int in
            await closed.wait()
            return id
        }
        .limited(to: 1, queueLimit: 0)
        let first = Task { try await untyped.value(for: 0) }
        await closed.waitForWaiters(1)
        await #expect(throws: Interruption.overloaded) { try await untyped.value(for: 1) }
        closed.open()
        #expect(try await first.value == 0)
    }

    @Test func `a chain that cannot fail waits for its turn, cancelled or not`() async {
        let provider = Provider.source { [gate] (id: Int) async in
            await gate.wait()
            return id
        }
        .limited(to: 1)
        let tasks = (0..<5).map { id in Task { await provider.value(for: id) } }
        tasks[3].cancel()
        await gate.waitForWaiters(1)
        gate.open()
        for (id, task) in tasks.enumerated() { #expect(await task.value == id) }
    }

    @Test(.requirement("B18"), arguments: 0..<100)
    func `cancelling at any moment resumes once and loses no place`(_: Int) async {
        let limiter = Limiter(limit: 1)
        gate.open()
        let provider = source.limited(by: limiter, InterruptionErrors())
        let tasks = (0..<4).map { id in Task { try await provider.value(for: id) } }
        await Task.yield()
        tasks[1].cancel()
        tasks[2].cancel()
        for task in tasks { _ = await task.result }
        #expect(limiter.load == (0, 0))
    }

    @Test(.requirement("D3.12"))
    func `serialized on a pool, a blocking part is asked one at a time, on the pool's threads`() async throws {
        let pool = BlockingPool(threads: 4)
        let inside = Locked((now: 0, most: 0))
        let provider = Provider.source { (id: Int) throws(LoadError) -> Int in
            inside.withLock { count in
                count.now += 1
                count.most = max(count.most, count.now)
            }
            defer { inside.withLock { $0.now -= 1 } }
            if id == 7 { throw .refused(7) }
            return id
        }
        .serialized(on: pool)
        let tasks = (0..<20).map { id in
            Task { await failure { () async throws(LoadError) in try await provider.value(for: id) } }
        }
        for (id, task) in tasks.enumerated() { #expect(await task.value == (id == 7 ? .refused(7) : nil)) }
        #expect(inside.withLock { $0.most } == 1)
    }
}
