import Calotype
import CalotypeBase
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
import Foundation
import Testing
import Waiting

/// The cache that has an image, without a load.
@Suite struct CachedOriginTests {
    private let folder = TemporaryFolder()
    private let clock = ManualClock()
    private let request = ImageRequest(.photo())
    private let small = ImageRequest(.photo(), size: ResizeTarget(width: 2))

    private func room(
        _ storage: StoragePolicy = .originals, _ control: ByteString = "max-age=60", status: Int = 200
    ) -> LoaderFixture {
        folder.room(
            clock: clock, options: { $0.storage = storage },
            answering: { request in
                if request.url.path == "/moved" {
                    let fields: HTTPFields = ["Location": "/1", "Cache-Control": "max-age=60"]
                    return HTTPResponse(url: request.url, status: 301, fields: fields)
                }
                var response = HTTPResponse.picture(request)
                response.status = status
                response.fields["Cache-Control"] = control
                return response
            })
    }

    /// Loads an image, and returns a new loader over the same store, whose memory is empty.
    private func loaded(
        _ request: ImageRequest, _ storage: StoragePolicy = .originals, _ control: ByteString = "max-age=60",
        status: Int = 200
    ) async throws -> LoaderFixture {
        let first = room(storage, control, status: status)
        _ = try? await first.loader.fetch(request)
        try await first.loader.diskStore?.close()
        return room(storage, control, status: status)
    }

    @Test func `an image is in no cache, then in memory, and for a new loader on disk`() async throws {
        let first = room()
        #expect(await first.loader.cachedOrigin(of: request) == nil)
        _ = try await first.loader.fetch(request)
        #expect(await first.loader.cachedOrigin(of: request) == .memory)
        #expect(await first.loader.cachedOrigin(of: small) == .disk)
        #expect(await first.loader.cachedOrigin(of: ImageRequest(.photo(2))) == nil)
        let second = try await loaded(request)
        #expect(await second.loader.cachedOrigin(of: request) == .disk)
        #expect(second.transport.requestCount == 0)
        #expect(second.decoder.decodeCount == 0)
    }

    @Test func `a stale image counts if the policy accepts it`() async throws {
        let room = try await loaded(request)
        clock.advance(by: .seconds(61))
        var asked = request
        for (policy, origin) in [
            (CachePolicy.useProtocol, nil), (.returnCacheElseLoad, .disk), (.returnCacheDontLoad, .disk),
            (.revalidate, nil), (.reloadIgnoringCache, nil),
        ] as [(CachePolicy, ImageResponse.Origin?)] {
            asked.policy = policy
            #expect(await room.loader.cachedOrigin(of: asked) == origin, "\(policy)")
        }
        #expect(room.transport.requestCount == 0)
    }

    @Test func `an image that may be stale for now counts, and is not revalidated`() async throws {
        let room = try await loaded(request, .originals, "max-age=60, stale-while-revalidate=60")
        clock.advance(by: .seconds(61))
        #expect(await room.loader.cachedOrigin(of: request) == .disk)
        var stale = request
        stale.policy = .returnCacheElseLoad
        _ = try await room.loader.fetch(stale)
        #expect(room.transport.requestCount == 0)
    }

    @Test func `a redirect leads to the image`() async throws {
        let room = room()
        let moved = ImageRequest(.photo("moved"), caching: [.readDisk, .writeDisk])
        // A load does not wait until its redirect is stored.
        try await repeatUntil {
            let count = room.transport.requestCount
            _ = try await room.loader.fetch(moved)
            return room.transport.requestCount == count
        }
        let count = room.transport.requestCount
        #expect(await room.loader.cachedOrigin(of: moved) == .disk)
        #expect(room.transport.requestCount == count)
    }

    @Test func `a stored failure is no image`() async throws {
        let room = try await loaded(request, status: 404)
        #expect(await room.loader.cachedOrigin(of: request) == nil)
    }

    @Test(arguments: [StoragePolicy.encoded, .automatic])
    func `without the original's body, an image made of it counts, and no other`(
        _ storage: StoragePolicy
    ) async throws {
        let room = try await loaded(small, storage)
        #expect(await room.loader.cachedOrigin(of: small) == .disk)
        #expect(await room.loader.cachedOrigin(of: request) == nil)
        // The head is still there for the image made of it.
        #expect(try await room.loader.response(for: small).origin == .disk)
        #expect(room.transport.requestCount == 0)
    }

    @Test func `bytes of a custom source count, and its closure is not called`() async throws {
        let calls = Counter()
        let source = ImageSource.custom(id: "1") {
            calls.next()
            return PlainDecoder.data()
        }
        #expect(await room().loader.cachedOrigin(of: ImageRequest(source: source)) == nil)
        #expect(calls.count == 0)
        let second = try await loaded(ImageRequest(source: source))
        #expect(await second.loader.cachedOrigin(of: ImageRequest(source: source)) == .disk)
        #expect(calls.count == 1)
    }

    @Test func `an image of bytes in memory counts if it was stored processed`() async throws {
        let source = ImageSource.data(PlainDecoder.data())
        let request = ImageRequest(source: source, size: ResizeTarget(width: 2))
        #expect(await room(.all).loader.cachedOrigin(of: request) == nil)
        let second = try await loaded(request, .all)
        #expect(await second.loader.cachedOrigin(of: request) == .disk)
        #expect(await room().loader.cachedOrigin(of: request) == nil)
    }

    @Test func `a loader without a store finds nothing on disk`() async {
        let room = LoaderFixture()
        #expect(await room.loader.cachedOrigin(of: request) == nil)
        let custom = ImageRequest(source: .custom(id: "1") { PlainDecoder.data() })
        #expect(await room.loader.cachedOrigin(of: custom) == nil)
        #expect(room.transport.requestCount == 0)
    }

    @Test func `the entry on disk is that of the prepared request`() async throws {
        func room(_ user: ByteString) -> LoaderFixture {
            folder.room(
                clock: clock,
                options: {
                    $0.prepare = { request in
                        var request = request
                        request.fields["Authorization"] = user
                        return request
                    }
                })
        }
        let first = room("anna")
        _ = try await first.loader.fetch(request)
        try await first.loader.diskStore?.close()
        #expect(await room("anna").loader.cachedOrigin(of: request) == .disk)
        #expect(await room("ben").loader.cachedOrigin(of: request) == nil)
    }

    @Test func `an image in memory counts as long as its file is unchanged`() async throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let file = URL(filePath: folder.path).appending(path: "a.plain")
        try PlainDecoder.data(blue: 1).write(to: file, options: .atomic)
        let request = ImageRequest(source: .file(file))
        for loader in [LoaderFixture().loader, room().loader] {
            #expect(await loader.cachedOrigin(of: request) == nil)
            _ = try await loader.fetch(request)
            #expect(await loader.cachedOrigin(of: request) == .memory)
            try PlainDecoder.data(blue: 2).write(to: file, options: .atomic)
            #expect(await loader.cachedOrigin(of: request) == nil)
        }
    }

    @Test func `statistics have the bytes in memory`() async throws {
        let room = room()
        #expect(room.loader.statistics.memoryBytes == 0)
        let bitmap = try await room.loader.fetch(request)
        #expect(room.loader.statistics.memoryBytes == bitmap.byteCount)
        try await room.loader.removeAll()
        #expect(room.loader.statistics.memoryBytes == 0)
    }
}
