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

@Suite struct DiskTests {
    @Test(.requirement("S0.8", "S0.9", "S0.11", "C1", "S4.13"))
    func `a new loader over the same directory asks the disk, and memory after that`() async throws {
        let folder = TemporaryFolder()
        try await folder.room().fetchAndFlush(ImageRequest(.photo()))
        let room = folder.room()
        #expect(try await room.loader.response(for: ImageRequest(.photo())).origin == .disk)
        #expect(try await room.loader.response(for: ImageRequest(.photo())).origin == .memory)
        #expect(room.transport.requestCount == 0)
    }

    @Test(.requirement("S0.10")) func `what the network gave is in memory and on disk when it is delivered`()
        async throws
    {
        let folder = TemporaryFolder()
        let room = folder.room()
        #expect(try await room.loader.response(for: ImageRequest(.photo())).origin == .network)
        #expect(room.loader.cachedImage(for: URL.photo()) != nil)
        let store = try #require(room.loader.diskStore)
        #expect(try await store.entry(for: "http\nhttp://photos.example/1")?.body == PlainDecoder.data())
    }

    /// A write used to look its entry up once more, so that a hit ratio of hits only was shown as 1 in 2.
    @Test(arguments: [StoragePolicy.originals, .encoded, .automatic, .all])
    func `a cold fetch counts one miss on disk, whatever is stored of it`(storage: StoragePolicy) async throws {
        let folder = TemporaryFolder()
        let room = folder.room(options: { $0.storage = storage })
        _ = try await room.loader.fetch(
            ImageRequest(.photo(), size: ResizeTarget(width: 2), steps: [CountingStep("a")]))
        let statistics = try await room.loader.diskStore?.statistics()
        #expect(statistics?.misses == 1 && statistics?.hits == 0)
    }

    @Test(.requirement("B47", "D0.5"))
    func `a small size keeps the original as it came, which serves every other size`() async throws {
        let folder = TemporaryFolder()
        let large: FakeTransport.Answer = { request in .picture(request, width: 400, height: 300) }
        let small = ImageRequest(.photo(), size: ResizeTarget(width: 40))
        try await folder.room(answering: large).fetchAndFlush(small)
        let room = folder.room(answering: large)
        let other = try await room.loader.response(for: ImageRequest(.photo(), size: ResizeTarget(width: 200)))
        #expect(other.bitmap.width == 200)
        #expect(other.origin == .disk)
        #expect(room.transport.requestCount == 0)
    }

    @Test(.requirement("B46")) func `asked for the cache alone, a miss fails with notInCache and reaches no network`()
        async throws
    {
        let folder = TemporaryFolder()
        let room = folder.room()
        var request = ImageRequest(.photo())
        request.policy = .returnCacheDontLoad
        #expect(await imageError { try await room.loader.fetch(request) }?.code == .notInCache)
        #expect(room.transport.requestCount == 0)
        _ = try await room.loader.fetch(URL.photo())
        #expect(try await room.loader.fetch(request).width == 4)
    }

    @Test(.requirement("B46")) func `a reload reads no cache and fills them all`() async throws {
        let folder = TemporaryFolder()
        let count = Counter()
        let room = folder.room(answering: { request in .picture(request, blue: UInt8(count.next())) })
        #expect(try await room.loader.fetch(URL.photo()).blue == 1)
        var request = ImageRequest(.photo())
        request.policy = .reloadIgnoringCache
        #expect(try await room.loader.fetch(request).blue == 2)
        #expect(room.loader.cachedImage(for: URL.photo())?.blue == 2)
        try await room.loader.diskStore?.flush()
        #expect(try await folder.room().loader.fetch(URL.photo()).blue == 2)
    }

    @Test
    func `what is stored is good for as long as its server said; after that it is loaded anew, unless any age will do`()
        async throws
    {
        let folder = TemporaryFolder()
        let clock = ManualClock()
        // The store itself expires nothing here: the test is about the freshness that the loader assumes.
        var keepsForEver = DiskStoreOptions()
        keepsForEver.maximumAge = nil
        let store = DiskStore(directory: folder.path, options: keepsForEver, wallClock: clock.wall)
        func room() -> LoaderFixture { folder.room(clock: clock, options: { $0.disk = .store(store) }) }
        try await room().fetchAndFlush(ImageRequest(.photo()))
        clock.advance(by: .seconds(7 * 86_400 - 1))
        #expect(try await room().loader.response(for: ImageRequest(.photo())).origin == .disk)
        clock.advance(by: .seconds(2))
        var anyAge = ImageRequest(.photo())
        anyAge.policy = .returnCacheElseLoad
        #expect(try await room().loader.response(for: anyAge).origin == .stale)
        #expect(try await room().loader.response(for: ImageRequest(.photo())).origin == .network)
    }

