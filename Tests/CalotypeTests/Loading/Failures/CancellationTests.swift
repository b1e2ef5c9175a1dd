import Calotype
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import Testing
import Waiting

@Suite struct CancellationTests {
    @Test(.requirement("B13")) func `the first to leave stops nothing, the last one stops the download`() async {
        let gate = Gate()
        let room = LoaderFixture(gate: gate)
        let first = Task { await imageError { try await room.loader.fetch(URL.photo()) } }
        let second = Task { await imageError { try await room.loader.fetch(URL.photo()) } }
        await room.waitForWaiters(images: 2, sources: 1)
        await gate.waitForWaiters(1)
        first.cancel()
        #expect(await first.value?.code == .cancelled)
        #expect(room.transport.inFlight == 1)
        #expect(room.transport.cancelledCount == 0)
        second.cancel()
        #expect(await second.value?.code == .cancelled)
        await room.transport.waitForCancellations(1)
        #expect(room.transport.requestCount == 1)
    }

    @Test(.requirement("B14")) func `a task cancelled before it starts loads nothing and throws cancelled`() async {
        let room = LoaderFixture()
        let start = Gate()
        let task = Task {
            await start.wait()
            return await imageError { try await room.loader.fetch(URL.photo()) }
        }
        task.cancel()
        start.open()
        #expect(await task.value?.code == .cancelled)
        #expect(room.transport.requestCount == 0)
    }

    @Test(.requirement("B15")) func `a fetch may be cancelled from inside its own progress`() async {
        let gate = Gate()
        let room = LoaderFixture(answering: { request in
            HTTPResponse(url: request.url, status: 200, body: .chunks(of: PlainDecoder.data(), size: 4, gate: gate))
        })
        gate.open(count: 1)
        let task = Task {
            for try await event in room.loader.events(for: ImageRequest(.photo())) where event.progress != nil {
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        let result = await task.result
        gate.open()
        #expect(throws: ImageError.self) { try result.get() }
        await waitUntil { room.loader.statistics.images == 0 && room.loader.statistics.sources == 0 }
    }

    @Test(.requirement("B16")) func `asking again after a cancellation starts a fresh load`() async throws {
        let gate = Gate()
        let room = LoaderFixture(gate: gate)
        let first = Task { await imageError { try await room.loader.fetch(URL.photo()) } }
        await gate.waitForWaiters(1)
        first.cancel()
        #expect(await first.value?.code == .cancelled)
        let second = Task { try await room.loader.fetch(URL.photo()) }
        await room.transport.waitForRequests(2)
        gate.open()
        #expect(try await second.value.width == 4)
    }

    @Test(.requirement("B18", "D0.13")) func `cancelling the waiting task ends it exactly once, a hundred times`() async
    {
        let room = LoaderFixture()
        for round in 0..<100 {
            let task = Task { await imageError { try await room.loader.fetch(URL.photo(round)) } }
            task.cancel()
            let code = await task.value?.code
            #expect(code == nil || code == .cancelled)
        }
        await waitUntil { room.loader.statistics.images == 0 }
    }

    @Test(.requirement("B19")) func `a download that is cancelled while it waits never starts`() async {
        let gate = Gate()
        let room = LoaderFixture(gate: gate, options: { $0.downloads = 1 })
        let first = Task { try await room.loader.fetch(URL.photo(1)) }
        await gate.waitForWaiters(1)
        let second = Task { await imageError { try await room.loader.fetch(URL.photo(2)) } }
        await room.waitForWaiters(images: 2, sources: 2)
        second.cancel()
        #expect(await second.value?.code == .cancelled)
        gate.open()
        _ = try? await first.value
        #expect(room.transport.requests.map(\.url) == [.photo(1)])
    }

    @Test(.requirement("B24", "S0.4"))
    func `images, failures and cancellations leave nothing in the tables, also after many hits`() async {
        let room = LoaderFixture(answering: { request throws(TransportError) in
            if request.url.path.hasSuffix("7") { throw TransportError(.cannotConnect, "nobody there") }
            return .picture(request)
        })
        _ = await concurrently(200) { index in try? await room.loader.fetch(URL.photo(index % 10)) }
        #expect(room.loader.statistics.images == 0)
        #expect(room.loader.statistics.sources == 0)
        #expect(room.loader.statistics.imageWaiters == 0)
    }

    @Test func `cancelAll ends what is under way as cancelled, and later requests start afresh`() async throws {
        let gate = Gate()
        let room = LoaderFixture(gate: gate)
        let running = Task { await imageError { try await room.loader.fetch(URL.photo()) } }
        await gate.waitForWaiters(1)
        room.loader.cancelAll()
        #expect(await running.value?.code == .cancelled)
        await room.transport.waitForCancellations(1)
        gate.open()
        _ = try await room.loader.fetch(URL.photo())
        #expect(room.transport.requestCount == 2)
    }

    @Test(.requirement("B25")) func `invalidating ends what is under way, and everything later fails at once`() async {
        let gate = Gate()
        let room = LoaderFixture(gate: gate)
        let running = Task { await imageError { try await room.loader.fetch(URL.photo()) } }
        await gate.waitForWaiters(1)
        room.loader.invalidate()
        #expect(await running.value?.code == .invalidated)
        #expect(await imageError { try await room.loader.fetch(URL.photo(2)) }?.code == .invalidated)
        #expect(await imageError { try await room.loader.data(for: ImageRequest(.photo(3))) }?.code == .invalidated)
        await room.transport.waitForCancellations(1)
        #expect(room.transport.requestCount == 1)
    }

    @Test(.requirement("B48"))
    func `a read from disk that nobody waits for any more is neither decoded nor remembered`() async throws {
        let folder = TemporaryFolder()
        try await folder.room().fetchAndFlush(ImageRequest(.photo("stored")))
        // Another image's decode blocks the only codec thread, so that the stored bytes wait for it.
        let gate = Gate()
        let room = folder.room(decodeHook: { gate.waitBlocking() }, options: { $0.codecThreads = 1 })
        let other = Task { try await room.loader.fetch(URL.photo("other")) }
        await gate.waitForWaiters(1)
        let reading = Task { await imageError { try await room.loader.fetch(URL.photo("stored")) } }
        await waitUntil { room.loader.statistics.codecQueue == 1 }
        reading.cancel()
        #expect(await reading.value?.code == .cancelled)
        gate.open()
        _ = try await other.value
        await waitUntil { room.loader.statistics.images == 0 && room.loader.statistics.sources == 0 }
        #expect(room.decoder.decodeCount == 1)
        #expect(room.loader.cachedImage(for: URL.photo("stored")) == nil)
        #expect(try await room.loader.response(for: ImageRequest(.photo("stored"))).origin == .disk)
        #expect(room.transport.requests.map(\.url) == [.photo("other")])
    }
}
