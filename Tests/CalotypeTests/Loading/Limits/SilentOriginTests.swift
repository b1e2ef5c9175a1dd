import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing
import Waiting

@testable import Calotype

/// Loads over the system's transport while an origin accepts requests and sends nothing.
@Suite(.timeLimit(.minutes(1))) struct SilentOriginTests {
    private let silent: OriginServer
    private let good: OriginServer
    private let gate = Gate()

    init() throws {
        silent = try OriginServer(host: "127.0.0.2")
        good = try OriginServer()
        let reply = OriginReply.ok(PlainDecoder.data())
        silent.onAny { [gate] request in request.path.hasPrefix("/silent") ? reply.held(by: gate) : reply }
        good.onAny { _ in reply }
    }

    private func loader(_ change: (inout ImageLoaderOptions) -> Void) -> ImageLoader {
        var options = ImageLoaderOptions.ephemeral
        options.decoders.register(PlainDecoder())
        options.retry = .never
        // Nothing but the rules under test ends or passes over a silent request.
        options.timeouts.idle = .seconds(600)
        options.pace = nil
        options.respondsToMemoryPressure = false
        change(&options)
        return ImageLoader(options)
    }

    private func startSilent(_ count: Int, _ loader: ImageLoader) -> [Task<Bool, Never>] {
        (0..<count).map { number in Task { (try? await loader.fetch(silent.url("/silent\(number)"))) != nil } }
    }

    // 33 requests took all 32 slots, though only six of them had a connection.
    @Test func `a silent origin has its share of the slots, and delays no other origin`() async throws {
        let loader = loader { $0.silence = .seconds(600) }
        let loads = startSilent(40, loader)
        await waitUntil { loader.statistics.downloadQueue == 34 }
        _ = try await loader.fetch(good.url("/a"))
        await silent.waitForRequests(6)
        #expect(silent.requestCount() == 6)
        gate.open()
        for load in loads { #expect(await load.value) }
    }

    @Test func `prefetched images leave the last slot of the system's transport to one that a view waits for`()
        async throws
    {
        let loader = loader {
            $0.downloads = 2
            $0.silence = .seconds(600)
        }
        let prefetcher = Prefetcher(loader: loader)
        prefetcher.start((0..<2).map { ImageRequest(silent.url("/silent\($0)")) })
        await silent.waitForRequests(1)
        await waitUntil { loader.statistics.downloadQueue == 1 }
        _ = try await loader.fetch(good.url("/a"))
        #expect(silent.requestCount() == 1)
        gate.open()
        await prefetcher.waitUntilIdle()
        #expect(silent.requestCount() == 2)
    }

    @Test(arguments: [1, 2, 32], [12, 100])
    func `silent requests delay neither their own origin nor another one`(downloads: Int, count: Int) async throws {
        let loader = loader {
            $0.downloads = downloads
            $0.silence = .milliseconds(40)
        }
        let loads = startSilent(count, loader)
        await silent.waitForRequests(min(downloads, 6))
        _ = try await loader.fetch(silent.url("/good"))
        _ = try await loader.fetch(good.url("/a"))
        gate.open()
        for load in loads { #expect(await load.value) }
    }

    @Test func `stale images of a silent origin do not stop the refreshes of another one`() async throws {
        let clock = ManualClock()
        let loader = loader {
            $0.wallClock = clock.wall
            $0.silence = .seconds(600)
        }
        var reply = OriginReply.ok(PlainDecoder.data())
        reply.fields["Cache-Control"] = "max-age=10, stale-while-revalidate=1000"
        silent.onAny { [reply] _ in reply }
        good.onAny { [reply] _ in reply }
        for number in 0..<40 { _ = try await loader.fetch(silent.url("/\(number)")) }
        _ = try await loader.fetch(good.url("/a"))
        clock.advance(by: .seconds(11))
        silent.onAny { [reply, gate] _ in reply.held(by: gate) }
        for number in 0..<40 { _ = try await loader.fetch(silent.url("/\(number)")) }
        _ = try await loader.fetch(good.url("/a"))
        await good.waitForRequests(2)
        gate.open()
    }

    @Test func `requests beyond the queue fail with overloaded`() async throws {
        let loader = loader {
            $0.downloads = 1
            $0.queueLimit = 1
            $0.silence = .seconds(600)
        }
        let loads = startSilent(1, loader)
        await silent.waitForRequests(1)
        let waiting = Task { try await loader.fetch(good.url("/a")) }
        await waitUntil { loader.statistics.downloadQueue == 1 }
        #expect(await imageError { try await loader.fetch(good.url("/b")) }?.code == .overloaded)
        gate.open()
        _ = try await waiting.value
        for load in loads { #expect(await load.value) }
    }

    @Test func `while bodies take more than the limit, no request begins`() async throws {
        let (decoding, release) = (Gate(), Gate())
        var options = ImageLoaderOptions.ephemeral
        options.decoders.register(
            PlainDecoder {
                decoding.open()
                release.waitBlocking()
            })
        options.undecodedBytes = 1
        options.codecThreads = 1
        options.respondsToMemoryPressure = false
        let loader = ImageLoader(options)
        let first = Task { try await loader.fetch(good.url("/0")) }
        await decoding.wait()
        let others = (1..<10).map { number in Task { try await loader.fetch(good.url("/\(number)")) } }
        await waitUntil { loader.statistics.downloadQueue == 9 }
        #expect(good.requestCount() == 1)
        release.open()
        _ = try await first.value
        for load in others { _ = try await load.value }
        await waitUntil { loader.statistics.undecodedBytes == 0 }
    }
}
