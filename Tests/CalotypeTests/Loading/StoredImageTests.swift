import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
import Foundation
import Testing

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
}
