import Calotype
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import TestSupport
import Foundation
import Testing

/// The author and the copyright in encoded results.
@Suite struct CreditsTests {
    private static let credits = ImageCredits(artist: Array("Zoë".utf8), copyright: Array("© 2026 Zoë Ray".utf8))

    private let photo = SampleEXIF.jpeg(
        SamplePhotos.jpeg(width: 64, height: 48),
        with: SampleEXIF.block(artist: "Zoë", copyright: "© 2026 Zoë Ray", orientation: 6))

    @Test(arguments: [
        EncodingFormat.jpeg(keepsCredits: true), .jpeg(isProgressive: true, keepsCredits: true),
        .webp(keepsCredits: true), .webp(effort: 0, keepsCredits: true), .avif(speed: 10, keepsCredits: true),
    ])
    func `an encoded result keeps artist and copyright, and nothing else of the block`(format: EncodingFormat)
        async throws
    {
        let loader = ImageLoader(.ephemeral)
        let request = ImageRequest(
            source: .data(photo), size: ResizeTarget(width: 24), steps: [.flip(.horizontal), .grayscale])
        // An image in memory has no credits.
        _ = try await loader.fetch(request)
        let file = try await loader.data(for: request, encodedAs: format)
        #expect(ImageCredits(of: file) == Self.credits)
        let header = try DecoderRegistry.standard.header(of: file)
        #expect((header.width, header.height, header.orientation) == (24, 32, 1))
        #expect(file.range(of: Data("N12345".utf8)) == nil, "no position")
    }

    @Test func `by default an encoded result has no credits`() async throws {
        let loader = ImageLoader(.ephemeral)
        for format in [EncodingFormat.jpeg(), .webp(), .avif(speed: 10), .png] {
            let file = try await loader.data(for: ImageRequest(source: .data(photo)), encodedAs: format)
            #expect(ImageCredits(of: file) == nil)
        }
    }

    @Test func `of several sizes those have credits whose formats keep them`() async throws {
        let files = try await ImageLoader(.ephemeral).data(
            for: ImageRequest(source: .data(photo)),
            variants: [
                ImageVariant(size: ResizeTarget(width: 24), encodedAs: .jpeg(keepsCredits: true)),
                ImageVariant(size: ResizeTarget(width: 12), steps: [.grayscale], encodedAs: .webp(keepsCredits: true)),
                ImageVariant(size: ResizeTarget(width: 6), encodedAs: .jpeg()),
            ])
        #expect(files.map { ImageCredits(of: $0) } == [Self.credits, Self.credits, nil])
    }

    @Test func `a stored processed image does not lose the credits`() async throws {
        let folder = TemporaryFolder()
        let fixture = LoaderFixture(
            options: {
                $0.disk = .directory(folder.path)
                $0.storage = .all
            },
            answering: { [photo] request in
                HTTPResponse(
                    url: request.url, status: 200, fields: ["Cache-Control": "max-age=1000"], body: HTTPBody(photo))
            })
        let request = ImageRequest(.photo(), size: ResizeTarget(width: 24))
        try await fixture.fetchAndFlush(request)
        let file = try await fixture.loader.data(for: request, encodedAs: .jpeg(keepsCredits: true))
        #expect(ImageCredits(of: file) == Self.credits)
        #expect(fixture.transport.requestCount == 1)
    }
}
