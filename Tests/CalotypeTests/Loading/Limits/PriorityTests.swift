import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import Testing
import Waiting

@Suite struct PriorityTests {
    /// Returns a fixture that downloads one image at a time, with one download in flight.
    private func busyRoom() async -> (room: LoaderFixture, gate: Gate, blocker: Task<Void, Never>) {
        let gate = Gate()
        let room = LoaderFixture(gate: gate, options: { $0.downloads = 1 })
        let blocker = Task { _ = try? await room.loader.fetch(URL.photo("blocker")) }
        await gate.waitForWaiters(1)
        return (room, gate, blocker)
    }

    private func request(_ name: String, _ priority: LoadPriority) -> ImageRequest {
        ImageRequest(source: .url(.photo(name)), priority: priority)
    }

    @Test(.requirement("B22", "C16"))
    func `waiting loads start by priority, then in the order of their requests`() async {
        let (room, gate, blocker) = await busyRoom()
        var loads: [Task<Void, Never>] = []
        for (name, priority) in [("low", LoadPriority.low), ("a", .normal), ("b", .normal), ("high", .high)] {
            loads.append(Task { _ = try? await room.loader.fetch(request(name, priority)) })
            await room.waitForWaiters(images: loads.count + 1, sources: loads.count + 1)
            await waitUntil { room.loader.statistics.downloadQueue == loads.count }
        }
        gate.open()
        for load in loads + [blocker] { await load.value }
        #expect(room.transport.requests.map(\.url.lastPathComponent) == ["blocker", "high", "a", "b", "low"])
    }

    @Test(.requirement("B21", "B23"))
    func `an image has the highest priority of those who wait, and falls back when the highest leaves`() async {
        let (room, gate, blocker) = await busyRoom()
        let shared = Task { _ = try? await room.loader.fetch(request("shared", .low)) }
        await waitUntil { room.loader.statistics.downloadQueue == 1 }
        let other = Task { _ = try? await room.loader.fetch(request("other", .normal)) }
        await waitUntil { room.loader.statistics.downloadQueue == 2 }
        let hurried = Task { _ = try? await room.loader.fetch(request("shared", .veryHigh)) }
        await room.waitForWaiters(images: 4, sources: 3)
        hurried.cancel()
        await hurried.value
        gate.open()
        for load in [shared, other, blocker] { await load.value }
        #expect(room.transport.requests.map(\.url.lastPathComponent) == ["blocker", "other", "shared"])
    }

    @Test(.requirement("B22"))
    @MainActor
    func `raising the priority of a fetch moves its download ahead of those that wait`() async {
        let (room, gate, blocker) = await busyRoom()
        let done = Gate()
        let slow = room.loader.fetch(request("slow", .low)) { _ in done.open(count: 1) }
        await waitUntil { room.loader.statistics.downloadQueue == 1 }
        let other = Task { _ = try? await room.loader.fetch(request("other", .normal)) }
        await waitUntil { room.loader.statistics.downloadQueue == 2 }
        slow.priority = .high
        gate.open()
        await done.wait()
        await other.value
        await blocker.value
        #expect(room.transport.requests.map(\.url.lastPathComponent) == ["blocker", "slow", "other"])
    }

    // With `downloads = 2`, two slow prefetches used to delay the visible image until one of them had ended.
    @Test(.requirement("B22")) func `prefetched images leave the last slot to one that a view waits for`() async throws
    {
        let gate = Gate()
        let room = LoaderFixture(options: { $0.downloads = 2 }) { request in
            if request.url.lastPathComponent != "visible" { await gate.wait() }
            return .picture(request)
        }
        let prefetcher = Prefetcher(loader: room.loader)
        prefetcher.start([ImageRequest(.photo(1)), ImageRequest(.photo(2))])
        await gate.waitForWaiters(1)
        await waitUntil { room.loader.statistics.downloadQueue == 1 }
        _ = try await room.loader.fetch(URL.photo("visible"))
        #expect(room.transport.requestCount == 2)
        gate.open()
        await prefetcher.waitUntilIdle()
        #expect(room.transport.requestCount == 3)
    }

    @Test(.requirement("B22")) func `decodes that wait are reordered too`() async {
        let started = Gate()
        let mayDecode = Gate()
        let room = LoaderFixture(
            decodeHook: {
                started.open()
                mayDecode.waitBlocking()
            }, options: { $0.codecThreads = 1 },
            answering: { request in .picture(request, blue: UInt8(request.url.lastPathComponent) ?? 0) })
        let blocker = Task { _ = try? await room.loader.fetch(URL.photo(0)) }
        await started.wait()
        var loads: [Task<Void, Never>] = []
        for (blue, priority) in [(1, LoadPriority.low), (2, .normal), (3, .high)] {
            loads.append(Task { _ = try? await room.loader.fetch(request("\(blue)", priority)) })
            await waitUntil { room.loader.statistics.codecQueue == loads.count }
        }
        mayDecode.open()
        for load in loads + [blocker] { await load.value }
        #expect(room.decoder.decodedBlues == [0, 3, 2, 1])
    }
}
