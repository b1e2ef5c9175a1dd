import CTurboJPEG
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeCodecs

extension GainMapFile {
    /// Decodes the file with its map, and encodes both.
    func written(
        width: Int = 160, steps: [any ImageStep] = [], _ format: EncodingFormat = .jpeg(quality: 90)
    ) throws -> (bitmap: Bitmap, data: Data) {
        let bitmap = try data.decodedKeepingMap(ResizeTarget(width: width), steps: steps)
        return (bitmap, try bitmap.encoded(as: format))
    }
}

/// Files with gain maps that are written.
@Suite struct GainMapWritingTests {
    /// Formats, and the largest mean error of a map in color.
    private static let formats: [(EncodingFormat, Double)] = [
        (.jpeg(quality: 90), 4), (.avif(quality: 80, speed: 9), 5),
    ]

    @Test(
        arguments: [(false, 1), (false, 2), (false, 4), (true, 1), (true, 2), (true, 4)] as [(Bool, Int)], formats)
    func `a written map is found with its numbers, gray or in color as it came`(
        map kind: (inColor: Bool, ratio: Int), format: (EncodingFormat, error: Double)
    ) throws {
        let (inColor, ratio) = kind
        var file = try GainMapFile.make(ratio: ratio, inColor: inColor)
        if inColor {
            var iso = GainMapFile.ISO.plain
            iso.flags |= 0x80
            iso.fractions += [(0, 1), (3, 2), (1, 1), (1, 64), (1, 64), (-1, 8), (1, 1), (2, 1), (0, 1), (0, 1)]
            file.iso = iso.bytes
        }
        let source = try #require(try GainMap.source(in: file.data))
        let (bitmap, data) = try file.written(format.0)
        let found = try #require(try GainMap.source(in: data))
        #expect(found.dialect == .iso && !found.isAmbiguous && found.isGray != inColor && found.profile == nil)
        #expect(found.numbers == source.numbers)
        // A smooth map of the base's size is written at half of it.
        #expect(found.size == PixelSize(width: 160 / max(ratio, 2), height: 120 / max(ratio, 2)))
        let map = try #require(data.decodedKeepingMap().gainMap), own = try #require(bitmap.gainMap)
        let drawn = try own.samples.scaled(to: found.size)
        let errors = zip(map.samples.pixels.joined(), drawn.pixels.joined()).map { $0.distance(to: $1) }
        #expect(Double(errors.reduce(0, +)) / Double(errors.count) <= (inColor ? format.error : 2))
        guard format.0.imageFormat == .jpeg else { return }
        // Readers that know only Ultra HDR find the same.
        let image = data[try #require(found.range)]
        let xmp = image.reading { bytes in
            JPEGSegments(ByteReader(bytes)).map { XMPProperties($0, in: ByteReader(bytes)) }
        }
        #expect(GainMapNumbers(try #require(xmp))?.agree(with: source.numbers) == true)
    }

    @Test func `a map of the base's size keeps its size if its detail needs it`() throws {
        var file = try GainMapFile.make(ratio: 1)
        // Stripes of three samples, by two stops.
        file.map = try JPEGFiles.make(Bitmap.drawn(320, 240) { x, _ in .gray(x % 6 < 3 ? 0 : 255) }, quality: 100)
        let (_, data) = try file.written(width: 320)
        #expect(try GainMap.source(in: data)?.size == PixelSize(width: 320, height: 240))
        // A weaker map of the same shape is reduced.
        file.map = try JPEGFiles.make(Bitmap.drawn(320, 240) { x, _ in .gray(x % 6 < 3 ? 100 : 104) }, quality: 100)
        let (_, weak) = try file.written(width: 320)
        #expect(try GainMap.source(in: weak)?.size == PixelSize(width: 160, height: 120))
    }

    @Test func `a map's quality follows that of its base`() throws {
        let bitmap = try GainMapFile.make(ratio: 2).data.decodedKeepingMap()
        let sizes = try [70, 80, 90].map { quality in
            try #require(try GainMap.source(in: bitmap.encoded(as: .jpeg(quality: quality)))?.range).count
        }
        #expect(sizes == sizes.sorted() && Set(sizes).count == sizes.count)
    }

    @Test func `numbers that readers assume are not in XMP`() throws {
        let plain = try #require(
            GainMapNumbers([GainMapNumbers.Channel(least: 0, most: 2)], baseHeadroom: 0, alternateHeadroom: 2))
        for name in ["GainMapMin", "Gamma", "Offset", "HDRCapacityMin", "BaseRendition"] {
            #expect(!plain.xmp.contains(name))
        }
        #expect(plain.xmp.contains("GainMapMax=\"2\"") && plain.xmp.contains("HDRCapacityMax=\"2\""))
    }

    @Test(
        arguments: [
            EncodingFormat.jpeg(quality: 80), .jpeg(quality: 80, isProgressive: true, hasProfile: true),
            .avif(quality: 60, speed: 9), .avif(quality: 95, speed: 9),
        ])
    func `the base has the same pixels as without its map`(format: EncodingFormat) throws {
        let (bitmap, data) = try GainMapFile.make().written(format)
        let plain = try bitmap.declaring(gainMap: nil).encoded(as: format)
        #expect(GainMap.isPresent(in: data) && !GainMap.isPresent(in: plain))
        #expect(try data.decoded().pixels == plain.decoded().pixels)
        #expect(try DecoderRegistry.standard.plan(for: data, target: nil).header.format == format.imageFormat)
        guard format.imageFormat == .jpeg else { return }
        // The file is the base's with segments in it, and the map behind it.
        #expect(data.range(of: plain.suffix(plain.count - 700)) != nil)
    }

