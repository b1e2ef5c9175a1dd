import Calotype
import CalotypeCodecs
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
import Foundation
import Requirements
import ResourceProvider
import Testing

@Suite struct SourceTests {
    private let folder = TemporaryFolder()

    @Test(.requirement("S2.16")) func `a source need not be a URL; equal identifiers are loaded once`() async throws {
        let room = LoaderFixture()
        let count = Counter()
        let source = ImageSource.custom(id: "asset 7") {
            count.next()
            return PlainDecoder.data(blue: 7)
        }
        let pictures = await concurrently(10) { _ in try? await room.loader.fetch(ImageRequest(source: source)) }
        #expect(pictures.allSatisfy { $0?.blue == 7 })
        #expect(count.count == 1)
        #expect(room.transport.requestCount == 0)
        #expect(try await room.loader.response(for: ImageRequest(source: source)).origin == .memory)
    }

    @Test func `a source that only computes is cancelled, and its caller returns`() async throws {
        let room = LoaderFixture()
        let began = Gate()
        let source = ImageSource.custom(id: "computed") {
            began.open()
            while !Task.isCancelled {}
            throw CancellationError()
        }
        let task = Task { try await room.loader.fetch(ImageRequest(source: source)) }
        await began.wait()
        task.cancel()
        await #expect(throws: ImageError.cancelled) { try await task.value }
    }

    @Test func `a provider of the algebra is a source`() async throws {
        let provider = Provider.source { (id: Int) async in PlainDecoder.data(blue: UInt8(id)) }
        let room = LoaderFixture()
        let response = try await room.loader.response(
            for: ImageRequest(source: .provider(provider, named: "blues", id: 9)))
        #expect(response.bitmap.blue == 9)
        #expect(response.origin == .source)
    }

    /// Two providers used to share their images: the key contained only the identifier.
    @Test func `two providers that are asked for the same identifier each give their own image`() async throws {
        let room = folder.room()
        func source(_ name: String, _ blue: UInt8) -> ImageSource {
            let provider = Provider.source { (_: Int) async in PlainDecoder.data(blue: blue) }
            return .provider(provider, named: name, id: 7)
        }
        #expect(try await room.loader.fetch(ImageRequest(source: source("portraits", 1))).blue == 1)
        #expect(try await room.loader.fetch(ImageRequest(source: source("landscapes", 2))).blue == 2)
        #expect(try await room.loader.fetch(ImageRequest(source: source("portraits", 3))).blue == 1)
        // No name equals another name combined with its identifier.
        let provider = Provider.source { (_: String) async in PlainDecoder.data(blue: 4) }
        let other = ImageSource.provider(provider, named: "portraits Swift.Int", id: "7")
        #expect(room.loader.cachedImage(for: ImageRequest(source: other)) == nil)
    }

    private func plainFile(blue: UInt8) throws -> URL {
        let file = URL(filePath: NSTemporaryDirectory() + "calotype-\(UUID().uuidString).plain")
        try PlainDecoder.data(blue: blue).write(to: file)
        return file
    }

    private func makeLoader(_ change: (inout ImageLoaderOptions) -> Void = { _ in }) -> ImageLoader {
        var options = ImageLoaderOptions.ephemeral
        options.decoders.register(PlainDecoder())
        change(&options)
        return ImageLoader(options)
    }

    /// The default loader used to read a "remote" URL of `file:///etc/…`.
    @Test func `a file: URL is refused, in memory too, by an error that names both ways to read one`() async throws {
        let file = try plainFile(blue: 5)
        defer { try? FileManager.default.removeItem(at: file) }
        let loader = makeLoader()
        let error = await imageError { try await loader.fetch(file) }
        #expect(error?.code == .unsupportedScheme)
        #expect(error?.message.contains("ImageSource.file(_:)") == true)
        #expect(error?.message.contains("ImageLoaderOptions.schemes") == true)
        #expect(await imageError { try await loader.data(for: ImageRequest(file)) }?.code == .unsupportedScheme)
        #expect(try await loader.fetch(ImageRequest(source: .file(file))).blue == 5)
        #expect(loader.cachedImage(for: file) == nil)
        #expect(await imageError { try await loader.fetch(file) }?.code == .unsupportedScheme)
    }

