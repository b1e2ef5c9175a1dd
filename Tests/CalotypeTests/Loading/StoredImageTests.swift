import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
import Foundation
import Testing
import Waiting

@testable import Calotype

/// Images that the program stores itself.
@Suite struct StoredImageTests {
    private let folder = TemporaryFolder()
    private let clock = ManualClock()
    private let request = ImageRequest(.photo(), size: ResizeTarget(width: 2))

    private func room(
        _ storage: StoragePolicy = .all, gate: Gate = Gate(isOpen: true),
        answering answer: @escaping FakeTransport.Answer = { .picture($0, blue: 9) }
    ) -> LoaderFixture {
        folder.room(clock: clock, gate: gate, options: { $0.storage = storage }, answering: answer)
    }

    /// Loads in a new loader, as another process would.
    private func load(
        _ request: ImageRequest, _ storage: StoragePolicy = .all
    ) async throws -> (blue: UInt8, origin: ImageResponse.Origin, requests: Int) {
        let room = room(storage)
        let response = try await room.loader.response(for: request)
        try await room.loader.diskStore?.close()
        return (response.bitmap.blue, response.origin, room.transport.requestCount)
    }

    private func store(_ request: ImageRequest, blue: UInt8 = 77, _ storage: StoragePolicy = .all) async throws {
        let room = room(storage)
        try await room.loader.store(.plain(2, 2, blue: blue), for: request)
        try await room.loader.diskStore?.close()
    }

    @Test(arguments: [StoragePolicy.originals, .all])
    func `a stored image is in memory at once`(_ storage: StoragePolicy) async throws {
        let room = room(storage)
        try await room.loader.store(.plain(2, 2, blue: 77), for: request)
        #expect(room.loader.cachedImage(for: request)?.blue == 77)
        #expect(try await room.loader.response(for: request).origin == .memory)
        #expect(room.transport.requestCount == 0)
        // Another size is another image.
        #expect(try await room.loader.fetch(ImageRequest(.photo(), size: ResizeTarget(width: 3))).blue == 9)
    }

    @Test(arguments: [StoragePolicy.all, .encoded, .automatic])
    func `a loader that stores processed images finds it on disk`(_ storage: StoragePolicy) async throws {
        for request in [request, ImageRequest(.photo())] {
            try await store(request, storage)
            #expect(try await load(request, storage) == (77, .disk, 0))
            try await store(request, blue: 78, storage)
            #expect(try await load(request, storage) == (78, .disk, 0))
        }
    }

    @Test func `a loader that stores originals alone keeps it in memory alone`() async throws {
        try await store(request, .originals)
        #expect(try await load(request, .originals) == (9, .network, 1))
    }

    @Test func `a stored image comes before the one that the server has sent`() async throws {
        #expect(try await load(request) == (9, .network, 1))
        try await store(request)
        #expect(try await load(request) == (77, .disk, 0))
        var reload = request
        reload.policy = .reloadIgnoringCache
        #expect(try await load(reload) == (9, .network, 1))
    }

    @Test func `requests of other users do not find a stored image`() async throws {
        func request(_ user: ByteString) -> ImageRequest {
            ImageRequest(source: .request(HTTPRequest(.photo(), fields: ["Authorization": user])))
        }
        try await store(request("anna"))
        #expect(try await load(request("anna")) == (77, .disk, 0))
        #expect(try await load(request("ben")) == (9, .network, 1))
    }

    @Test func `a stored image stays on disk for the lifetime of stored bytes`() async throws {
        try await store(request)
        clock.advance(by: .seconds(7 * 24 * 60 * 60 - 1))
        #expect(try await load(request) == (77, .disk, 0))
        clock.advance(by: .seconds(2))
        #expect(try await load(request) == (9, .network, 1))
    }

    @Test func `a request that writes no disk stores in memory alone`() async throws {
        var request = request
        request.caching.remove(.writeDisk)
        try await store(request)
        #expect(try await load(request).origin == .network)
    }

    @Test func `stored images go with their source in any size`() async throws {
        let other = ImageRequest(.photo(), size: ResizeTarget(width: 3))
        let room = room()
        for request in [request, other] { try await room.loader.store(.plain(2, 2, blue: 77), for: request) }
        await room.loader.remove(ImageRequest(.photo()))
        for request in [request, other] {
            #expect(room.loader.cachedImage(for: request) == nil)
            #expect(await room.loader.cachedOrigin(of: request) == nil)
        }
        try await room.loader.store(.plain(2, 2, blue: 78), for: request)
        try await room.loader.diskStore?.close()
        #expect(try await load(request) == (78, .disk, 0))
        #expect(try await load(other).blue == 9)
    }