    @Test func `an EXIF block precedes the map's segments, and the index counts it`() throws {
        let bitmap = try GainMapFile.make().data.decodedKeepingMap(ResizeTarget(width: 160))
        let credits = try #require(ImageCredits(artist: Array("Anna".utf8), copyright: []))
        let data = try EncodingFormat.jpeg().encode(bitmap, with: EXIFBlock(credits))
        #expect(ImageCredits(of: data) == credits)
        let source = try #require(try GainMap.source(in: data))
        let range = try #require(source.range)
        #expect(range.upperBound == data.count)
        // The end of the base.
        #expect(data[range.lowerBound - 2..<range.lowerBound] == Data([0xFF, 0xD9]))
    }

    @Test func `only the map and its numbers are kept`() throws {
        var file = try GainMapFile.make()
        file.mapXML = "<hdrgm:Secret>secret in XMP</hdrgm:Secret>"
        file.map = file.map.addingSegment(0xE1, Data("Exif\0\0secret in EXIF".utf8))
            .addingSegment(0xFE, Data("secret comment".utf8))
        let (_, data) = try file.written()
        #expect(file.data.range(of: Data("secret".utf8)) != nil && data.range(of: Data("secret".utf8)) == nil)
    }

    @Test func `a map that applies to other colors keeps their profile`() throws {
        var file = try GainMapFile.make(inColor: true)
        var iso = GainMapFile.ISO.plain
        iso.flags = 0
        file.iso = iso.bytes
        let profile = try Profiles.swapped()
        file.map = file.map.addingProfile(profile)
        let (_, data) = try file.written()
        let found = try #require(try GainMap.source(in: data))
        #expect(found.profile == Array(profile) && !found.numbers.usesBaseColors)
        // The values of the map are no colors, and stay as they are.
        let plain = try GainMapFile.make(inColor: true).data.decodedKeepingMap(ResizeTarget(width: 160)).gainMap
        let map = try file.data.decodedKeepingMap(ResizeTarget(width: 160)).gainMap
        #expect(map?.samples.pixels == plain?.samples.pixels)
    }

    @Test func `a map in color of a base in other colors applies to these`() throws {
        var file = try GainMapFile.make(inColor: true)
        let profile = try Profiles.swapped()
        file.base = file.base.addingProfile(profile)
        #expect(try GainMap.source(in: file.written().data)?.profile == Array(profile))
        var gray = try GainMapFile.make()
        gray.base = gray.base.addingProfile(profile)
        #expect(try GainMap.source(in: gray.written().data)?.profile == nil)
    }

    @Test func `a map that applies to the base's colors needs no profile`() throws {
        let bitmap = try GainMapFile.make(inColor: true).data.decodedKeepingMap(ResizeTarget(width: 160))
            .declaring(gamut: .displayP3)
        let map = try #require(bitmap.gainMap)
        let wide = GainMap(
            map.samples, map.numbers, isGray: false, profile: [UInt8](GamutProfile.displayP3), plan: map.plan)
        let data = try bitmap.declaring(gainMap: wide).encoded(as: .jpeg())
        #expect(data.range(of: Data("hdrgm:Version".utf8)) != nil)
        let source = try #require(try GainMap.source(in: data))
        #expect(!source.numbers.usesBaseColors && source.profile == [UInt8](GamutProfile.displayP3))
        let image = data[try #require(source.range)]
        let numbers = try #require(image.range(of: GainMapFile.isoName, options: .backwards)).upperBound
        let own = Data(image[numbers...]).reading { GainMapNumbers(iso: ByteReader($0)) }
        #expect(own?.usesBaseColors == true && image.range(of: GamutProfile.displayP3) == nil)
        // In sRGB, the gain still applies to Display P3.
        let narrow = try bitmap.declaring(gamut: .sRGB).declaring(gainMap: wide).encoded(as: .jpeg())
        #expect(narrow.range(of: GamutProfile.displayP3) != nil && narrow.range(of: Data("hdrgm:Version".utf8)) == nil)
    }

    @Test func `a gray map that came in color is gray`() throws {
        var file = try GainMapFile.make()
        file.map = try JPEGFiles.make(GainMapFile.glowMap(80, 60), sampling: TJSAMP_420)
        #expect(try GainMap.source(in: file.data)?.isGray == false)
        file.base = file.base.addingProfile(try Profiles.swapped())
        let (bitmap, data) = try file.written()
        #expect(bitmap.gainMap?.isGray == true && bitmap.gainMap?.profile == nil)
        #expect(try GainMap.source(in: data)?.isGray == true)
    }

    @Test func `other formats have no map`() throws {
        let bitmap = try GainMapFile.make().data.decodedKeepingMap(ResizeTarget(width: 160))
        for format in [EncodingFormat.png, .webp()] {
            #expect(try !GainMap.isPresent(in: bitmap.encoded(as: format)))
        }
    }

    @Test func `a worker decodes the map, too`() throws {
        let workers = DecoderWorkers(limit: 1)
        let isolated = DecoderRegistry.standard.isolated(in: workers)
        for file in [try GainMapFile.make(), try .make(inColor: true), try .apple(maker: (0, 0))] {
            let inside = try file.data.decodedKeepingMap(ResizeTarget(width: 160), by: isolated)
            let outside = try file.data.decodedKeepingMap(ResizeTarget(width: 160))
            let (map, own) = (try #require(inside.gainMap), try #require(outside.gainMap))
            #expect(inside.pixels == outside.pixels && map.samples.pixels == own.samples.pixels)
            #expect(map.numbers == own.numbers)
        }
    }
}
