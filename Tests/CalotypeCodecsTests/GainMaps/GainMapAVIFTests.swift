import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeCodecs

/// AVIFs with gain maps that are written.
@Suite struct GainMapAVIFTests {
    private static let format = EncodingFormat.avif(quality: 80, speed: 9)

    private static func written(
        _ file: GainMapFile, steps: [any ImageStep] = [], _ format: EncodingFormat = format
    ) throws -> (bitmap: Bitmap, data: Data) {
        let bitmap = try file.data.decodedKeepingMap(ResizeTarget(width: 160), steps: steps)
        return (bitmap, try bitmap.encoded(as: format))
    }

    @Test(arguments: [false, true], [1, 2, 4])
    func `a written map is found with its numbers, gray or in color as it came`(inColor: Bool, ratio: Int) throws {
        var file = try GainMapFile.make(ratio: ratio, inColor: inColor)
        if inColor {
            var iso = GainMapFile.ISO.plain
            iso.flags |= 0x80
            iso.fractions += [(0, 1), (3, 2), (1, 1), (1, 64), (1, 64), (-1, 8), (1, 1), (2, 1), (0, 1), (0, 1)]
            file.iso = iso.bytes
        }
        let source = try #require(try GainMap.source(in: file.data))
        let (bitmap, data) = try Self.written(file)
        let found = try #require(try GainMap.source(in: data))
        #expect(found.dialect == .iso && !found.isAmbiguous && found.isGray != inColor && found.profile == nil)
        #expect(found.numbers == source.numbers)
        #expect(found.size == PixelSize(width: 160 / max(ratio, 2), height: 120 / max(ratio, 2)))
        let map = try #require(data.decodedKeepingMap().gainMap), own = try #require(bitmap.gainMap)
        let drawn = try own.samples.scaled(to: found.size)
        let errors = zip(map.samples.pixels.joined(), drawn.pixels.joined()).map { $0.distance(to: $1) }
        #expect(Double(errors.reduce(0, +)) / Double(errors.count) <= (inColor ? 5 : 2))
    }

    @Test(arguments: [EncodingFormat.avif(quality: 60, speed: 9), .avif(quality: 95, speed: 9)])
    func `the base has the same pixels as without its map`(format: EncodingFormat) throws {
        let (bitmap, data) = try Self.written(GainMapFile.make(), format)
        let plain = try bitmap.declaring(gainMap: nil).encoded(as: format)
        #expect(GainMap.isPresent(in: data) && !GainMap.isPresent(in: plain))
        #expect(try data.decoded().pixels == plain.decoded().pixels)
        #expect(try DecoderRegistry.standard.plan(for: data, target: nil).header.format == .avif)
    }

    @Test func `transparency and the author stay beside the map`() throws {
        let (bitmap, _) = try Self.written(GainMapFile.make(), steps: [ImageSteps.RoundedCorners(radius: 30)])
        #expect(bitmap.hasAlpha)
        let credits = try #require(ImageCredits(artist: Array("Anna".utf8), copyright: []))
        let data = try Self.format.encode(bitmap, with: EXIFBlock(credits))
        #expect(ImageCredits(of: data) == credits && GainMap.isPresent(in: data))
        let plain = try bitmap.declaring(gainMap: nil).encoded(as: Self.format).decoded()
        #expect(try data.decoded().pixels == plain.pixels && plain.hasAlpha)
        #expect(try GainMap.source(in: data)?.size == PixelSize(width: 40, height: 30))
    }

    @Test func `a map that applies to other colors keeps their profile`() throws {
        var file = try GainMapFile.make(inColor: true)
        var iso = GainMapFile.ISO.plain
        iso.flags = 0
        file.iso = iso.bytes
        let unknown = try Profiles.swapped()
        for profile in [unknown, GamutProfile.displayP3, GamutProfile.bt2020] {
            var other = file
            other.map = file.map.addingProfile(profile)
            let (_, data) = try Self.written(other)
            let found = try #require(try GainMap.source(in: data))
            #expect(found.profile == Array(profile) && !found.numbers.usesBaseColors)
            // The profiles of known primaries are two bytes.
            #expect(data.range(of: profile) == nil || profile == unknown)
        }
    }

    @Test func `a map of a base in Display P3 applies to these colors`() throws {
        let bitmap = try GainMapFile.make(inColor: true).data.decodedKeepingMap(ResizeTarget(width: 160))
        let data = try bitmap.declaring(gamut: .displayP3).encoded(as: Self.format)
        #expect(try GainMap.source(in: data)?.profile == [UInt8](GamutProfile.displayP3))
    }

    @Test func `a file that was written can be the source of the next`() throws {
        let (_, first) = try Self.written(GainMapFile.make())
        let bitmap = try first.decodedKeepingMap(ResizeTarget(width: 80))
        let second = try bitmap.encoded(as: Self.format)
        #expect(try GainMap.source(in: second)?.size == PixelSize(width: 20, height: 15))
        #expect(try GainMap.source(in: second)?.numbers == GainMap.source(in: first)?.numbers)
    }
}