    @Test func `file: URLs are read where options.schemes has them, data: URLs always`() async throws {
        let file = try plainFile(blue: 5)
        defer { try? FileManager.default.removeItem(at: file) }
        let loader = makeLoader { $0.schemes.append("FILE") }
        #expect(try await loader.fetch(file).blue == 5)
        let missing = URL(filePath: "/no/such/file")
        #expect(await imageError { try await loader.fetch(missing) }?.code == .fileUnreadable)
        let inline = try #require(URL(string: "data:;base64," + PlainDecoder.data(blue: 6).base64EncodedString()))
        #expect(try await makeLoader().fetch(inline).blue == 6)
    }

    @Test func `schemes that are left out are refused before the transport sees them`() async throws {
        let room = LoaderFixture(options: { $0.schemes = ["https"] })
        let error = await imageError { try await room.loader.fetch(URL.photo()) }
        #expect(error?.code == .unsupportedScheme)
        #expect(error?.message == #"unsupported URL scheme "http" (supported: https)"#)
        #expect(room.transport.requestCount == 0)
    }

    @Test func `bytes in memory are a source; equal bytes are decoded once and not stored`() async throws {
        let room = folder.room()
        func request(_ blue: UInt8) -> ImageRequest { ImageRequest(source: .data(PlainDecoder.data(blue: blue))) }
        let response = try await room.loader.response(for: request(8))
        #expect(response.bitmap.blue == 8 && response.origin == .source)
        #expect(room.loader.cachedImage(for: request(8)) != nil)
        #expect(try await room.loader.fetch(request(9)).blue == 9)
        let bytes = try await room.loader.dataResponse(for: request(8))
        #expect(bytes.data == PlainDecoder.data(blue: 8) && bytes.origin == .source && bytes.url == nil)
        #expect(try await room.loader.data(for: request(8)) == bytes.data)
        let stored = try await room.loader.diskStore?.list()
        #expect(stored?.isEmpty == true)
        #expect(
            await imageError { try await room.loader.fetch(ImageRequest(source: .data(Data()))) }?.code == .dataIsEmpty)
    }

    @Test func `returnCacheDontLoad reads what is local: it asks no network for it`() async throws {
        let file = try plainFile(blue: 5)
        defer { try? FileManager.default.removeItem(at: file) }
        let inline = try #require(URL(string: "data:;base64," + PlainDecoder.data(blue: 6).base64EncodedString()))
        let sources: [ImageSource] = [.file(file), .url(inline), .data(PlainDecoder.data(blue: 7))]
        let loader = makeLoader()
        for source in sources {
            _ = try await loader.fetch(ImageRequest(source: source, policy: .returnCacheDontLoad))
        }
        let custom = ImageSource.custom(id: "1") { PlainDecoder.data() }
        let request = ImageRequest(source: custom, policy: .returnCacheDontLoad)
        #expect(await imageError { try await makeLoader().fetch(request) }?.code == .notInCache)
    }

    @Test(.requirement("S0.1")) func `images of every format are loaded over HTTP, and told by their bytes`()
        async throws
    {
        let origin = try OriginServer()
        let photos = [
            "jpeg": SamplePhotos.jpeg(width: 40, height: 30, seed: 1),
            "png": SamplePhotos.png(width: 40, height: 30, seed: 1),
            "webp": SamplePhotos.webp(width: 40, height: 30, seed: 1),
        ]
        for (name, photo) in photos { origin.on("/\(name)", .ok(photo, type: "text/plain")) }
        let loader = ImageLoader(.ephemeral)
        for name in photos.keys {
            let bitmap = try await loader.fetch(origin.url("/\(name)"))
            #expect((bitmap.width, bitmap.height) == (40, 30))
        }
    }

    @Test
    func `fit lies inside the box, fill covers it and is cut to it, exact is stretched; nothing is enlarged unasked`()
        async throws
    {
        let origin = try OriginServer()
        origin.on("/photo", .ok(SamplePhotos.jpeg(width: 400, height: 300, seed: 3)))
        let loader = ImageLoader(.ephemeral)
        func size(_ target: ResizeTarget) async throws -> [Int] {
            let bitmap = try await loader.fetch(ImageRequest(origin.url("/photo"), size: target))
            return [bitmap.width, bitmap.height]
        }
        #expect(try await size(ResizeTarget(width: 100, height: 100)) == [100, 75])
        #expect(try await size(ResizeTarget(width: 100, height: 100, mode: .fill)) == [100, 100])
        #expect(try await size(ResizeTarget(width: 100, height: 100, mode: .exact)) == [100, 100])
        #expect(try await size(ResizeTarget(width: 800, height: 800)) == [400, 300])
        #expect(try await size(ResizeTarget(width: 800, height: 800, upscales: true)) == [800, 600])
        #expect(try await size(ResizeTarget(height: 30)) == [40, 30])
    }

    @Test func `a larger bitmap in memory serves a smaller request that accepts it`() async throws {
        let room = LoaderFixture(answering: { .picture($0, width: 400, height: 300) })
        _ = try await room.loader.fetch(ImageRequest(.photo(), size: ResizeTarget(width: 200)))
        var small = ImageRequest(.photo(), size: ResizeTarget(width: 100))
        #expect(room.loader.cachedImage(for: small) == nil)
        small.acceptsLargerImages = true
        #expect(room.loader.cachedImage(for: small)?.width == 200)
        var large = ImageRequest(.photo(), size: ResizeTarget(width: 300))
        large.acceptsLargerImages = true
        #expect(room.loader.cachedImage(for: large) == nil)
    }

    /// An image that `fill` had cropped to its target used to be returned for `fit`, without the sides.
    @Test func `a larger bitmap serves only those who ask for as much of the image`() async throws {
        let room = LoaderFixture(answering: { .picture($0, width: 400, height: 300) })
        func request(_ width: Int, _ height: Int, _ mode: ResizeTarget.Mode, _ gravity: Gravity = .center)
            -> ImageRequest
        {
            let target = ResizeTarget(width: width, height: height, mode: mode, gravity: gravity)
            return ImageRequest(source: .url(.photo()), size: target, acceptsLargerImages: true)
        }
        _ = try await room.loader.fetch(request(200, 200, .fill))
        _ = try await room.loader.fetch(request(100, 200, .exact))
        #expect(room.loader.cachedImage(for: request(100, 100, .fit)) == nil)
        #expect(room.loader.cachedImage(for: request(50, 50, .exact)) == nil)
        #expect(room.loader.cachedImage(for: request(100, 50, .fill)) == nil)
        #expect(room.loader.cachedImage(for: request(100, 100, .fill, .top)) == nil)
        #expect(room.loader.cachedImage(for: request(100, 100, .fill))?.width == 200)
        #expect(room.loader.cachedImage(for: request(50, 100, .exact))?.height == 200)
        // The whole image in its own aspect ratio serves all requests.
        _ = try await room.loader.fetch(request(300, 300, .fit))
        for mode in [ResizeTarget.Mode.fit, .fill, .exact] {
            #expect(room.loader.cachedImage(for: request(120, 90, mode))?.width == 300)
        }
    }

    /// The whole image, 300 × 150, used to be returned for a square.
    @Test(arguments: [ResizeTarget(width: 300), nil])
    func `the whole image does not stand in for a cut or stretched one`(size: ResizeTarget?) async throws {
        let room = LoaderFixture(answering: { .picture($0, width: 300, height: 150) })
        _ = try await room.loader.fetch(ImageRequest(.photo(), size: size))
        for mode in [ResizeTarget.Mode.fill, .exact] {
            var square = ImageRequest(.photo(), size: ResizeTarget(width: 100, height: 100, mode: mode))
            square.acceptsLargerImages = true
            #expect(room.loader.cachedImage(for: square) == nil)
            #expect(try await room.loader.fetch(square).size == PixelSize(width: 100, height: 100))
            var wide = ImageRequest(.photo(), size: ResizeTarget(width: 100, height: 50, mode: mode))
            wide.acceptsLargerImages = true
            #expect(room.loader.cachedImage(for: wide)?.width == 300)
        }
    }
}
