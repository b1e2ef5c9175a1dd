import CalotypeBase
import CalotypeTesting
import TestSupport
import Foundation
import Requirements
import Testing
import Waiting

struct BlockingPoolTests {
    /// Occupies one thread of the pool until the gate opens.
    private func block(_ pool: BlockingPool, with gate: Gate, cost: Int = 0) async -> Task<Void, any Error> {
        let before = gate.waiting
        let task = Task { try await pool.run(cost: cost) { () throws(LoadError) in gate.waitBlocking() } }
        await gate.waitForWaiters(before + 1)
        return task
    }

    /// Queues a job, and returns when it is in the queue.
    private func queue(
        on pool: BlockingPool, cost: Int = 0, priority: DynamicPriority? = nil, _ body: @escaping @Sendable () -> Void
    ) async -> Task<Void, any Error> {
        let before = pool.load.waiting
        let task = DynamicPriority.$current.withValue(priority) {
            Task { try await pool.run(cost: cost) { () throws(LoadError) in body() } }
        }
        await waitUntil { pool.load.waiting == before + 1 }
        return task
    }

    @Test func `a job returns its value or throws its error`() async throws {
        let pool = BlockingPool(threads: 2)
        #expect(try await pool.run { () throws(LoadError) in 42 } == 42)
        await #expect(throws: LoadError.broken) { try await pool.run { () throws(LoadError) in throw .broken } }
    }

    @Test func `the threads of a pool have a name`() async throws {
        let name = try await BlockingPool(threads: 1).run { () throws(LoadError) in
            FileManager.default.contents(atPath: "/proc/thread-self/comm")
        }
        #expect(name == Data("calotype-pool\n".utf8))
    }

    @Test func `as many jobs run together as there are threads, and no more`() async throws {
        let pool = BlockingPool(threads: 3)
        let gate = Gate()
        let tasks = (0..<10).map { _ in
            Task { try await pool.run { () throws(LoadError) in gate.waitBlocking() } }
        }
        await gate.waitForWaiters(3)
        await waitUntil { pool.load.waiting == 7 }
        #expect(pool.load.running == 3)
        #expect(gate.waiting == 3)
        gate.open()
        for task in tasks { try await task.value }
        await waitUntil { pool.load.running == 0 }
    }

    @Test(.requirement("B19")) func `a job cancelled while it waits never runs, and its caller returns at once`()
        async throws
    {
        let pool = BlockingPool(threads: 1)
        let gate = Gate()
        let running = await block(pool, with: gate)
        let ran = Log<String>()
        let waiting = await queue(on: pool) { ran.add("cancelled") }
        waiting.cancel()
        await #expect(throws: LoadError.cancelled) { try await waiting.value }
        #expect(pool.load.waiting == 0)
        gate.open()
        try await running.value
        try await pool.run { () throws(LoadError) in ran.add("next") }
        #expect(ran.entries == ["next"])
    }

