import Calotype
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Testing

/// Animations that a loader encodes.
@Suite struct AnimationEncodingTests {
    private static let gif = SampleAnimations.gif(
        width: 8, height: 6, colors: [0xFF0000, 0x00FF00, 0x0000FF], delay: 7, repetitions: 2)
    private let upload = ImageRequest(source: .data(gif), size: ResizeTarget(width: 4), steps: [.grayscale])

    private func animation(_ file: Data) throws -> AnimatedImage? { try DecoderRegistry.standard.animation(for: file) }

    private func web(options change: (inout ImageLoaderOptions) -> Void = { _ in }) -> LoaderFixture {
        LoaderFixture(
            options: change,
            answering: { request in
                HTTPResponse(
                    url: request.url, status: 200, fields: ["Cache-Control": "max-age=1000"], body: HTTPBody(Self.gif))
            })
    }

    @Test func `an animation stays one as WebP, with its size, its steps, its durations and its loops`() async throws {
        let file = try await ImageLoader(.ephemeral).data(for: upload, encodedAs: .webpLossless)
        let made = try #require(try animation(file)), source = try #require(try animation(Self.gif))
        #expect(made.size == PixelSize(width: 4, height: 3))
        #expect(made.durations == source.durations && made.loopCount == source.loopCount)
        let grays = try (0..<3).map { try made.frame(at: $0).withUnsafeBytes { ($0[0], $0[1], $0[2]) } }
        #expect(grays.allSatisfy { $0.0 == $0.1 && $0.1 == $0.2 })
        #expect(Set(grays.map(\.0)).count == 3, "each frame is another color")
    }

    @Test(arguments: [EncodingFormat.jpeg(), .png, .avif(speed: 10), .webp().still, .webpLossless.still])
    func `a format without frames, and a still one, have the first frame`(format: EncodingFormat) async throws {
        let file = try await ImageLoader(.ephemeral).data(for: upload, encodedAs: format)
        let header = try DecoderRegistry.standard.header(of: file)
        #expect(header.frameCount == 1 && header.width == 4)
    }

    @Test(arguments: [false, true])
    func `an animation is encoded from memory, or from the stored file, with one download`(isStored: Bool)
        async throws
    {
        let folder = TemporaryFolder()
        let fixture = web { if isStored { $0.disk = .directory(folder.path) } }
        var request = ImageRequest(.photo("cat.gif"))
        _ = try await fixture.loader.fetch(request)
        #expect(try await animation(fixture.loader.data(for: request, encodedAs: .webp()))?.frameCount == 3)
        _ = try await fixture.loader.animation(for: request)
        #expect(try await animation(fixture.loader.data(for: request, encodedAs: .webp()))?.frameCount == 3)
        #expect(fixture.transport.requestCount == 1)
        request.policy = .reloadIgnoringCache
        #expect(try await animation(fixture.loader.data(for: request, encodedAs: .webp()))?.frameCount == 3)
        #expect(fixture.transport.requestCount == 2)
    }

    @Test func `of several sizes, those in a format with frames are animations`() async throws {
        let files = try await ImageLoader(.ephemeral).data(
            for: upload,
            variants: [
                ImageVariant(size: ResizeTarget(width: 4), encodedAs: .webp()),
                ImageVariant(size: ResizeTarget(width: 2), encodedAs: .jpeg()),
                ImageVariant(size: ResizeTarget(width: 2), encodedAs: .webp().still),
                ImageVariant(size: ResizeTarget(width: 2), steps: [.rotate(quarterTurns: 1)], encodedAs: .webp()),
            ])
        #expect(try files.map { try animation($0)?.frameCount } == [3, nil, nil, 3])
        #expect(try animation(files[3])?.size == PixelSize(width: 2, height: 2))
    }

    @Test func `an animation keeps its credits, too`() async throws {
        let credits = try #require(ImageCredits(artist: Array("Ann".utf8), copyright: Array("Bo".utf8)))
        let plain = try #require(try animation(Self.gif)).encoded(as: .webp())
        let source = ImageSource.data(try EXIFBlock(credits).embedded(in: plain, .webp))
        let loader = ImageLoader(.ephemeral)
        let file = try await loader.data(for: ImageRequest(source: source), encodedAs: .webp(keepsCredits: true))
        #expect(ImageCredits(of: file) == credits)
        #expect(try animation(file)?.frameCount == 3)
        let without = try await loader.data(for: ImageRequest(source: source), encodedAs: .webp())
        #expect(ImageCredits(of: without) == nil)
    }

    @Test func `an animation beyond a limit fails, and its first frame does not`() async throws {
        var options = ImageLoaderOptions.ephemeral
        options.limits.maxAnimationPixels = 40_000
        let loader = ImageLoader(options)
        #expect(await imageError { try await loader.data(for: upload, encodedAs: .webp()) }?.code == .imageTooLarge)
        #expect(try await !loader.data(for: upload, encodedAs: .webp().still).isEmpty)
        options.limits = DecodeLimits()
        options.limits.maxFrames = 2
        let short = ImageLoader(options)
        #expect(await imageError { try await short.data(for: upload, encodedAs: .webp()) }?.code == .imageTooLarge)
    }

    /// A step that waits at a gate for each image.
    private struct GatedStep: ImageStep {
        let gate: Gate
        let key = "gated"

        func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
            gate.waitBlocking()
            return bitmap
        }
    }

    @Test(arguments: [false, true])
    func `an encoding under way ends with its task, or with all loads`(cancelsAll: Bool) async {
        let gate = Gate()
        let loader = ImageLoader(.ephemeral)
        let request = ImageRequest(source: .data(Self.gif), steps: [GatedStep(gate: gate)])
        let task = Task { await imageError { try await loader.data(for: request, encodedAs: .webp()) } }
        // The first frame is an image, before the animation is opened.
        await gate.waitForWaiters(1)
        gate.open(count: 1)
        await gate.waitForWaiters(1)
        if cancelsAll { loader.cancelAll() } else { task.cancel() }
        #expect(await task.value?.code == .cancelled)
        gate.open()
    }
}
