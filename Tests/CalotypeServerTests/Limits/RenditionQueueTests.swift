import CalotypeBase
import CalotypeTesting
import TestSupport
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
    private func start(
        _ queue: RenditionQueue, for client: ByteString = "", _ made: Log<ByteString>? = nil
    ) -> Task<ServerError?, Never> {
        Task { [gate, time = time()] in
            await queue.failure(for: client, within: time) {
                made?.add(client)
                await gate.wait()
            }
        }
    }

    private func start(
        _ count: Int, _ queue: RenditionQueue, for client: ByteString = "", _ made: Log<ByteString>? = nil
    ) async -> [Task<ServerError?, Never>] {
        var tasks: [Task<ServerError?, Never>] = []
        for _ in 0..<count {
            let next = queue.load.inside + queue.load.waiting + 1
            tasks.append(start(queue, for: client, made))
            await waitUntil { queue.load.inside + queue.load.waiting >= next }
        }
        return tasks
    }

    /// Makes renditions one after the other: by default as many as the queue needs to know its pace.
    private func make(_ queue: RenditionQueue, each duration: Duration, count: Int = AverageTime.samples) async {
        for _ in 0..<count {
            #expect(await queue.failure(within: time()) { clock.advance(by: duration) } == nil)
        }
    }

    @Test(.requirement("V25")) func `a full queue refuses the next rendition, until one has left`() async {
        let queue = RenditionQueue(limit: 3, threads: 2, clock: clock)
        let tasks = await start(3, queue)
        #expect(await queue.failure(within: time()) {}?.isOverload == true)
        #expect(throws: ServerError.self) { try queue.checkRoom(for: "", within: time()) }
        gate.open(count: 1)
        await waitUntil { queue.count == 2 }
        let last = start(queue)
        await waitUntil { queue.count == 3 }
        gate.open()
        for task in tasks + [last] { #expect(await task.value == nil) }
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
        #expect(throws: ServerError.self) { try queue.checkRoom(for: "", within: time()) }
        #expect(throws: Never.self) { try queue.checkRoom(for: "", within: time(.seconds(16))) }
        gate.open()
        for task in tasks { #expect(await task.value == nil) }
    }

    @Test func `one slow rendition refuses no other`() async {
        let queue = RenditionQueue(limit: 100, threads: 2, clock: clock)
        await make(queue, each: .seconds(60), count: 1)
        let tasks = await start(20, queue)
        #expect(throws: Never.self) { try queue.checkRoom(for: "", within: time()) }
        gate.open()
        for task in tasks { #expect(await task.value == nil) }
    }

    @Test func `a slow queue is open while a thread is free`() async {
        let queue = RenditionQueue(limit: 100, threads: 2, clock: clock)
        await make(queue, each: .seconds(60))
        let tasks = await start(2, queue)
        #expect(await queue.failure(within: time(.seconds(29))) {}?.retryAfter == 30)
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
                if let error = await queue.failure(within: time, making: { await gate.wait() }) { refused.add(error) }
            }
        }
        await waitUntil { refused.count == 150 && gate.waiting == 2 }
        #expect(queue.count == 50)
        gate.open()
        for task in tasks { await task.value }
        #expect(refused.count == 150 && queue.count == 0)
    }

    @Test func `a client whose renditions wait leaves the next turn to another`() async {
        let queue = RenditionQueue(limit: 100, threads: 1, clock: clock)
        let made = Log<ByteString>()
        let tasks = await start(5, queue, for: "many", made) + start(1, queue, for: "one", made)
        for _ in 0..<6 {
            await gate.waitForWaiters(1)
            clock.advance(by: .seconds(1))
            gate.open(count: 1)
        }
        for task in tasks { #expect(await task.value == nil) }
        #expect(made.entries.prefix(3).contains("one") && queue.count == 0)
    }

    @Test func `a rendition whose source is being read leaves the turn to others`() async {
        let queue = RenditionQueue(limit: 8, threads: 1, clock: clock)
        let (source, made) = (Gate(), Log<ByteString>())
        let slow = Task { [time = time()] in
            await queue.failure(within: time, making: { made.add("slow") }, reading: { await source.wait() })
        }
        await source.waitForWaiters(1)
        let next = start(queue, for: "other", made)
        await gate.waitForWaiters(1)
        source.open()
        gate.open()
        #expect(await next.value == nil)
        #expect(await slow.value == nil)
        #expect(made.entries == ["other", "slow"] && queue.count == 0)
    }

    @Test func `a rendition that holds an image has a turn while all threads wait for memory`() async {
        let queue = RenditionQueue(limit: 8, threads: 2, clock: clock)
        let tasks = await start(4, queue)
        await gate.waitForWaiters(2)
        let made = Log<Int>()
        for number in 0..<3 {
            let failure = await queue.failure(within: time(), isDecoded: true) { made.add(number) }
            #expect(failure == nil)
        }
        #expect(made.entries == [0, 1, 2] && queue.load == (2, 2))
        gate.open()
        for task in tasks { #expect(await task.value == nil) }
    }

    @Test func `200 renditions of four clients, half of them cancelled, give everything back`() async {
        let queue = RenditionQueue(limit: 200, threads: 2, clock: clock)
        let tasks = (0..<200).map { number in start(queue, for: "\(number % 4)") }
        await waitUntil { queue.count == 200 }
        for task in tasks.enumerated() where task.offset % 2 == 0 { task.element.cancel() }
        await waitUntil { queue.count <= 102 }
        gate.open()
        for task in tasks { _ = await task.value }
        #expect(queue.count == 0)
        // Both threads are free again.
        let last = [start(queue), start(queue)]
        for task in last { #expect(await task.value == nil) }
    }
}

extension RenditionQueue {
    /// Returns the error of a rendition; `nil` if it is made.
    fileprivate func failure(
        for client: ByteString = "", within time: RenditionTime, throwing error: ServerError? = nil,
        isDecoded: Bool = false, making make: () async -> Void = {}, reading: () async -> Void = {}
    ) async -> ServerError? {
        do throws(ServerError) {
            try await run(for: client, within: time) { (turn) async throws(ServerError) in
                await reading()
                do throws(Interruption) {
                    if isDecoded { try await turn.takeForEncoding() } else { try await turn.take() }
                } catch {
                    throw .cancelled
                }
                await make()
                if let error { throw error }
            }
            return nil
        } catch {
            return error
        }
    }
}