    @Test(.requirement("B14")) func `a task cancelled before it asks never gets a thread`() async {
        let pool = BlockingPool(threads: 1)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await pool.run { () throws(LoadError) in Issue.record("must not run") }
        }
        await #expect(throws: LoadError.cancelled) { try await task.value }
    }

    @Test func `a job that runs is not interrupted, and its result is returned`() async throws {
        let pool = BlockingPool(threads: 1)
        let gate = Gate()
        let running = await block(pool, with: gate)
        running.cancel()
        gate.open()
        try await running.value
    }

    @Test func `a job that no task waits for runs, or is refused at once`() async throws {
        let pool = BlockingPool(threads: 1, queueLimit: 1)
        let gate = Gate()
        let running = await block(pool, with: gate)
        let refusals = Log<Bool>()
        for _ in 0..<2 { pool.enqueue { refusals.add($0) } }
        #expect(refusals.entries == [true])
        gate.open()
        await waitUntil { refusals.count == 2 }
        #expect(refusals.entries == [true, false])
        try await running.value
    }

    @Test func `one job more than the queue holds fails as overloaded`() async throws {
        let pool = BlockingPool(threads: 1, queueLimit: 1)
        let gate = Gate()
        let running = await block(pool, with: gate)
        let waiting = await queue(on: pool) {}
        await #expect(throws: LoadError.overloaded) { try await pool.run { () throws(LoadError) in } }
        gate.open()
        try await running.value
        try await waiting.value
    }

    @Test(.requirement("B22")) func `jobs start by priority, and raising one that waits moves it to the front`()
        async throws
    {
        let pool = BlockingPool(threads: 1)
        let gate = Gate()
        let running = await block(pool, with: gate)
        let order = Log<String>()
        let raised = DynamicPriority(.low)
        let tasks = [
            await queue(on: pool, priority: raised) { order.add("raised") },
            await queue(on: pool) { order.add("normal") },
            await queue(on: pool, priority: DynamicPriority(.high)) { order.add("high") },
        ]
        raised.value = .veryHigh
        gate.open()
        try await running.value
        for task in tasks { try await task.value }
        #expect(order.entries == ["raised", "high", "normal"])
    }

    @Test func `jobs run together only while their costs fit`() async throws {
        let pool = BlockingPool(threads: 4, costLimit: 10)
        let gate = Gate()
        let first = await block(pool, with: gate, cost: 6)
        let second = await block(pool, with: gate, cost: 4)
        let third = await queue(on: pool, cost: 1) {}
        #expect(pool.load == (1, 2))
        gate.open()
        for task in [first, second, third] { try await task.value }
    }

    @Test func `a job above the whole limit runs alone`() async throws {
        let pool = BlockingPool(threads: 4, costLimit: 10)
        let gate = Gate()
        let small = await block(pool, with: gate, cost: 1)
        let peak = Locked(0)
        let huge = await queue(on: pool, cost: 1_000) { peak.withLock { $0 = pool.load.running } }
        gate.open()
        try await small.value
        try await huge.value
        #expect(peak.withLock { $0 } == 1)
    }

    @Test func `when a costly job ends, all that fit start together`() async throws {
        let pool = BlockingPool(threads: 4, costLimit: 4)
        let costly = Gate()
        let gate = Gate()
        let first = await block(pool, with: costly, cost: 4)
        var tasks: [Task<Void, any Error>] = []
        for _ in 0..<4 { tasks.append(await queue(on: pool, cost: 1) { gate.waitBlocking() }) }
        costly.open()
        await gate.waitForWaiters(4)
        gate.open()
        try await first.value
        for task in tasks { try await task.value }
    }

    @Test func `a cancelled job that did not fit lets those behind it start`() async throws {
        let pool = BlockingPool(threads: 3, costLimit: 10)
        let gate = Gate()
        let running = await block(pool, with: gate, cost: 5)
        let costly = await queue(on: pool, cost: 10) {}
        let small = await queue(on: pool, cost: 1) {}
        costly.cancel()
        try await small.value
        gate.open()
        try await running.value
        await #expect(throws: LoadError.cancelled) { try await costly.value }
    }

    @Test func `raising a job over one that does not fit starts it`() async throws {
        let pool = BlockingPool(threads: 3, costLimit: 10)
        let gate = Gate()
        let running = await block(pool, with: gate, cost: 5)
        let costly = await queue(on: pool, cost: 10) {}
        let priority = DynamicPriority(.normal)
        let small = await queue(on: pool, cost: 1, priority: priority) {}
        priority.value = .high
        try await small.value
        gate.open()
        try await running.value
        try await costly.value
    }

    @Test func `what was submitted is done even if the pool is let go`() async throws {
        let ran = Log<Int>()
        var pool: BlockingPool? = BlockingPool(threads: 1)
        try await pool?.run { () throws(LoadError) in ran.add(1) }
        pool = nil
        #expect(ran.entries == [1])
    }

    @Test(.requirement("B18"), arguments: 0..<100)
    func `cancelling at any moment resumes the caller exactly once`(_: Int) async {
        let pool = BlockingPool(threads: 1)
        let task = Task { try await pool.run { () throws(LoadError) in 1 } }
        await Task.yield()
        task.cancel()
        switch await task.result {
        case .success(let value): #expect(value == 1)
        case .failure(let error): #expect(error as? LoadError == .cancelled)
        }
    }
}
