import CalotypeBase
import CalotypeCodecs
import CalotypeTesting
import Foundation
import Testing

@testable import Calotype

/// Several encoded sizes of one image. `ReservationTests` has their memory, `SharpnessTests` their sharpness.
@Suite struct VariantTests {
    private func header(_ file: Data) throws -> ImageHeader { try DecoderRegistry.standard.header(of: file) }

    private func variants(_ widths: Int...) -> [ImageVariant] {
        widths.map { ImageVariant(size: ResizeTarget(width: $0), encodedAs: .png) }
    }

    @Test func `several sizes take one decode, and come in the order of their variants`() async throws {
        let fixture = LoaderFixture(answering: { .picture($0, width: 80, height: 60) })
        let request = ImageRequest(.photo(), size: ResizeTarget(width: 7), steps: [.rotate(quarterTurns: 1)])
        let files = try await fixture.loader.data(for: request, variants: variants(20, 40, 10))
        #expect(try files.map { try header($0).uprightSize.width } == [20, 40, 10])
        #expect(try header(files[0]).height == 15, "the request's own size and steps have no effect")
        #expect(fixture.decoder.decodeCount == 1 && fixture.transport.requestCount == 1)
        #expect(fixture.loader.cachedImage(for: .photo()) == nil)
        #expect(fixture.loader.statistics.memory.count == 0)
    }

    @Test func `each variant has its own crop, steps and format`() async throws {
        let upload = ImageRequest(source: .data(SamplePhotos.jpeg(width: 320, height: 240)), caching: [])
        let files = try await ImageLoader(.ephemeral).data(
            for: upload,
            variants: [
                ImageVariant(size: ResizeTarget(width: 90, height: 90, mode: .fill), encodedAs: .jpeg()),
                ImageVariant(
                    size: ResizeTarget(width: 50, height: 90, mode: .fill, gravity: .attention),
                    steps: [.rotate(quarterTurns: 1)], encodedAs: .webp()),
                ImageVariant(encodedAs: .png),
                ImageVariant(
                    size: ResizeTarget(width: 640, height: 480, upscales: true), encodedAs: .webpLossless),
            ])
        let headers = try files.map(header)
        #expect(headers.map(\.format) == [.jpeg, .webp, .png, .webp])
        #expect(headers.map { "\($0.uprightSize)" } == ["90 × 90", "90 × 50", "320 × 240", "640 × 480"])
    }

    @Test func `a variant is the file that its own request gives`() async throws {
        let loader = ImageLoader(.ephemeral)
        let upload = ImageRequest(source: .data(SamplePhotos.jpeg(width: 640, height: 480)), caching: [])
        let files = try await loader.data(for: upload, variants: variants(200, 100))
        var alone = upload
        alone.size = ResizeTarget(width: 200)
        #expect(try await files[0] == loader.data(for: alone, encodedAs: .png))
    }

    @Test func `without variants nothing is loaded`() async throws {
        let fixture = LoaderFixture()
        #expect(try await fixture.loader.data(for: ImageRequest(.photo()), variants: []).isEmpty)
        #expect(fixture.transport.requestCount == 0)
    }

    @Test func `the disk keeps the original, and a second call needs no download`() async throws {
        let folder = TemporaryFolder()
        let fixture = folder.room()
        let request = ImageRequest(.photo(), size: ResizeTarget(width: 2))
        for _ in 0..<2 {
            _ = try await fixture.loader.data(for: request, variants: variants(2, 1))
            try await fixture.loader.diskStore?.flush()
        }
        #expect(fixture.transport.requestCount == 1)
    }

    @Test func `a variant beyond a limit fails before a pixel is decoded, and one beyond its format as it is encoded`()
        async throws
    {
        let fixture = LoaderFixture(options: { $0.limits.maxDimension = 20_000 })
        func code(_ size: ResizeTarget, as format: EncodingFormat) async -> ImageError.Code? {
            let variants = variants(2) + [ImageVariant(size: size, encodedAs: format)]
            return await imageError {
                try await fixture.loader.data(for: ImageRequest(.photo()), variants: variants)
            }?.code
        }
        let tooWide = ResizeTarget(width: 20_001, height: 1, mode: .exact, upscales: true)
        #expect(await code(tooWide, as: .png) == .imageTooLarge)
        #expect(fixture.decoder.decodeCount == 0)
        let wide = ResizeTarget(width: 16_384, height: 1, mode: .exact, upscales: true)
        #expect(await code(wide, as: .webp()) == .encodingFailed)
    }

    @Test(arguments: [false, true])
    func `a call for several sizes ends at once when all loads are cancelled or the loader is invalidated`(
        invalidates: Bool
    ) async {
        let pause = CodecPause()
        let fixture = LoaderFixture(decodeHook: { pause.stop() })
        let loader = fixture.loader
        let variants = variants(2, 1)
        let task = Task {
            await imageError { try await loader.data(for: ImageRequest(.photo()), variants: variants) }
        }
        await pause.waitUntilStopped()
        if invalidates { loader.invalidate() } else { loader.cancelAll() }
        #expect(await task.value?.code == (invalidates ? .invalidated : .cancelled))
        pause.goOn()
    }

    @Test func `several sizes have one report`() async throws {
        let reports = Locked([ImageLoadMetrics]())
        let clock = ManualClock()
        let fixture = LoaderFixture(
            decodeHook: { clock.advance(by: .seconds(3)) },
            options: {
                $0.clock = clock
                $0.onMetrics = { report in reports.withLock { $0.append(report) } }
            })
        _ = try await fixture.loader.data(for: ImageRequest(.photo()), variants: variants(2, 1))
        let all = reports.withLock { $0 }
        #expect(all.map(\.origin) == [.network] && all.map(\.processing) == [.seconds(3)])
        #expect(all.map(\.bytes) == [PlainDecoder.data().count])
    }

    @Test func `an isolated decoder makes several sizes with one decode`() async throws {
        let workers = DecoderWorkers(limit: 1)
        var options = ImageLoaderOptions.ephemeral
        options.isolation = .all(in: workers)
        let upload = ImageRequest(source: .data(SamplePhotos.png(width: 300, height: 200)), caching: [])
        let files = try await ImageLoader(options).data(for: upload, variants: variants(150, 120, 60))
        #expect(try files.map { try header($0).width } == [150, 120, 60])
        #expect(workers.counters.images == 2, "a header and a decode")
    }
}
