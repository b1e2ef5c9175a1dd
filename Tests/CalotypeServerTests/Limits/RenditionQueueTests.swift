import CalotypeBase
import CalotypeTesting
import Requirements
import Testing
import Waiting

@testable import CalotypeServer

/// The rules of the queue alone, without images.
@Suite(.timeLimit(.minutes(1))) struct RenditionQueueTests {
    private let clock = ManualClock()
    private let gate = Gate()

    private func time(_ limit: Duration = .seconds(15)) -> RenditionTime { RenditionTime(limit, clock: clock) }

    /// Begins a rendition that ends when the gate lets it.
    private func start(_ queue: RenditionQueue) -> Task<ServerError?, Never> {
        Task { [gate, time = time()] in
            await queue.failure(within: time) { await gate.wait() }
        }
    }

    private func start(_ count: Int, _ queue: RenditionQueue) async -> [Task<ServerError?, Never>] {
        var tasks: [Task<ServerError?, Never>] = []
        for _ in 0..<count {
            let next = queue.count + 1
            tasks.append(start(queue))
            await waitUntil { queue.count >= next }
        }
        return tasks
    }

    /// Makes renditions one after the other: by default as many as the queue needs to know its pace.
    private func make(_ queue: RenditionQueue, each duration: Duration, count: Int = QueuePace.samples) async {
        for _ in 0..<count {
            #expect(await queue.failure(within: time()) { clock.advance(by: duration) } == nil)
        }
    }

    @Test(.requirement("V25")) func `a full queue refuses the next rendition, until one has left`() async {
        let queue = RenditionQueue(limit: 3, threads: 2, clock: clock)
        let tasks = await start(3, queue)
        #expect(await queue.failure(within: time()) {}?.isOverload == true)
        #expect(throws: ServerError.self) { try queue.checkRoom(for: time()) }
        gate.open(count: 1)
        await waitUntil { queue.count == 2 }
        #expect(await queue.failure(within: time()) {} == nil)
        gate.open()
        for task in tasks { #expect(await task.value == nil) }
        #expect(queue.count == 0)
    }

    @Test func `a rendition whose turn would come after its deadline is refused with the time until then`() async {
        let queue = RenditionQueue(limit: 100, threads: 1, clock: clock)
        await make(queue, each: .seconds(4))
        // Four seconds each: the turns come after 0, 4, 8 and 12 seconds.
        let tasks = await start(4, queue)
        let refusal = await queue.failure(within: time()) {}
        #expect(refusal?.status == 503 && refusal?.retryAfter == 16)
        #expect(refusal?.reason.contains("after its deadline") == true)
        #expect(throws: ServerError.self) { try queue.checkRoom(for: time()) }
        #expect(throws: Never.self) { try queue.checkRoom(for: time(.seconds(16))) }
        gate.open()
        for task in tasks { #expect(await task.value == nil) }
    }

    @Test func `one slow rendition refuses no other`() async {
        let queue = RenditionQueue(limit: 100, threads: 2, clock: clock)
        await make(queue, each: .seconds(60), count: 1)
        let tasks = await start(20, queue)
        #expect(throws: Never.self) { try queue.checkRoom(for: time()) }
        gate.open()
        for task in tasks { #expect(await task.value == nil) }
    }

    @Test func `a slow queue is open while a thread is free`() async {
        let queue = RenditionQueue(limit: 100, threads: 2, clock: clock)
        await make(queue, each: .seconds(60))
        let tasks = await start(2, queue)
        #expect(await queue.failure(within: time()) {}?.retryAfter == 60)
        gate.open()
        for task in tasks { #expect(await task.value == nil) }
    }

    @Test func `a rendition that its clients leave changes no pace`() async {
        let queue = RenditionQueue(limit: 100, threads: 1, clock: clock)
        await make(queue, each: .seconds(4))
        for _ in 0..<20 { _ = await queue.failure(within: time(), throwing: .cancelled) }
        let tasks = await start(4, queue)
        #expect(await queue.failure(within: time()) {}?.retryAfter == 16)
        gate.open()
        for task in tasks { #expect(await task.value == nil) }
    }

    @Test func `of 200 renditions at once as many enter as there is room for`() async {
        let queue = RenditionQueue(limit: 50, threads: 2, clock: clock)
        let refused = Log<ServerError>()
        let tasks = (0..<200).map { _ in
            Task { [gate, time = time()] in
                if let error = await queue.failure(within: time, { await gate.wait() }) { refused.add(error) }
            }
        }
        await waitUntil { refused.count == 150 && gate.waiting == 50 }
        #expect(queue.count == 50)
        gate.open()
        for task in tasks { await task.value }
        #expect(refused.count == 150 && queue.count == 0)
    }
}

extension RenditionQueue {
    /// Returns the error of a rendition; `nil` if it is made.
    fileprivate func failure(
        within time: RenditionTime, throwing error: ServerError? = nil, _ make: () async -> Void = {}
    ) async -> ServerError? {
        do throws(ServerError) {
            try await run(within: time) { () async throws(ServerError) in
                await make()
                if let error { throw error }
            }
            return nil
        } catch {
            return error
        }
    }
}