    @Test(arguments: ["no-store", "max-age=60, No-Store"])
    func `an answer that says no-store is shown and not stored`(_ directive: String) async throws {
        let folder = TemporaryFolder()
        let answer: FakeTransport.Answer = { request in
            HTTPResponse(
                url: request.url, status: 200, fields: ["Cache-Control": ByteString(directive)],
                body: HTTPBody(PlainDecoder.data()))
        }
        try await folder.room(answering: answer).fetchAndFlush(ImageRequest(.photo()))
        let room = folder.room(answering: answer)
        #expect(try await room.loader.response(for: ImageRequest(.photo())).origin == .network)
    }

    @Test(.requirement("B41")) func `stored bytes that are no image are removed, and the image is loaded anew`()
        async throws
    {
        let folder = TemporaryFolder()
        // For a request for bytes alone, a loader stores any successful response.
        let page: FakeTransport.Answer = { request in
            HTTPResponse(
                url: request.url, status: 200, fields: ["Cache-Control": "max-age=60"],
                body: HTTPBody(Data("PLAIN none".utf8)))
        }
        let before = folder.room(answering: page)
        _ = try await before.loader.data(for: ImageRequest(.photo()))
        try await before.loader.diskStore?.flush()
        let room = folder.room()
        let store = try #require(room.loader.diskStore)
        #expect(try await store.list().count == 1)
        #expect(try await room.loader.response(for: ImageRequest(.photo())).origin == .network)
        #expect(try await store.list().map(\.size) == [PlainDecoder.data().count])
    }

    @Test(.requirement("C6", "D0.6")) func `an answer that is no image is not kept`() async throws {
        let folder = TemporaryFolder()
        let page: FakeTransport.Answer = { request in
            HTTPResponse(url: request.url, status: 200, body: HTTPBody(Data("<html>Not here</html>".utf8)))
        }
        let room = folder.room(answering: page)
        #expect(await imageError { try await room.loader.fetch(URL.photo()) }?.code == .notAnImage)
        let store = try #require(room.loader.diskStore)
        #expect(try await store.list().isEmpty)
    }

    @Test(.requirement("B42")) func `an entry whose head cannot be read is removed, reported and loaded anew`()
        async throws
    {
        let folder = TemporaryFolder()
        let problems = Names()
        let room = folder.room(options: { $0.onProblem = { problems.add($0.message) } })
        let store = try #require(room.loader.diskStore)
        try await store.store(PlainDecoder.data(), metadata: Data([0xFF]), for: "http\nhttp://photos.example/1")
        #expect(try await room.loader.response(for: ImageRequest(.photo())).origin == .network)
        #expect(problems.all.contains { $0.contains("could not be read") })
    }

    @Test(.requirement("B45"))
    func `bytes of file: and data: URLs are not stored, finished images of them are, whatever the case of the scheme`()
        async throws
    {
        let url = try #require(URL(string: "DATA:text/plain,PLAIN%204%203%2077"))
        for (storage, kept) in [(StoragePolicy.originals, false), (.all, true), (.automatic, true)] {
            let folder = TemporaryFolder()
            let room = folder.room(options: { $0.storage = storage }, answering: { .picture($0, blue: 77) })
            _ = try await room.loader.fetch(ImageRequest(url, size: ResizeTarget(width: 2)))
            let store = try #require(room.loader.diskStore)
            let entries = try await store.list()
            #expect(entries.count == (kept ? 1 : 0))
            #expect(entries.allSatisfy { $0.key.hasPrefix("processed") })
        }
    }

    @Test(
        .requirement("B44"),
        arguments: [
            (StoragePolicy.originals, 1, 1), (.encoded, 0, 2), (.automatic, 1, 2), (.all, 1, 2),
        ])
    func `which images go to disk follows the policy; a processed one comes with its original's head at least`(
        _ policy: StoragePolicy, _ plain: Int, _ sized: Int
    ) async throws {
        for (size, expected) in [(nil, plain), (ResizeTarget(width: 2), sized)] {
            let room = TemporaryFolder().room(options: { $0.storage = policy })
            _ = try await room.loader.fetch(ImageRequest(.photo(), size: size))
            let store = try #require(room.loader.diskStore)
            #expect(try await store.list().count == expected)
        }
    }