    @Test func `stored images go when all are removed`() async throws {
        let room = room()
        try await room.loader.store(.plain(2, 2, blue: 77), for: request)
        try await room.loader.removeAll()
        #expect(await room.loader.cachedOrigin(of: request) == nil)
        #expect(try await room.loader.fetch(request).blue == 9)
    }

    @Test func `a load under way does not replace a stored image`() async throws {
        let gate = Gate()
        let room = room(gate: gate)
        let load = Task { try await room.loader.fetch(request).blue }
        await gate.waitForWaiters(1)
        try await room.loader.store(.plain(2, 2, blue: 77), for: request)
        gate.open()
        #expect(try await load.value == 9)
        #expect(room.loader.cachedImage(for: request)?.blue == 77)
        try await room.loader.diskStore?.close()
        #expect(try await self.load(request) == (77, .disk, 0))
    }

    @Test func `a stored image ends the memory of a failure`() async throws {
        let room = room(answering: { HTTPResponse(url: $0.url, status: 404) })
        var request = request
        request.failureMemory = .seconds(600)
        #expect(await imageError { try await room.loader.fetch(request) }?.status == 404)
        try await room.loader.store(.plain(2, 2, blue: 77), for: request)
        #expect(try await room.loader.fetch(request).blue == 77)
    }

