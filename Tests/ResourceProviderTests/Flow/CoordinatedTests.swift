import CalotypeTesting
import TestSupport
@testable import CalotypeBase
@testable import ResourceProvider
import Requirements
import Testing
import Waiting

/// S3.16, D3.1–D3.3 and D3.23 through the modifier; `CoordinatorTests` covers the machinery below it.
struct CoordinatedTests {
    private let gate = Gate()
    private let asked = Log<Int>()

    private var source: AnyAsyncProvider<Int, String, LoadError> {
        let (gate, asked) = (gate, asked)
        return AnyAsyncProvider { (id) async throws(LoadError) in
            asked.add(id)
            await gate.wait()
            if Task.isCancelled { throw .refused(-1) }
            if id < 0 { throw .refused(id) }
            return "\(id)"
        }
    }

    @Test(.requirement("S3.16")) func `requests for one identifier that overlap do the work once`() async throws {
        let coordinator = Coordinator<Int, Never, String, LoadError>(cancelled: .cancelled)
        let provider = source.coordinated(by: coordinator)
        let tasks = (0..<50).map { _ in Task { try await provider.value(for: 1) } }
        let other = Task { try await provider.value(for: 2) }
        await waitUntil { coordinator.waiterCount(for: 1) == 50 && coordinator.waiterCount(for: 2) == 1 }
        gate.open()
        for task in tasks { #expect(try await task.value == "1") }
        #expect(try await other.value == "2")
        #expect(asked.entries.sorted() == [1, 2])
    }

    @Test(.requirement("B12")) func `a failure reaches every waiter with its type, and asking again tries again`() async
    {
        let coordinator = Coordinator<Int, Never, String, LoadError>(cancelled: .cancelled)
        let provider = source.coordinated(by: coordinator)
        let tasks = (0..<10).map { _ in
            Task { await failure { () async throws(LoadError) in try await provider.value(for: -3) } }
        }
        await waitUntil { coordinator.waiterCount(for: -3) == 10 }
        gate.open()
        for task in tasks { #expect(await task.value == .refused(-3)) }
        #expect(await failure { () async throws(LoadError) in try await provider.value(for: -3) } == .refused(-3))
        #expect(asked.count == 2)
    }

    @Test(.requirement("D3.1")) func `a waiter leaves early with its own word for it; the others get the value`()
        async throws
    {
        let coordinator = Coordinator<Int, Never, String, LoadError>(cancelled: .cancelled)
        let provider = source.coordinated(by: coordinator)
        let leaving = Task { try await provider.value(for: 1) }
        await waitUntil { coordinator.waiterCount(for: 1) == 1 }
        let staying = Task { try await provider.value(for: 1) }
        await waitUntil { coordinator.waiterCount(for: 1) == 2 }
        leaving.cancel()
        await #expect(throws: LoadError.cancelled) { try await leaving.value }
        gate.open()
        #expect(try await staying.value == "1")
    }

    @Test(.requirement("D3.1"))
    func `a chain that throws any Error says Interruption.cancelled, and its work is cancelled`() async {
        let ended = Log<Bool>()
        let provider = Provider.source { [gate] (id: Int) async throws -> Int in
            await gate.wait()
            ended.add(Task.isCancelled)
            return id
        }
        .coordinated()
        let task = Task { try await provider.value(for: 1) }
        await gate.waitForWaiters(1)
        task.cancel()
        await #expect(throws: Interruption.cancelled) { try await task.value }
        await waitUntil { ended.entries == [true] }
    }

    @Test(.requirement("D3.1")) func `a chain that cannot fail gives its value to a cancelled caller as well`() async {
        let provider = Provider.source { [gate] (id: Int) async in
            await gate.wait()
            return id
        }
        .coordinated()
        let task = Task { await provider.value(for: 1) }
        await gate.waitForWaiters(1)
        task.cancel()
        gate.open()
        #expect(await task.value == 1)
    }

    @Test(.requirement("D3.2"))
    func `the work has the callers' priority, live, and not the first caller's task-local values`() async throws {
        enum Local { @TaskLocal static var name = "none" }
        let seen = Log<String>()
        let priorities = Log<DynamicPriority?>()
        let provider = Provider.source { [gate] (id: Int) async throws(LoadError) in
            seen.add(Local.name)
            priorities.add(DynamicPriority.current)
            await gate.wait()
            return id
        }
        .coordinated()
        let mine = DynamicPriority(.high)
        let task = Local.$name.withValue("first") {
            DynamicPriority.$current.withValue(mine) { Task { try await provider.value(for: 1) } }
        }
        await gate.waitForWaiters(1)
        let priority = try #require(priorities.entries.first ?? nil)
        await waitUntil { priority.value == .high }
        mine.value = .veryLow
        #expect(priority.value == .veryLow)
        #expect(seen.entries == ["none"])
        gate.open()
        #expect(try await task.value == 1)
    }

    @Test(.requirement("D3.3", "S3.18"))
    func `two sizes of one image share the download of a coordinated provider below`() async throws {
        struct Thumbnail: Hashable, Sendable {
            var image: Int
            var size: Int
        }
        let images = Coordinator<Int, Never, String, LoadError>(cancelled: .cancelled)
        let thumbnails = source.coordinated(by: images)
            .mapID(\Thumbnail.image)
            .mapValue { image, id in "\(image) at \(id.size)" }
            .coordinated()
        let small = Task { try await thumbnails.value(for: Thumbnail(image: 1, size: 10)) }
        let large = Task { try await thumbnails.value(for: Thumbnail(image: 1, size: 90)) }
        await waitUntil { images.waiterCount(for: 1) == 2 }
        gate.open()
        #expect(try await small.value == "1 at 10")
        #expect(try await large.value == "1 at 90")
        #expect(asked.entries == [1])
    }
}