    @Test(.requirement("B44")) func `a finished image from disk needs no download, and no decoder of the original`()
        async throws
    {
        let folder = TemporaryFolder()
        let request = ImageRequest(.photo(), size: ResizeTarget(width: 2))
        try await folder.room(options: { $0.storage = .encoded }).fetchAndFlush(request)
        let room = folder.room(options: { $0.storage = .encoded })
        #expect(try await room.loader.response(for: request).origin == .disk)
        #expect(room.transport.requestCount == 0)
        #expect(room.decoder.decodeCount == 0)
    }

    @Test(.requirement("D0.4", "C7")) func `a store that cannot be used fails no load, and says so`() async throws {
        let problems = Names()
        let folder = TemporaryFolder()
        try Data("in the way".utf8).write(to: URL(filePath: folder.path))
        let room = folder.room(options: {
            $0.disk = .directory(folder.path)
            $0.onProblem = { problems.add($0.message) }
        })
        #expect(try await room.loader.fetch(URL.photo()).width == 4)
        #expect(try await room.loader.fetch(ImageRequest(.photo(), size: ResizeTarget(width: 2))).width == 2)
        _ = try? await room.loader.diskStore?.flush()
        #expect(!problems.all.isEmpty && problems.all.allSatisfy { $0.hasPrefix("the disk store") }, "\(problems.all)")
    }

    /// Every load used to meet the problem again, and report it twice.
    @Test func `the problem of a store that cannot be used is reported once a minute`() async throws {
        let problems = Names()
        let folder = TemporaryFolder()
        try Data("in the way".utf8).write(to: URL(filePath: folder.path))
        let clock = ManualClock()
        let room = folder.room(options: {
            $0.disk = .directory(folder.path)
            $0.clock = clock
            $0.onProblem = { problems.add($0.message) }
        })
        func load(_ names: Range<Int>) async throws {
            for name in names { _ = try await room.loader.fetch(URL.photo(name)) }
        }
        try await load(0..<50)
        #expect(problems.all.count == 1)
        clock.advance(by: .seconds(60))
        try await load(50..<60)
        #expect(problems.all.count == 2)
    }

    @Test func `a load that its caller cancels is no problem of the store`() async throws {
        let problems = Names()
        let folder = TemporaryFolder()
        let room = folder.room(options: { $0.onProblem = { problems.add($0.message) } })
        let store = try #require(room.loader.diskStore)
        let end = DispatchSemaphore(value: 0)
        // All reading threads are busy.
        let busy = (0..<2).map { _ in
            Task { try await store.readerThreads.run { () throws(StoreError) in end.wait() } }
        }
        await waitUntil { store.readerThreads.load.running == 2 }
        for name in 0..<20 {
            let load = Task { _ = try? await room.loader.fetch(URL.photo(name)) }
            await waitUntil { store.readerThreads.load.waiting == 1 }
            load.cancel()
            await load.value
            await waitUntil { store.readerThreads.load.waiting == 0 }
        }
        for _ in busy { end.signal() }
        for task in busy { try await task.value }
        _ = try await room.loader.fetch(URL.photo())
        try await store.flush()
        #expect(problems.all == [])
    }

    @Test(.requirement("S4.29")) func `one call empties memory and disk; another removes one image`() async throws {
        let room = TemporaryFolder().room()
        let store = try #require(room.loader.diskStore)
        for name in 1...3 { _ = try await room.loader.fetch(URL.photo(name)) }
        await room.loader.remove(ImageRequest(.photo(1)))
        #expect(room.loader.cachedImage(for: URL.photo(1)) == nil)
        #expect(try await store.list().count == 2)
        try await room.loader.removeAll()
        #expect(room.loader.cachedImage(for: URL.photo(2)) == nil)
        #expect(try await store.list().isEmpty)
    }

    @Test func `requests may leave caches out one by one`() async throws {
        let room = TemporaryFolder().room()
        let store = try #require(room.loader.diskStore)
        var request = ImageRequest(.photo())
        request.caching = [.readMemory, .readDisk]
        _ = try await room.loader.fetch(request)
        #expect(room.loader.cachedImage(for: URL.photo()) == nil)
        #expect(try await store.list().isEmpty)
    }
}
