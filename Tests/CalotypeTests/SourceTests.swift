import Calotype
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import Foundation
import ResourceProvider
import Testing

@Suite struct SourceTests {
    @Test("S2.16: a source need not be a URL; equal identifiers are loaded once")
    func custom() async throws {
        let room = Darkroom()
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

    @Test("a provider of the algebra is a source")
    func provider() async throws {
        let provider = Provider.source { (id: Int) async in PlainDecoder.data(blue: UInt8(id)) }
        let room = Darkroom()
        let response = try await room.loader.response(for: ImageRequest(source: .provider(provider, id: 9)))
        #expect(response.bitmap.blue == 9)
        #expect(response.origin == .source)
    }

    @Test("`file:` and `data:` URLs are read by the standard transport")
    func local() async throws {
        var options = ImageLoaderOptions()
        options.decoders.register(PlainDecoder())
        let loader = ImageLoader(options)
        let file = URL(filePath: NSTemporaryDirectory() + "calotype-\(UUID().uuidString).plain")
        try PlainDecoder.data(blue: 5).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try await loader.fetch(file).blue == 5)
        let inline = try #require(URL(string: "data:;base64," + PlainDecoder.data(blue: 6).base64EncodedString()))
        #expect(try await loader.fetch(inline).blue == 6)
        let missing = URL(filePath: "/no/such/file")
        #expect(await imageError { try await loader.fetch(missing) }?.code == .fileUnreadable)
    }

    @Test("S0.1: pictures of every format are loaded over HTTP, and told by their bytes")
    func formats() async throws {
        let origin = try OriginServer()
        let photos = [
            "jpeg": SamplePhotos.jpeg(width: 40, height: 30, seed: 1),
            "png": SamplePhotos.png(width: 40, height: 30, seed: 1),
            "webp": SamplePhotos.webp(width: 40, height: 30, seed: 1),
        ]
        for (name, photo) in photos { origin.on("/\(name)", .ok(photo, type: "text/plain")) }
        let loader = ImageLoader()
        for name in photos.keys {
            let bitmap = try await loader.fetch(origin.url("/\(name)"))
            #expect((bitmap.width, bitmap.height) == (40, 30))
        }
    }

    @Test("fit lies inside the box, fill covers it and is cut to it, exact is stretched; nothing is enlarged unasked")
    func sizes() async throws {
        let origin = try OriginServer()
        origin.on("/photo", .ok(SamplePhotos.jpeg(width: 400, height: 300, seed: 3)))
        let loader = ImageLoader()
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

    @Test("a larger bitmap in memory serves a smaller request that accepts it")
    func acceptsLarger() async throws {
        let room = Darkroom(answering: { .picture($0, width: 400, height: 300) })
        _ = try await room.loader.fetch(ImageRequest(.photo(), size: ResizeTarget(width: 200)))
        var small = ImageRequest(.photo(), size: ResizeTarget(width: 100))
        #expect(room.loader.cachedImage(for: small) == nil)
        small.acceptsLarger = true
        #expect(room.loader.cachedImage(for: small)?.width == 200)
        var large = ImageRequest(.photo(), size: ResizeTarget(width: 300))
        large.acceptsLarger = true
        #expect(room.loader.cachedImage(for: large) == nil)
    }
}
