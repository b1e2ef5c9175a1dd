import Calotype
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeCodecs

/// Gain maps in encoded results.
@Suite struct GainMapDataTests {
    /// Returns a photograph whose map has a quarter of its sides.
    private static func photo() throws -> Data {
        let base = SamplePhotos.bitmap(width: 320, height: 240)
        let samples = try SamplePhotos.bitmap(width: 80, height: 60).applying(.grayscale)
        let numbers = try #require(
            GainMapNumbers([.init(least: 0, most: 2)], baseHeadroom: 0, alternateHeadroom: 2))
        let plan = GainMapPlan(ImageExtent(samples.size), of: samples.size, base: base.size)
        let map = GainMap(samples, numbers, isGray: true, profile: nil, plan: plan)
        return try base.declaring(gainMap: map).encoded(as: .jpeg(quality: 90))
    }

    @Test func `a format that keeps the map has it, and others have none`() async throws {
        let request = ImageRequest(
            source: .data(try Self.photo()), size: ResizeTarget(width: 160), steps: [.flip(.horizontal)])
        let loader = ImageLoader(.ephemeral)
        // An image in memory has no map.
        #expect(try await loader.fetch(request).gainMap == nil)
        let kept = try await loader.data(for: request, encodedAs: .jpeg(quality: 80).keepingGainMap)
        #expect(try GainMap.source(in: kept)?.size == PixelSize(width: 40, height: 30))
        let small = try await loader.data(for: request, encodedAs: .avif(speed: 10).keepingGainMap)
        #expect(try GainMap.source(in: small)?.size == PixelSize(width: 40, height: 30))
        for format in [EncodingFormat.jpeg(quality: 80), .webp().keepingGainMap, .png.keepingGainMap] {
            #expect(try await !GainMap.isPresent(in: loader.data(for: request, encodedAs: format)))
        }
    }

    @Test func `of several sizes those have the map whose formats keep it`() async throws {
        let files = try await ImageLoader(.ephemeral).data(
            for: ImageRequest(source: .data(Self.photo())),
            variants: [
                ImageVariant(size: ResizeTarget(width: 200), encodedAs: .jpeg()),
                ImageVariant(size: ResizeTarget(width: 100), steps: [.pad(10)], encodedAs: .jpeg().keepingGainMap),
                ImageVariant(encodedAs: .jpeg(keepsCredits: true).keepingGainMap),
            ])
        let sizes = try files.map { try GainMap.source(in: $0)?.size }
        #expect(sizes == [nil, PixelSize(width: 30, height: 24), PixelSize(width: 80, height: 60)])
    }
}