    @Test func `a request that cannot be loaded is refused`() async throws {
        let loader = room().loader
        let bitmap = try Bitmap.plain(2, 2)
        let ftp = ImageRequest(try #require(URL(string: "ftp://h/a.png")))
        #expect(await imageError { try await loader.store(bitmap, for: ftp) }?.code == .unsupportedScheme)
        loader.invalidate()
        #expect(await imageError { try await loader.store(bitmap, for: request) }?.code == .invalidated)
    }

    // MARK: Replacing

    /// Calls `body` while all codec threads of the loader are busy.
    private func withBusyCodecs(of loader: ImageLoader, _ body: () async throws -> Void) async throws {
        let pause = CodecPause()
        let jobs = (0..<loader.options.codecThreads).map { _ in
            Task { try await loader.pipeline.decoding.run(nil, cost: 0) { () throws(CodecError) in pause.stop() } }
        }
        await waitUntil { loader.statistics.codecs == jobs.count }
        try await body()
        for _ in jobs { pause.goOn() }
        for job in jobs { try await job.value }
    }

    @Test func `images that are stored at once for two sizes of a source are both stored`() async throws {
        let loader = room().loader
        let other = ImageRequest(.photo(), size: ResizeTarget(width: 3))
        var stores: [Task<Void, any Error>] = []
        try await withBusyCodecs(of: loader) {
            for (request, blue) in [(request, UInt8(77)), (other, 78)] {
                stores.append(Task { try await loader.store(.plain(2, 2, blue: blue), for: request) })
            }
            await waitUntil { loader.statistics.codecQueue == 2 }
        }
        for store in stores { try await store.value }
        #expect(loader.cachedImage(for: request)?.blue == 77)
        #expect(loader.cachedImage(for: other)?.blue == 78)
        try await loader.diskStore?.close()
        #expect(try await load(request) == (77, .disk, 0))
        #expect(try await load(other) == (78, .disk, 0))
    }

    @Test func `a removal withdraws an image that is still being stored`() async throws {
        let loader = room().loader
        var store: Task<Void, any Error>?
        try await withBusyCodecs(of: loader) {
            store = Task { try await loader.store(.plain(2, 2, blue: 77), for: request) }
            await waitUntil { loader.statistics.codecQueue == 1 }
            await loader.remove(request)
        }
        try await store?.value
        #expect(await loader.cachedOrigin(of: request) == nil)
    }

    @Test func `a removal of other sources is none of a watched source`() async {
        let revocations = Revocations()
        await revocations.watching("a") { mark in
            // More than there are counters, so that one of them shares the counter of the source.
            for number in 0..<20_000 { revocations.noteRemoval(of: "\(number)") }
            revocations.noteReplacement(of: "a")
            #expect(!revocations.isRemoved("a", since: mark))
            revocations.noteRemoval(of: "a")
            #expect(revocations.isRemoved("a", since: mark))
        }
    }

    @Test func `an image that memory may not keep takes the place of an older one there`() async throws {
        let loader = room().loader
        try await loader.store(.plain(2, 2, blue: 77), for: request)
        var diskOnly = request
        diskOnly.caching.remove(.writeMemory)
        try await loader.store(.plain(2, 2, blue: 78), for: diskOnly)
        #expect(loader.cachedImage(for: request) == nil)
        #expect(try await loader.fetch(request).blue == 78)
    }

    @Test func `an image that the disk may not keep takes the place of an older one there`() async throws {
        try await store(request)
        var memoryOnly = request
        memoryOnly.caching.remove(.writeDisk)
        try await store(memoryOnly, blue: 78)
        #expect(try await load(request) == (9, .network, 1))
    }

    @Test(arguments: [CachePolicy.revalidate, .reloadIgnoringCache], [2, 3])
    func `the server's image, once requested, takes the place of stored ones`(
        _ policy: CachePolicy, _ width: Int
    ) async throws {
        try await store(request)
        var reload = ImageRequest(.photo(), size: ResizeTarget(width: width))
        reload.policy = policy
        #expect(try await load(reload).blue == 9)
        #expect(try await load(request).blue == 9)
    }

    @Test func `a stored image stays if the server sends no other`() async throws {
        try await store(request)
        let room = room(answering: { HTTPResponse(url: $0.url, status: 404) })
        var reload = request
        reload.policy = .reloadIgnoringCache
        #expect(await imageError { try await room.loader.fetch(reload) }?.status == 404)
        try await room.loader.diskStore?.close()
        #expect(try await load(request) == (77, .disk, 0))
    }

    @Test func `an image that is stored during a reload stays`() async throws {
        let gate = Gate()
        let room = room(gate: gate)
        var reload = request
        reload.policy = .reloadIgnoringCache
        let load = Task { [reload] in try await room.loader.fetch(reload).blue }
        await gate.waitForWaiters(1)
        try await room.loader.store(.plain(2, 2, blue: 77), for: request)
        gate.open()
        #expect(try await load.value == 9)
        try await room.loader.diskStore?.close()
        #expect(try await self.load(request) == (77, .disk, 0))
    }

    // MARK: Prepared requests

    /// Returns a loader that prepares requests as this user.
    private func room(
        of user: Locked<ByteString>, _ storage: StoragePolicy = .all, preparations: Counter = Counter()
    ) -> LoaderFixture {
        folder.room(
            clock: clock,
            options: {
                $0.storage = storage
                $0.prepare = { request in
                    preparations.next()
                    var request = request
                    request.fields["Authorization"] = user.withLock { $0 }
                    return request
                }
            }, answering: { .picture($0, blue: 9) })
    }

    @Test(arguments: [StoragePolicy.originals, .all])
    func `an image stored for a prepared user is hers alone`(_ storage: StoragePolicy) async throws {
        let user = Locked<ByteString>("anna")
        let room = room(of: user, storage)
        try await room.loader.store(.plain(2, 2, blue: 77), for: request)
        #expect(room.loader.cachedImage(for: request) == nil)
        let isOnDisk = storage == .all
        #expect(try await room.loader.fetch(request).blue == (isOnDisk ? 77 : 9))
        #expect(await room.loader.cachedOrigin(of: request) == .disk)
        #expect(room.loader.cachedImage(for: request) == nil)
        room.loader.cancelAll()
        user.withLock { $0 = "ben" }
        #expect(await room.loader.cachedOrigin(of: request) == nil)
        #expect(try await room.loader.fetch(request).blue == 9)
        await room.loader.remove(request)
        user.withLock { $0 = "anna" }
        #expect(try await room.loader.fetch(request).blue == 9)
    }

    @Test func `a prepared user's image is found without the URL's fragment`() async throws {
        let room = room(of: Locked("anna"))
        try await room.loader.store(.plain(2, 2, blue: 77), for: ImageRequest(.photo("1#top")))
        #expect(await room.loader.cachedOrigin(of: ImageRequest(.photo())) == .disk)
    }

    @Test func `a load prepares its request again only for a source with stored images`() async throws {
        let preparations = Counter()
        let room = room(of: Locked("anna"), preparations: preparations)
        _ = try await room.loader.fetch(request)
        #expect(preparations.count == 1)
        try await room.loader.store(.plain(2, 2, blue: 77), for: request)
        #expect(preparations.count == 2)
        _ = try await room.loader.fetch(ImageRequest(.photo(), size: ResizeTarget(width: 3)))
        #expect(preparations.count == 4)
    }

    @Test func `an image whose request cannot be prepared is not stored`() async throws {
        struct SignedOut: Error {}
        let room = folder.room(options: {
            $0.storage = .all
            $0.prepare = { _ in throw SignedOut() }
        })
        let error = await imageError { try await room.loader.store(.plain(2, 2), for: request) }
        #expect(error?.code == .preparationFailed)
        #expect(room.loader.cachedImage(for: request) == nil)
    }

    @Test func `a prepared request without a user stores for all`() async throws {
        let room = folder.room(
            clock: clock,
            options: {
                $0.storage = .all
                $0.prepare = { $0 }
            })
        try await room.loader.store(.plain(2, 2, blue: 77), for: request)
        #expect(room.loader.cachedImage(for: request)?.blue == 77)
    }
}
