import CalotypeBase
import CalotypeCodecs
import CalotypeTesting
import TestSupport
import Foundation
import Testing
import Waiting

@testable import Calotype

/// The header of an image, read by a loader.
@Suite struct HeaderTests {
    /// Three frames of 8 × 6 pixels.
    private static let gif = SampleAnimations.gif(
        width: 8, height: 6, colors: [0xFF0000, 0x00FF00, 0x0000FF], delay: 7)

    private func upload(_ data: Data) -> ImageRequest { ImageRequest(source: .data(data), caching: []) }

    @Test func `an upload's header has format, stored size and orientation, and no pixel is decoded`() async throws {
        let photo = SamplePhotos.jpeg(width: 64, height: 48)
        let turned = SampleEXIF.jpeg(photo, with: SampleEXIF.block(artist: nil, copyright: nil, orientation: 6))
        let header = try await ImageLoader(.ephemeral).header(for: upload(turned))
        #expect(header.format == .jpeg && header.orientation == 6 && header.frameCount == 1)
        #expect((header.width, header.height) == (64, 48))
        #expect(header.uprightSize == PixelSize(width: 48, height: 64))

        let fixture = LoaderFixture()
        let request = ImageRequest(.photo(), size: ResizeTarget(width: 2), steps: [CountingStep("a")])
        let plain = try await fixture.loader.header(for: request)
        #expect((plain.width, plain.height) == (4, 3))
        #expect(fixture.decoder.decodeCount == 0)
    }

    @Test func `a header shares the download of the image, and the stored bytes`() async throws {
        let folder = TemporaryFolder()
        let gate = Gate()
        let fixture = LoaderFixture(gate: gate, options: { $0.disk = .directory(folder.path) })
        let request = ImageRequest(.photo())
        async let bitmap = fixture.loader.fetch(request)
        async let header = fixture.loader.header(for: request)
        await waitUntil { fixture.loader.statistics.sourceWaiters == 2 }
        gate.open()
        let widths = try await (bitmap.width, header.width)
        #expect(widths.0 == widths.1)
        _ = try await fixture.loader.header(for: request)
        #expect(fixture.transport.requestCount == 1)
    }

    @Test func `a header waits for a codec thread, and a full queue refuses it`() async throws {
        let pause = CodecPause()
        let fixture = LoaderFixture(
            decodeHook: { pause.stop() },
            options: {
                $0.codecThreads = 1
                $0.queueLimit = 1
            })
        let loader = fixture.loader
        let busy = Task { try await loader.fetch(URL.photo()) }
        await pause.waitUntilStopped()
        let waiting = Task { try await loader.header(for: upload(Self.gif)) }
        await waitUntil { loader.statistics.codecQueue == 1 }
        let refused = await imageError { try await loader.header(for: upload(Self.gif)) }
        #expect(refused?.code == .overloaded)
        pause.goOn()
        #expect(try await waiting.value.format == .gif)
        _ = try await busy.value
    }

    @Test func `a header that waits for a codec thread ends with its task`() async throws {
        let pause = CodecPause()
        let fixture = LoaderFixture(decodeHook: { pause.stop() }, options: { $0.codecThreads = 1 })
        let loader = fixture.loader
        let busy = Task { try await loader.fetch(URL.photo()) }
        await pause.waitUntilStopped()
        let waiting = Task { await imageError { try await loader.header(for: upload(Self.gif)) } }
        await waitUntil { loader.statistics.codecQueue == 1 }
        waiting.cancel()
        #expect(await waiting.value?.code == .cancelled)
        pause.goOn()
        _ = try await busy.value
    }

    @Test func `the header of an isolated format is read in a worker`() async throws {
        let workers = DecoderWorkers(limit: 1)
        var options = ImageLoaderOptions.ephemeral
        options.isolation = .all(in: workers)
        let png = SamplePhotos.png(width: 30, height: 20)
        let header = try await ImageLoader(options).header(for: upload(png))
        #expect((header.format, header.width, header.height) == (.png, 30, 20))
        #expect(workers.counters.images == 1, "a header and no decode")
    }

    @Test func `bytes that are no image, and a damaged header, are errors of the loader`() async {
        let loader = ImageLoader(.ephemeral)
        let page = await imageError { try await loader.header(for: upload(Data("<html>".utf8))) }
        #expect(page?.code == .notAnImage)
        let cut = await imageError { try await loader.header(for: upload(SamplePhotos.jpeg().prefix(20))) }
        #expect(cut?.code == .damagedImage)
    }

    @Test func `frames are counted up to the loader's limit`() async throws {
        let header = try await ImageLoader(.ephemeral).header(for: upload(Self.gif))
        #expect(header.frameCount == 3 && header.duration == .milliseconds(210))
        var options = ImageLoaderOptions.ephemeral
        options.limits.maxFrames = 2
        let longer = try await ImageLoader(options).header(for: upload(Self.gif))
        #expect(longer.frameCount == nil && longer.isAnimated)
    }

    @Test func `an image beyond the loader's limits has a header, for the service's own answer`() async throws {
        var options = ImageLoaderOptions.ephemeral
        options.limits.maxPixels = 100
        let loader = ImageLoader(options)
        let request = upload(SamplePhotos.png(width: 30, height: 20))
        #expect(try await loader.header(for: request).width == 30)
        #expect(await imageError { try await loader.fetch(request) }?.code == .imageTooLarge)
    }

    @Test func `a header has one report, with its bytes and without a decode`() async throws {
        let reports = Locked([ImageLoadMetrics]())
        let fixture = LoaderFixture(options: { $0.onMetrics = { report in reports.withLock { $0.append(report) } } })
        _ = try await fixture.loader.header(for: ImageRequest(.photo()))
        let report = try #require(reports.withLock { $0 }.first)
        #expect(report.origin == .network && report.bytes == PlainDecoder.data().count)
        #expect(report.processing == nil && report.error == nil)
    }
}
