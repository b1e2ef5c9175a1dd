import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
import Foundation
import Requirements
import Testing
import Waiting

@Suite struct PrefetcherTests {
    private func requests(_ names: Range<Int>) -> [ImageRequest] { names.map { ImageRequest(.photo($0)) } }

    @Test(.requirement("B68")) func `images are there when they are asked for, two at a time, each once`() async {
        let gate = Gate()
        let room = LoaderFixture(gate: gate)
        let prefetcher = Prefetcher(loader: room.loader)
        prefetcher.start(requests(0..<6))
        prefetcher.start(requests(0..<6))
        await gate.waitForWaiters(2)
        #expect(room.transport.inFlight == 2)
        gate.open()
        await prefetcher.waitUntilIdle()
        #expect(room.transport.requestCount == 6)
        #expect(room.transport.peakConcurrency == 2)
        #expect((0..<6).allSatisfy { room.loader.cachedImage(for: URL.photo($0)) != nil })
    }

    /// A program that ended after the wait lost the last images: the store had not written them yet.
    @Test func `images prefetched to the disk are written when the prefetcher is idle`() async throws {
        let folder = TemporaryFolder()
        let room = folder.room(answering: { request in
            .picture(request, blue: UInt8(request.url.lastPathComponent) ?? 0)
        })
        let prefetcher = Prefetcher(loader: room.loader, destination: .disk, limit: 8)
        prefetcher.start(requests(0..<60))
        await prefetcher.waitUntilIdle()
        // As another process would find them.
        #expect(try await DiskStore(directory: folder.path).list().count == 60)
    }

    @Test(.requirement("B68")) func `what is in memory is skipped`() async throws {
        let room = LoaderFixture()
        _ = try await room.loader.fetch(URL.photo(0))
        let prefetcher = Prefetcher(loader: room.loader)
        prefetcher.start(requests(0..<2))
        await prefetcher.waitUntilIdle()
        #expect(room.transport.requestCount == 2)
    }

    @Test(.requirement("B68"))
    func `while paused nothing starts; stopped before it starts, nothing reaches the network`() async {
        let room = LoaderFixture()
        let prefetcher = Prefetcher(loader: room.loader)
        prefetcher.isPaused = true
        prefetcher.start(requests(0..<4))
        prefetcher.stop(requests(1..<4))
        #expect(room.transport.requestCount == 0)
        prefetcher.isPaused = false
        await prefetcher.waitUntilIdle()
        #expect(room.transport.requests.map(\.url) == [.photo(0)])
    }

    @Test(.requirement("B68")) func `stopping what is under way cancels it, unless somebody else waits for it`()
        async throws
    {
        let gate = Gate()
        let room = LoaderFixture(gate: gate)
        let prefetcher = Prefetcher(loader: room.loader)
        prefetcher.start(requests(0..<2))
        await gate.waitForWaiters(2)
        let wanted = Task { try await room.loader.fetch(URL.photo(0)) }
        await room.waitForWaiters(images: 3, sources: 2)
        prefetcher.stopAll()
        await room.transport.waitForCancellations(1)
        gate.open()
        #expect(try await wanted.value.width == 4)
        #expect(room.loader.cachedImage(for: URL.photo(1)) == nil)
    }

    @Test(.requirement("B68")) func `an empty list is done at once`() async {
        let prefetcher = Prefetcher(loader: LoaderFixture().loader)
        prefetcher.start(requests(0..<0))
        await prefetcher.waitUntilIdle()
    }

    @Test func `URLs start and stop their full-size images`() async {
        let room = LoaderFixture()
        let prefetcher = Prefetcher(loader: room.loader)
        prefetcher.isPaused = true
        prefetcher.start((0..<3).map { URL.photo($0) })
        prefetcher.stop([URL.photo(1)])
        prefetcher.isPaused = false
        await prefetcher.waitUntilIdle()
        #expect(Set(room.transport.requests.map(\.url)) == [.photo(0), .photo(2)])
        #expect(room.loader.cachedImage(for: .photo(2))?.width == 4)
    }

    @Test(.requirement("B68")) func `letting go of the prefetcher ends what it has under way`() async {
        let gate = Gate()
        let room = LoaderFixture(gate: gate)
        var prefetcher: Prefetcher? = Prefetcher(loader: room.loader)
        prefetcher?.start(requests(0..<4))
        await gate.waitForWaiters(2)
        prefetcher = nil
        await room.transport.waitForCancellations(2)
        #expect(room.transport.requestCount == 2)
    }

