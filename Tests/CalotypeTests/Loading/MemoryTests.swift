import Calotype
import CalotypeCodecs
import CalotypeHTTP
import CalotypeMemory
import CalotypeTesting
import Foundation
import Requirements
import Testing

@Suite struct MemoryTests {
    @Test(.requirement("S0.5", "S4.2"))
    func `the second fetch is the same bitmap, with no download, decode or read from disk`() async throws {
        let room = LoaderFixture()
        let first = try await room.loader.fetch(URL.photo())
        let second = try await room.loader.response(for: ImageRequest(.photo()))
        #expect(first.isIdentical(to: second.bitmap))
        #expect(second.origin == .memory)
        #expect(room.transport.requestCount == 1)
        #expect(room.decoder.decodeCount == 1)
    }

    /// Each stage that looked again used to count another miss: a hit ratio of hits only was shown as 1 in 4.
    @Test func `a cold fetch counts one miss in memory, and a hit one hit`() async throws {
        let room = LoaderFixture()
        let request = ImageRequest(
            source: .url(.photo()), size: ResizeTarget(width: 2), steps: [CountingStep("a"), CountingStep("b")],
            acceptsLargerImages: true)
        _ = try await room.loader.fetch(request)
        #expect(room.loader.statistics.memory.misses == 1)
        #expect(room.loader.statistics.memory.hits == 0)
        _ = try await room.loader.fetch(request)
        #expect(room.loader.statistics.memory.misses == 1)
        #expect(room.loader.statistics.memory.hits == 1)
    }

    @Test(.requirement("B26", "C8", "D0.8", "D4.9", "D1.4", "D2.6", "S4.8"))
    func `memory is bounded by the bytes of its bitmaps`() async throws {
        let room = LoaderFixture(
            options: { $0.memory = MemoryCacheOptions(costLimit: 100_000, entryCostLimit: 100_000) },
            answering: { .picture($0, width: 100, height: 50) })
        for name in 0..<20 { _ = try await room.loader.fetch(URL.photo(name)) }
        #expect(room.loader.statistics.memory.cost == 100_000)
        #expect(room.loader.statistics.memory.count == 5)
    }

    @Test(.requirement("B28")) func `with a limit of 0 nothing is remembered, and everything works`() async throws {
        let room = LoaderFixture(options: { $0.memory = MemoryCacheOptions(costLimit: 0) })
        for _ in 0..<2 { _ = try await room.loader.fetch(URL.photo()) }
        #expect(room.transport.requestCount == 2)
        #expect(room.loader.cachedImage(for: URL.photo()) == nil)
    }

    @Test(.requirement("B29")) func `a bitmap too large to remember is delivered all the same, counted and reported`()
        async throws
    {
        let problems = Names()
        let room = LoaderFixture(
            options: {
                $0.memory = MemoryCacheOptions(costLimit: 100_000)
                $0.onProblem = { problems.add($0.message) }
            }, answering: { .picture($0, width: 100, height: 50) })
        #expect(try await room.loader.fetch(URL.photo()).width == 100)
        #expect(room.loader.cachedImage(for: URL.photo()) == nil)
        #expect(room.loader.statistics.memory.rejections == 1)
        #expect(problems.all.count == 1)
    }

    @Test(.requirement("B30")) func `images with a time to live are loaded again after it`() async throws {
        let clock = ManualClock()
        let room = LoaderFixture(options: {
            $0.memory = MemoryCacheOptions(timeToLive: .seconds(60))
            $0.wallClock = clock.wall
        })
        _ = try await room.loader.fetch(URL.photo())
        clock.advance(by: .seconds(59))
        #expect(room.loader.cachedImage(for: URL.photo()) != nil)
        clock.advance(by: .seconds(2))
        #expect(room.loader.cachedImage(for: URL.photo()) == nil)
    }

    @Test(.requirement("B31")) func `short of memory, half of the images go`() async throws {
        let room = LoaderFixture(answering: { .picture($0, width: 100, height: 50) })
        for name in 0..<10 { _ = try await room.loader.fetch(URL.photo(name)) }
        let before = room.loader.statistics.memory.cost
        room.loader.shrinkMemory()
        #expect(room.loader.statistics.memory.cost <= before / 2)
        #expect(room.loader.statistics.memory.cost > 0)
    }
}
