import CalotypeBase
import CalotypeTesting
import TestSupport
import Dispatch
import Foundation
import Requirements
import Testing
import Waiting

struct CoordinatorTests {
    private typealias Work = Coordinator<String, Int, Int, LoadError>

    private let coordinator = Coordinator<String, Int, Int, LoadError>(cancelled: .cancelled)

    /// Starts a caller and returns when it waits.
    private func join(
        _ key: String, priority: DynamicPriority? = nil, onUpdate: (@Sendable (Int) -> Void)? = nil,
        work: @escaping @Sendable (Coordinator<String, Int, Int, LoadError>.Flight) async -> Result<Int, LoadError>
    ) async -> Task<Int, any Error> {
        let before = coordinator.waiterCount(for: key)
        let task = Task { [coordinator] in
            try await coordinator.value(for: key, priority: priority, onUpdate: onUpdate, work: work)
        }
        await waitUntil { coordinator.waiterCount(for: key) > before }
        return task
    }

    @Test(.requirement("B11")) func `a hundred that ask together share one piece of work, and each gets its answer`()
        async throws
    {
        let gate = Gate()
        let runs = Log<Int>()
        var tasks: [Task<Int, any Error>] = []
        for _ in 0..<100 {
            tasks.append(
                await join("a") { _ in
                    runs.add(1)
                    await gate.wait()
                    return .success(7)
                })
        }
        gate.open()
        for task in tasks { #expect(try await task.value == 7) }
        #expect(runs.count == 1)
        #expect(coordinator.count == 0)
    }

    @Test func `only a caller that joins is told so, before it waits`() async throws {
        let gate = Gate()
        let joined = Log<Int>()
        let tasks = (0..<3).map { number in
            Task { [coordinator] in
                try await coordinator.value(for: "a", onJoin: { joined.add(number) }) { _ in
                    await gate.wait()
                    return .success(number)
                }
            }
        }
        await waitUntil { coordinator.waiterCount(for: "a") == 3 && joined.count == 2 }
        gate.open()
        let first = try await tasks[0].value
        #expect(joined.entries.sorted() == [0, 1, 2].filter { $0 != first })
    }

    @Test(.requirement("B12")) func `a failure reaches everyone once and leaves nothing behind`() async throws {
        let gate = Gate()
        var tasks: [Task<Int, any Error>] = []
        for _ in 0..<3 {
            tasks.append(
                await join("a") { _ in
                    await gate.wait()
                    return .failure(.broken)
                })
        }
        gate.open()
        for task in tasks { await #expect(throws: LoadError.broken) { try await task.value } }
        #expect(!coordinator.isInFlight("a"))
        #expect(try await coordinator.value(for: "a") { _ in .success(1) } == 1)
    }

    @Test(.requirement("B13", "C10"))
    func `the first to leave gets its error at once and stops nothing; the last one stops the work`() async throws {
        let gate = Gate()
        let ended = Log<Bool>()
        let first = await join("a") { _ in
            await gate.wait()
            ended.add(Task.isCancelled)
            return .success(1)
        }
        let second = await join("a") { _ in .failure(.broken) }
        first.cancel()
        await #expect(throws: LoadError.cancelled) { try await first.value }
        #expect(coordinator.isInFlight("a"))
        #expect(gate.waiting == 1)
        #expect(ended.entries.isEmpty)

        second.cancel()
        await #expect(throws: LoadError.cancelled) { try await second.value }
        #expect(!coordinator.isInFlight("a"))
        await waitUntil { ended.entries == [true] }
    }

    @Test(.requirement("B14")) func `a task cancelled before it asks starts no work`() async {
        let task = Task { [coordinator] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await coordinator.value(for: "a") { _ in
                Issue.record("must not run")
                return .success(1)
            }
        }
        await #expect(throws: LoadError.cancelled) { try await task.value }
        #expect(coordinator.count == 0)
    }

    @Test(.requirement("B16"))
    func `asking again after the last one left starts afresh, even while the old work still ends`() async throws {
        let old = Gate()
        // Ignores cancellation, and runs until the test ends it.
        let first = await join("a") { _ in
            await Task.detached { await old.wait() }.value
            return .success(1)
        }
        first.cancel()
        await #expect(throws: LoadError.cancelled) { try await first.value }
        let gate = Gate()
        let second = await join("a") { _ in
            await gate.wait()
            return .success(2)
        }
        old.open()
        gate.open()
        #expect(try await second.value == 2)
    }

    @Test(.requirement("B10")) func `updates reach all, and one that joins late is told the latest`() async throws {
        let early = Log<Int>()
        let late = Log<Int>()
        let gate = Gate()
        let first = await join("a", onUpdate: { early.add($0) }) { flight in
            flight.report(1)
            flight.report(2)
            await gate.wait()
            flight.report(3)
            return .success(0)
        }
        await gate.waitForWaiters(1)
        let second = await join("a", onUpdate: { late.add($0) }) { _ in .success(0) }
        gate.open()
        _ = try await (first.value, second.value)
        #expect(early.entries == [1, 2, 3])
        #expect(late.entries == [2, 3])
    }

    @Test(.requirement("B17")) func `who has left is told no more updates`() async throws {
        let gone = Log<Int>()
        let gate = Gate()
        let stays = await join("a") { flight in
            await gate.wait()
            flight.report(1)
            return .success(0)
        }
        let leaves = await join("a", onUpdate: { gone.add($0) }) { _ in .success(0) }
        leaves.cancel()
        await #expect(throws: LoadError.cancelled) { try await leaves.value }
        gate.open()
        _ = try await stays.value
        #expect(gone.entries.isEmpty)
    }

    @Test(.requirement("B15")) func `cancelling inside an update is safe`() async {
        let gate = Gate()
        let caller = Locked<Task<Int, any Error>?>(nil)
        let task = await join("a", onUpdate: { _ in caller.withLock { $0 }?.cancel() }) { flight in
            await gate.wait()
            flight.report(1)
            return .success(0)
        }
        caller.withLock { $0 = task }
        gate.open()
        await #expect(throws: LoadError.cancelled) { try await task.value }
    }

    @Test(.requirement("B18"), arguments: 0..<100)
    func `cancelling at any moment resumes the caller exactly once`(_: Int) async {
        let task = Task { [coordinator] in try await coordinator.value(for: "a") { _ in .success(1) } }
        let other = Task { [coordinator] in try await coordinator.value(for: "a") { _ in .success(1) } }
        await Task.yield()
        task.cancel()
        switch await task.result {
        case .success(let value): #expect(value == 1)
        case .failure(let error): #expect(error as? LoadError == .cancelled)
        }
        #expect((try? await other.value) == 1)
        #expect(coordinator.count == 0)
    }

    @Test(.requirement("B21"))
    func `the work's priority is the highest of those who wait, and follows them up and down`() async throws {
        let gate = Gate()
        let flights = Log<Coordinator<String, Int, Int, LoadError>.Flight>()
        let work: @Sendable (Coordinator<String, Int, Int, LoadError>.Flight) async -> Result<Int, LoadError> = {
            flights.add($0)
            await gate.wait()
            return .success(0)
        }
        let changing = DynamicPriority(.low)
        let first = await join("a", priority: changing, work: work)
        await gate.waitForWaiters(1)
        let priority = try #require(flights.entries.first).task.priority
        #expect(priority.value == .low)

        let urgent = await join("a", priority: DynamicPriority(.veryHigh), work: work)
        await waitUntil { priority.value == .veryHigh }
        urgent.cancel()
        await #expect(throws: LoadError.cancelled) { try await urgent.value }
        await waitUntil { priority.value == .low }

        changing.value = .high
        #expect(priority.value == .high)
        changing.value = .veryLow
        #expect(priority.value == .veryLow)

        let unmarked = await join("a", work: work)
        await waitUntil { priority.value == .normal }
        gate.open()
        _ = try await (first.value, unmarked.value)
    }

    @Test(.requirement("B24"), arguments: 0..<20)
    func `whatever way it ends, nothing stays on the table`(round: Int) async {
        for key in ["success", "failure"] {
            _ = try? await coordinator.value(for: key) { _ in key == "success" ? .success(1) : .failure(.broken) }
        }
        let cancelled = await join("cancelled") { _ in
            while !Task.isCancelled { await Task.yield() }
            return .success(1)
        }
        cancelled.cancel()
        _ = await cancelled.result
        #expect(coordinator.count == 0)
    }

    @Test func `ending everything gives each waiter the error and cancels the work`() async {
        let ended = Log<Bool>()
        let task = await join("a") { _ in
            while !Task.isCancelled { await Task.yield() }
            ended.add(true)
            return .success(1)
        }
        coordinator.endAll(with: .refused(1))
        await #expect(throws: LoadError.refused(1)) { try await task.value }
        await waitUntil { ended.count == 1 }
        #expect(coordinator.count == 0)
    }

    @Test func `a coordinator that starts in place begins the work on the thread of its caller`() async throws {
        let work = Work(cancelled: .cancelled, startsInPlace: true)
        let isSame = await Task.detached {
            let thread = pthread_self()
            return try? await work.value(for: "a") { _ in .success(Int(pthread_equal(thread, pthread_self()))) }
        }.value
        #expect(isSame == 1)
        #expect(work.count == 0)
    }

    @Test @MainActor func `the caller's actor never runs the work, wherever it starts`() async throws {
        for startsInPlace in [false, true] {
            let work = Work(cancelled: .cancelled, startsInPlace: startsInPlace)
            let thread = pthread_self()
            let isSame = try await work.value(for: "a") { _ in .success(Int(pthread_equal(thread, pthread_self()))) }
            #expect(isSame == 0)
        }
    }

    @Test func `the caller's task executor never runs the work, wherever it starts`() async throws {
        let executor = QueueExecutor()
        for startsInPlace in [false, true] {
            let work = Work(cancelled: .cancelled, startsInPlace: startsInPlace)
            let isCallers = await Task(executorPreference: executor) {
                try? await work.value(for: "a") { _ in .success(executor.isCurrent ? 1 : 0) }
            }.value
            #expect(isCallers == 0)
        }
    }

    @Test func `different keys do not wait for each other`() async throws {
        let gate = Gate()
        let held = await join("a") { _ in
            await gate.wait()
            return .success(1)
        }
        #expect(try await coordinator.value(for: "b") { _ in .success(2) } == 2)
        gate.open()
        #expect(try await held.value == 1)
    }
}

/// An executor with a queue of its own.
private final class QueueExecutor: TaskExecutor {
    private static let key = DispatchSpecificKey<Bool>()
    private let queue = DispatchQueue(label: "executor")

    init() { queue.setSpecific(key: QueueExecutor.key, value: true) }

    var isCurrent: Bool { DispatchQueue.getSpecific(key: QueueExecutor.key) == true }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
