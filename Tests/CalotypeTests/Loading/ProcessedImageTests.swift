import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
import Foundation
import Testing

/// A processed image on disk belongs to the original from which it was made.
@Suite struct ProcessedImageTests {
    private let folder = TemporaryFolder()
    private let clock = ManualClock()
    private let origin = Origin()

    private final class Origin: Sendable {
        struct State {
            var blue: UInt8 = 1
            var control = "max-age=60"
            var requests = 0
        }

        let state = Locked(State())

        var requests: Int { state.withLock { $0.requests } }
        func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

        func answer(_ request: HTTPRequest) -> HTTPResponse {
            let state = state.withLock { state in
                state.requests += 1
                return state
            }
            let fields: HTTPFields = ["ETag": "\"\(state.blue)\"", "Cache-Control": "\(state.control)"]
            if request.fields["If-None-Match"] == "\"\(state.blue)\"" {
                return HTTPResponse(url: request.url, status: 304, fields: fields)
            }
            let data = PlainDecoder.data(8, 6, blue: state.blue)
            return HTTPResponse(url: request.url, status: 200, fields: fields, body: HTTPBody(data))
        }
    }

    private func room(_ storage: StoragePolicy = .all) -> LoaderFixture {
        folder.room(
            clock: clock, options: { $0.storage = storage }, answering: { [origin] request in origin.answer(request) })
    }

    private func sized(_ width: Int = 2) -> ImageRequest {
        ImageRequest(.photo(), size: ResizeTarget(width: width))
    }

    /// Loads in a new loader, as another process would.
    private func load(
        _ request: ImageRequest, _ storage: StoragePolicy = .all
    ) async throws -> (blue: UInt8, origin: ImageResponse.Origin, decodes: Int) {
        let room = room(storage)
        let response = try await room.loader.response(for: request)
        try await room.loader.diskStore?.close()
        return (response.bitmap.blue, response.origin, room.decoder.decodeCount)
    }

    private func keys() async throws -> [String] {
        let store = DiskStore(directory: folder.path, wallClock: clock.wall)
        return try await store.list().map(\.key.string)
    }

    @Test func `while its original is fresh a processed image is shown without decoding the original`() async throws {
        _ = try await load(sized())
        #expect(try await load(sized()) == (1, .disk, 0))
        #expect(origin.requests == 1)
    }

    @Test func `past its freshness the origin is asked; confirmed, the processed image is shown`() async throws {
        _ = try await load(sized())
        clock.advance(by: .seconds(61))
        #expect(try await load(sized()) == (1, .revalidated, 0))
        #expect(origin.requests == 2)
    }

    @Test func `when the original has changed its processed images are not shown any more`() async throws {
        _ = try await load(sized())
        origin.change { $0.blue = 2 }
        clock.advance(by: .seconds(61))
        #expect(try await load(sized()) == (2, .network, 1))
        #expect(try await load(sized()) == (2, .disk, 0))
    }

    @Test func `the same bytes loaded again keep what was made of them`() async throws {
        _ = try await load(sized())
        var reload = ImageRequest(.photo())
        reload.policy = .reloadIgnoringCache
        #expect(try await load(reload).origin == .network)
        #expect(try await load(sized()) == (1, .disk, 0))
    }

    @Test func `after remove neither the original nor what was made of it is shown`() async throws {
        let room = room()
        _ = try await room.loader.fetch(sized())
        await room.loader.remove(sized())
        origin.change { $0.blue = 2 }
        try await room.loader.diskStore?.close()
        #expect(try await load(sized()) == (2, .network, 1))
    }

    @Test(arguments: [StoragePolicy.all, .encoded, .automatic])
    func `an image that says no-store does not get to disk`(_ storage: StoragePolicy) async throws {
        origin.change { $0.control = "no-store" }
        _ = try await load(sized(), storage)
        #expect(try await keys().isEmpty)
        #expect(try await load(sized(), storage).origin == .network)
    }