    @Test(.requirement("B68"))
    func `it gives way to those who wait, and a changed priority reaches what has not started`() async {
        let gate = Gate()
        let room = LoaderFixture(gate: gate, options: { $0.downloads = 1 })
        let blocker = Task { _ = try? await room.loader.fetch(URL.photo("blocker")) }
        await gate.waitForWaiters(1)
        let prefetcher = Prefetcher(loader: room.loader, limit: 1)
        #expect(prefetcher.priority == .low)
        prefetcher.start([ImageRequest(.photo("ahead"))])
        await waitUntil { room.loader.statistics.downloadQueue == 1 }
        let wanted = Task { _ = try? await room.loader.fetch(URL.photo("wanted")) }
        await waitUntil { room.loader.statistics.downloadQueue == 2 }
        prefetcher.priority = .high
        gate.open()
        await prefetcher.waitUntilIdle()
        await wanted.value
        await blocker.value
        #expect(room.transport.requests.map(\.url.lastPathComponent) == ["blocker", "ahead", "wanted"])
    }

    /// A list of 10,000 used to keep the caller's thread busy for 132 ms.
    @MainActor
    @Test func `the keys of a list are made once, and not on the caller's thread`() async {
        let (here, elsewhere) = (Counter(), Counter())
        let room = LoaderFixture(options: {
            $0.defaultFields = { _ in
                if Thread.isMainThread { here.next() } else { elsewhere.next() }
                return [:]
            }
        })
        let prefetcher = Prefetcher(loader: room.loader)
        prefetcher.isPaused = true
        #expect(prefetcher.start(requests(0..<500)) == 0)
        await waitUntil { elsewhere.count == 500 }
        prefetcher.stopAll()
        await prefetcher.waitUntilIdle()
        #expect(here.count == 0)
        #expect(elsewhere.count == 500)
        #expect(room.transport.requestCount == 0)
    }

    @Test func `what is stopped and started again is loaded, in the order of the calls`() async {
        let room = LoaderFixture()
        let prefetcher = Prefetcher(loader: room.loader, limit: 1)
        prefetcher.isPaused = true
        for _ in 0..<20 {
            prefetcher.start(requests(0..<50))
            prefetcher.stopAll()
            prefetcher.start(requests(0..<50))
            prefetcher.stop(requests(0..<50))
            prefetcher.start(requests(2..<4))
        }
        prefetcher.isPaused = false
        await prefetcher.waitUntilIdle()
        #expect(room.transport.requests.map(\.url) == [.photo(2), .photo(3)])
    }

    @Test func `beyond its limit the queue takes nothing, and says how much it left out`() async {
        let gate = Gate()
        let room = LoaderFixture(gate: gate)
        let prefetcher = Prefetcher(loader: room.loader, limit: 1, queueLimit: 3)
        #expect(prefetcher.start(requests(0..<10)) == 6)
        // Requests that wait already take no second slot.
        #expect(prefetcher.start(requests(0..<5)) == 1)
        gate.open()
        await prefetcher.waitUntilIdle()
        #expect(room.transport.requests.map(\.url) == (0..<4).map { .photo($0) })
        #expect(prefetcher.start(requests(4..<8)) == 0)
        await prefetcher.waitUntilIdle()
        #expect(room.transport.requestCount == 8)
    }

    @Test(.requirement("B68")) func `a failure is passed over; whoever asks later tries again`() async {
        let room = LoaderFixture(answering: { request throws(TransportError) in
            throw TransportError(.cannotConnect, "nobody there")
        })
        let prefetcher = Prefetcher(loader: room.loader)
        prefetcher.start(requests(0..<3))
        await prefetcher.waitUntilIdle()
        #expect(room.transport.requestCount == 3)
        #expect(await imageError { try await room.loader.fetch(URL.photo(0)) }?.code == .connectionFailed)
    }

    @Test(.requirement("B68")) func `prefetched to disk, bytes are stored, and nothing is decoded or kept in memory`()
        async throws
    {
        let folder = TemporaryFolder()
        let ahead = folder.room()
        let prefetcher = Prefetcher(loader: ahead.loader, destination: .disk)
        prefetcher.start(requests(0..<3))
        await prefetcher.waitUntilIdle()
        try await ahead.loader.diskStore?.flush()
        #expect(ahead.transport.requestCount == 3)
        #expect(ahead.decoder.decodeCount == 0)
        #expect((0..<3).allSatisfy { ahead.loader.cachedImage(for: URL.photo($0)) == nil })
        // Images on disk are not loaded again, and later requests find them there.
        prefetcher.start(requests(0..<3))
        await prefetcher.waitUntilIdle()
        #expect(ahead.transport.requestCount == 3)
        let room = folder.room()
        for request in requests(0..<3) { #expect(try await room.loader.response(for: request).origin == .disk) }
        #expect(room.transport.requestCount == 0)
    }
}
