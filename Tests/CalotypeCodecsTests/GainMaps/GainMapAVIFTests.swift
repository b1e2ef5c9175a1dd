import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeCodecs

/// The items of AVIFs with gain maps that are written.
@Suite struct GainMapAVIFTests {
    private static let format = EncodingFormat.avif(quality: 80, speed: 9)

    @Test func `transparency and the author stay beside the map`() throws {
        let (bitmap, _) = try GainMapFile.make().written(steps: [ImageSteps.RoundedCorners(radius: 30)])
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
            let (_, data) = try other.written(Self.format)
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
        let (_, first) = try GainMapFile.make().written(Self.format)
        let bitmap = try first.decodedKeepingMap(ResizeTarget(width: 80))
        let second = try bitmap.encoded(as: Self.format)
        #expect(try GainMap.source(in: second)?.size == PixelSize(width: 20, height: 15))
        #expect(try GainMap.source(in: second)?.numbers == GainMap.source(in: first)?.numbers)
    }
}