    @Test(arguments: [StoragePolicy.encoded, .automatic])
    func `without the original's body its head says what may be shown`(_ storage: StoragePolicy) async throws {
        _ = try await load(sized(), storage)
        #expect(try await load(sized(), storage) == (1, .disk, 0))
        clock.advance(by: .seconds(61))
        #expect(try await load(sized(), storage) == (1, .revalidated, 0))
        // Another size loads the original again. The same bytes keep the first one valid.
        #expect(try await load(sized(3), storage) == (1, .network, 1))
        #expect(origin.requests == 3)
        #expect(try await load(sized(), storage) == (1, .disk, 0))
        #expect(try await load(sized(3), storage) == (1, .disk, 0))
        #expect(origin.requests == 3)
        let store = DiskStore(directory: folder.path, wallClock: clock.wall)
        #expect(try await store.list().filter { $0.key.hasPrefix("http") }.map(\.size) == [0])
    }

    @Test func `a hit is a use of the processed image and of its original`() async throws {
        _ = try await load(sized())
        clock.advance(by: .seconds(30))
        _ = try await load(sized())
        let store = DiskStore(directory: folder.path, wallClock: clock.wall)
        let entries = try await store.list()
        #expect(entries.count == 2)
        #expect(entries.allSatisfy { $0.lastUsed >= clock.wall.now - 1 })
    }

    @Test func `other steps and other limits make another image`() async throws {
        _ = try await load(sized())
        var round = sized()
        let step = CountingStep("a")
        round.steps = [step]
        // Made from the processed image before the step.
        #expect(try await load(round).decodes == 0)
        #expect(step.count == 1)
        #expect(try await load(round).decodes == 0)
        #expect(step.count == 1)
        let room = folder.room(
            clock: clock,
            options: {
                $0.storage = .all
                $0.limits.maxBitmapBytes = 1_000_000
            }, answering: { [origin] request in origin.answer(request) })
        _ = try await room.loader.fetch(sized())
        #expect(room.decoder.decodeCount == 1)
    }

    @Test func `a processed image that is damaged is made again`() async throws {
        _ = try await load(sized())
        let store = DiskStore(directory: folder.path, wallClock: clock.wall)
        let key = try #require(try await store.list().map(\.key).first { $0.hasPrefix("processed") })
        try await store.store(Data("no image".utf8), for: key)
        try await store.close()
        #expect(try await load(sized()) == (1, .disk, 1))
    }

    @Test func `of a custom source what is made of other bytes is made again`() async throws {
        func request(_ blue: UInt8) -> ImageRequest {
            ImageRequest(
                source: .custom(id: "1") { PlainDecoder.data(8, 6, blue: blue) }, size: ResizeTarget(width: 2))
        }
        #expect(try await load(request(1)) == (1, .source, 1))
        #expect(try await load(request(2)) == (1, .disk, 0))
        clock.advance(by: .seconds(8 * 86_400))
        #expect(try await load(request(2)) == (2, .source, 1))
    }

    @Test func `of a data: URL, and of bytes, what is made of them is known by their digest`() async throws {
        func url(_ blue: UInt8) throws -> ImageSource {
            .url(try #require(URL(string: "data:;base64," + PlainDecoder.data(8, 6, blue: blue).base64EncodedString())))
        }
        func bytes(_ blue: UInt8) -> ImageSource { .data(PlainDecoder.data(8, 6, blue: blue)) }
        for source in [url, bytes] {
            func request(_ blue: UInt8) throws -> ImageRequest {
                ImageRequest(source: try source(blue), size: ResizeTarget(width: 2))
            }
            #expect(try await load(request(1)) == (1, .source, 1))
            #expect(try await load(request(1)) == (1, .disk, 0))
            #expect(try await load(request(2)) == (2, .source, 1))
        }
    }

    @Test func `of a file what is made of it is shown until it changes`() async throws {
        let file = TemporaryFolder()
        let url = URL(filePath: file.path)
        try PlainDecoder.data(8, 6, blue: 1).write(to: url)
        let request = ImageRequest(source: .file(url), size: ResizeTarget(width: 2))
        #expect(try await load(request) == (1, .source, 1))
        #expect(try await load(request) == (1, .disk, 0))
        try PlainDecoder.data(8, 6, blue: 2).write(to: url, options: .atomic)
        #expect(try await load(request) == (2, .source, 1))
    }
}
