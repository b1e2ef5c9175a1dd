import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
import Foundation
import Testing

@testable import Calotype

/// Requests for images in a gamut wider than sRGB.
@Suite struct GamutLoadTests {
    private let file = SamplePhotos.displayP3PNG(width: 64, height: 48)

    private func request(_ gamut: ColorGamut, _ size: ResizeTarget? = nil) -> ImageRequest {
        var request = ImageRequest(source: .data(file), size: size)
        request.gamut = gamut
        return request
    }

    @Test(arguments: [nil, ResizeTarget(width: 20)])
    func `a request gets its gamut, from the source and from memory`(size: ResizeTarget?) async throws {
        let loader = ImageLoader(ImageLoaderOptions.ephemeral)
        for gamut in [ColorGamut.sRGB, .displayP3, .sRGB, .displayP3] {
            #expect(try await loader.fetch(request(gamut, size)).gamut == gamut)
        }
        #expect(loader.cachedImage(for: request(.displayP3, size))?.gamut == .displayP3)
    }

    @Test func `a request for any larger image takes none of another gamut`() async throws {
        let loader = ImageLoader(ImageLoaderOptions.ephemeral)
        _ = try await loader.fetch(request(.displayP3, ResizeTarget(width: 40)))
        var small = request(.sRGB, ResizeTarget(width: 20))
        small.acceptsLargerImages = true
        #expect(loader.cachedImage(for: small) == nil)
        _ = try await loader.fetch(request(.sRGB, ResizeTarget(width: 40)))
        small.gamut = .displayP3
        #expect(loader.cachedImage(for: small) == nil)
    }

    @Test func `files, also of several variants, name the gamut`() async throws {
        let loader = ImageLoader(ImageLoaderOptions.ephemeral)
        for gamut in [ColorGamut.sRGB, .displayP3] {
            let one = try await loader.data(for: request(gamut, ResizeTarget(width: 20)), encodedAs: .jpeg(quality: 80))
            let variants = [30, 10].map { ImageVariant(size: ResizeTarget(width: $0), encodedAs: .webp(quality: 80)) }
            let several = try await loader.data(for: request(gamut), variants: variants)
            for file in [one] + several {
                #expect((DecoderRegistry.standard.colors(of: file) == "Display P3") == (gamut == .displayP3))
            }
        }
    }

    /// Two frames of strong colors in Display P3.
    private func animation() throws -> Data {
        let first = try DecoderRegistry.standard.decode(file, gamut: .displayP3)
        let writer = try AnimatedWebPWriter(size: first.size, loopCount: nil, gamut: first.gamut)
        try writer.add(first, duration: .seconds(1))
        try writer.add(first.applying(.flip(.horizontal)), duration: .seconds(1))
        return try writer.finish()
    }

    /// From the source, from the file in memory, and from frames in memory.
    @Test(arguments: [false, true])
    func `frames, and files of them, are in the gamut of their request`(fetchesFirst: Bool) async throws {
        let source = ImageSource.data(try animation())
        let loader = ImageLoader(ImageLoaderOptions.ephemeral)
        for gamut in [ColorGamut.sRGB, .displayP3] {
            var request = ImageRequest(source: source, size: ResizeTarget(width: 20))
            request.gamut = gamut
            if fetchesFirst { #expect(try await loader.fetch(request).gamut == gamut) }
            for _ in 0..<2 {
                let animation = try #require(try await loader.animation(for: request))
                for index in 0..<2 { #expect(try await animation.frame(at: index).gamut == gamut) }
            }
            let one = try await loader.data(for: request, encodedAs: .webp(quality: 80))
            let variants = [30, 10].map { ImageVariant(size: ResizeTarget(width: $0), encodedAs: .webp(quality: 80)) }
            for file in try await [one] + loader.data(for: request, variants: variants) {
                #expect(try DecoderRegistry.standard.header(of: file).frameCount == 2)
                #expect((DecoderRegistry.standard.colors(of: file) == "Display P3") == (gamut == .displayP3))
            }
        }
    }

    @Test func `a still image in a wide gamut has no frames`() async throws {
        #expect(try await ImageLoader(.ephemeral).animation(for: request(.displayP3)) == nil)
    }

    @Test func `a processed image on disk keeps its gamut`() async throws {
        let folder = TemporaryFolder()
        var origins: [ImageResponse.Origin] = []
        for _ in 0..<2 {
            let room = folder.room(
                clock: ManualClock(),
                options: {
                    $0.storage = .all
                    $0.decoders = .standard
                },
                answering: { [file] request in
                    HTTPResponse(
                        url: request.url, status: 200, fields: ["Cache-Control": "max-age=60", "ETag": "\"1\""],
                        body: HTTPBody(file))
                })
            for gamut in [ColorGamut.displayP3, .sRGB] {
                var request = ImageRequest(.photo(), size: ResizeTarget(width: 20))
                request.gamut = gamut
                let response = try await room.loader.response(for: request)
                #expect(response.bitmap.gamut == gamut)
                origins.append(response.origin)
            }
            try await room.loader.diskStore?.close()
        }
        #expect(origins.last == .disk && origins.first == .network)
    }
}
