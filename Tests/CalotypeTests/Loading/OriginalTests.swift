import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeMemory
import CalotypeStore
import CalotypeTesting
import Foundation
import Testing
import Waiting

/// Originals by themselves, and images made of exactly them.
@Suite struct OriginalTests {
    private let folder = TemporaryFolder()
    private let clock = ManualClock()

    /// Large enough for a separate file.
    private static func body(blue: UInt8 = 200) -> Data {
        PlainDecoder.data(8, 6, blue: blue) + Data(repeating: 0x20, count: 50_000)
    }

    private static func answer(_ request: HTTPRequest, blue: UInt8 = 200, _ more: HTTPFields = [:]) -> HTTPResponse {
        let body = body(blue: blue)
        var fields = more
        fields["Content-Length"] = "\(body.count)"
        return HTTPResponse(url: request.url, status: 200, fields: fields, body: HTTPBody(body))
    }

    private func room(
        _ change: @escaping (inout ImageLoaderOptions) -> Void = { _ in },
        answering answer: @escaping FakeTransport.Answer = {
            OriginalTests.answer($0, ["Cache-Control": "max-age=600"])
        }
    ) -> LoaderFixture {
        LoaderFixture(
            options: {
                $0.disk = .store(DiskStore(directory: folder.path, wallClock: clock.wall))
                $0.wallClock = clock.wall
                change(&$0)
            }, answering: answer)
    }

    /// Stores the image with a separate loader.
    private func store(_ name: Int = 1) async throws {
        let room = room()
        try await room.fetchAndFlush(ImageRequest(.photo(name)))
        try await room.loader.diskStore?.close()
    }

    private func removeBodies() throws {
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path).map({ folder.path + "/" + $0 }) {
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            if size == OriginalTests.body().count { try FileManager.default.removeItem(atPath: path) }
        }
    }

    @Test func `a stored original is known before its body is read`() async throws {
        try await store()
        try removeBodies()
        let room = room()
        let original = try await room.loader.original(for: ImageRequest(.photo()))
        #expect(original.origin == .disk && original.status == 200 && original.identity != nil)
        #expect(original.freshness?.freshUntil.map { $0 > clock.wall.now } == true)
        #expect(original.fields["Content-Length"] == "\(OriginalTests.body().count)")
        #expect(room.transport.requestCount == 0 && room.decoder.decodeCount == 0)
        #expect(room.loader.statistics.undecodedBytes == 0)
    }

    @Test func `an original from the network is stored, and makes images without another request`() async throws {
        let room = room()
        let original = try await room.loader.original(for: ImageRequest(.photo()))
        #expect(original.origin == .network && original.identity != nil)
        let image = try await room.loader.image(of: original, layout: ResizeTarget(width: 4))
        #expect(image.bitmap.width == 4)
        #expect(try await room.loader.image(of: original, layout: ResizeTarget(width: 2)).bitmap.width == 2)
        #expect(try await room.loader.data(of: original) == OriginalTests.body())
        #expect(room.transport.requestCount == 1)
        await waitUntil { room.loader.statistics.undecodedBytes == 0 }
    }

    @Test func `its images are found in memory by its identity, layout and steps`() async throws {
        let room = room()
        let step = CountingStep("one")
        let layouts: [ResizeTarget?] = [nil, ResizeTarget(width: 4), ResizeTarget(width: 2)]
        for origin in [ImageResponse.Origin.network, .memory, .memory] {
            let original = try await room.loader.original(for: ImageRequest(.photo()))
            for layout in layouts {
                let image = try await room.loader.image(of: original, layout: layout, steps: [step])
                #expect(image.bitmap.width == layout?.width ?? 8)
                #expect(origin == .memory ? image.origin == .memory : image.origin != .memory)
            }
        }
        #expect(room.decoder.decodeCount == 3 && step.count == 3 && room.transport.requestCount == 1)
    }

    @Test func `after a 304 the image in memory stays, nothing is decoded and no body read`() async throws {
        let room = room(answering: { request in
            if request.fields["If-None-Match"] == nil {
                return OriginalTests.answer(request, ["Cache-Control": "max-age=1", "ETag": "\"1\""])
            }
            return HTTPResponse(url: request.url, status: 304, fields: ["ETag": "\"1\"", "Cache-Control": "max-age=1"])
        })
        let first = try await room.loader.original(for: ImageRequest(.photo()))
        _ = try await room.loader.image(of: first)
        try await room.loader.diskStore?.flush()
        try removeBodies()
        clock.advance(by: .seconds(60))
        let second = try await room.loader.original(for: ImageRequest(.photo()))
        #expect(second.origin == .revalidated && second.identity == first.identity)
        let image = try await room.loader.image(of: second)
        #expect(image.bitmap.blue == 200)
        #expect(room.decoder.decodeCount == 1 && room.transport.requestCount == 2)
    }

    @Test func `other bytes are another original, and the former one is superseded once its bytes are gone`()
        async throws
    {
        let version = Counter()
        let room = room(
            { $0.memory.costLimit = 0 },
            answering: { OriginalTests.answer($0, blue: UInt8(version.next()), ["Cache-Control": "max-age=1"]) })
        let first = try await room.loader.original(for: ImageRequest(.photo()))
        #expect(try await room.loader.image(of: first).bitmap.blue == 1)
        clock.advance(by: .seconds(60))
        let second = try await room.loader.original(for: ImageRequest(.photo()))
        #expect(second.identity != first.identity)
        #expect(await imageError { try await room.loader.image(of: first) }?.code == .superseded)
        #expect(try await room.loader.image(of: second).bitmap.blue == 2)
    }

    @Test func `variants of an original come from one decode, and the original may be used again`() async throws {
        let room = room()
        let original = try await room.loader.original(for: ImageRequest(.photo()))
        let variants = [8, 4].map { ImageVariant(size: ResizeTarget(width: $0), encodedAs: .png) }
        for count in 1...2 {
            let files = try await room.loader.data(of: original, variants: variants)
            #expect(try files.map { try DecoderRegistry.standard.decode($0).size.width } == [8, 4])
            #expect(room.decoder.decodeCount == count && room.transport.requestCount == 1)
        }
        #expect(try await room.loader.data(of: original, variants: []).isEmpty)
        #expect(try await room.loader.data(of: original) == OriginalTests.body())
        #expect(room.loader.statistics.undecodedBytes == 0 && original.freshUntil != nil)
    }

    @Test func `variants are those of the bytes whose identity the original has, or superseded`() async throws {
        let version = Counter()
        let room = room(
            answering: { OriginalTests.answer($0, blue: UInt8(version.next()), ["Cache-Control": "max-age=1"]) })
        let variants = [ImageVariant(encodedAs: .png)]
        let first = try await room.loader.original(for: ImageRequest(.photo()))
        let file = try await room.loader.data(of: first, variants: variants)[0]
        #expect(try DecoderRegistry.standard.decode(file).blue == 1)
        clock.advance(by: .seconds(60))
        _ = try await room.loader.original(for: ImageRequest(.photo()))
        #expect(await imageError { try await room.loader.data(of: first, variants: variants) }?.code == .superseded)
    }

    @Test func `200 originals, half of them cancelled as variants are made, leave nothing reserved`() async throws {
        let room = room()
        let variants = [ImageVariant(size: ResizeTarget(width: 4), encodedAs: .png)]
        let tasks = (0..<200).map { number in
            Task {
                let original = try await room.loader.original(for: ImageRequest(.photo(number % 8)))
                return try await room.loader.data(of: original, variants: variants)
            }
        }
        for number in stride(from: 0, to: 200, by: 2) { tasks[number].cancel() }
        for number in stride(from: 1, to: 200, by: 2) { #expect(try await tasks[number].value.count == 1) }
        for task in tasks { _ = await task.result }
        await waitUntil {
            let now = room.loader.statistics
            return now.undecodedBytes == 0 && now.downloads == 0 && now.codecs == 0 && now.codecQueue == 0
        }
    }

    @Test func `bytes that may not be stored make one image, and leave nothing in memory`() async throws {
        let room = room(answering: { OriginalTests.answer($0, ["Cache-Control": "no-store"]) })
        for count in 1...2 {
            let original = try await room.loader.original(for: ImageRequest(.photo()))
            #expect(original.identity == nil)
            #expect(try await room.loader.image(of: original).bitmap.width == 8)
            #expect(room.transport.requestCount == count && room.decoder.decodeCount == count)
        }
        #expect(room.loader.statistics.memory.count == 0)
    }

    @Test func `requests for one image of an original share its decode`() async throws {
        let decoding = Gate()
        let room = LoaderFixture(
            decodeHook: { decoding.waitBlocking() },
            options: { $0.disk = .store(DiskStore(directory: folder.path)) },
            answering: { OriginalTests.answer($0, ["Cache-Control": "max-age=600"]) })
        let tasks = (0..<5).map { _ in
            Task {
                let original = try await room.loader.original(for: ImageRequest(.photo()))
                return try await room.loader.image(of: original, layout: ResizeTarget(width: 4))
            }
        }
        await decoding.waitForWaiters(1)
        await waitUntil { room.loader.statistics.imageWaiters == 5 }
        decoding.open()
        for task in tasks { #expect(try await task.value.bitmap.width == 4) }
        #expect(room.decoder.decodeCount == 1 && room.transport.requestCount == 1)
    }

    @Test func `more redirects than the options allow fail`() async throws {
        for (limit, isFollowed) in [(3, true), (2, false)] {
            let room = LoaderFixture(
                options: { $0.redirectLimit = limit },
                answering: { request in
                    guard let hop = Int(request.url.lastPathComponent), hop < 3 else { return .picture(request) }
                    return HTTPResponse(url: request.url, status: 302, fields: ["Location": "/\(hop + 1)"])
                })
            let error = await imageError { try await room.loader.fetch(URL.photo(0)) }
            #expect(error?.code == (isFollowed ? nil : .redirectFailed))
        }
    }
}
