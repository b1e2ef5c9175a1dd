import CalotypeTesting
import Foundation
import TestSupport
import Testing

@testable import CalotypeCodecs

/// Gain maps among the items of an AVIF. HEIC's are read by the same parser, and decoded in `Tests/FormatTests`.
@Suite struct GainMapItemTests {
    private static let twoStops = GainMapNumbers.Channel(least: 0, most: 2)

    @Test func `a derived image leads to the map and its numbers`() throws {
        let file = try GainMapItems.make().data
        let source = try #require(try GainMap.source(in: file))
        #expect(source.dialect == .iso && source.isGray && !source.isAmbiguous && source.range == nil)
        #expect(source.size == PixelSize(width: 80, height: 60))
        #expect(source.numbers == GainMapNumbers([Self.twoStops], baseHeadroom: 0, alternateHeadroom: 2))
        let bitmap = try file.decodedKeepingMap()
        #expect(bitmap.pixels == (try GainMapItems.make(iso: nil).data.decoded()).pixels)
        let map = try #require(bitmap.gainMap)
        #expect(try map.isGray && map.samples.worstDistance(to: GainMapFile.glowMap(80, 60)) ?? 255 <= 4)
    }

    @Test func `a result in JPEG has the map of an AVIF`() throws {
        let file = try GainMapItems.make(inColor: true).data
        let result = try file.decodedKeepingMap(ResizeTarget(width: 160)).encoded(as: .jpeg(quality: 90))
        let map = try #require(try result.decodedKeepingMap().gainMap)
        #expect(map.samples.size == PixelSize(width: 40, height: 30) && !map.isGray)
        let drawn = try GainMapFile.glowMap(40, 30, inColor: true)
        #expect(try #require(map.samples.worstDistance(to: drawn)) <= 30)
        #expect(map.numbers.channels.count == 1 && map.numbers.alternateHeadroom == 2)
    }

    /// The properties of base and map: how both are cropped, turned and mirrored.
    static let transformations: [[Data]] = {
        let mirrors: [[Data]] = [[], [GainMapItems.imir(0)], [GainMapItems.imir(1)]]
        let turns: [[Data]] = [[]] + (0..<4).map { [GainMapItems.irot($0)] }
        return turns.flatMap { turn in mirrors.map { turn + $0 } }
    }()

    @Test(arguments: transformations)
    func `the map of an AVIF is turned as its base is`(properties: [Data]) throws {
        var file = try GainMapItems.twins(240, 180)
        (file.base.properties, file.map.properties) = (properties, properties)
        for target in [nil, ResizeTarget(width: 120, height: 120), ResizeTarget(width: 60, height: 90, mode: .fill)] {
            try Self.expectTwins(file.data.decodedKeepingMap(target))
        }
        // The layout that takes images as they are stored.
        let stored = try DecoderRegistry.standard.plan(for: file.data, target: StoredLayout()).decode()
        #expect(stored.size == PixelSize(width: 240, height: 180))
        try Self.expectTwins(stored)
    }

    @Test func `the map of an AVIF is cropped as its base is`() throws {
        var file = try GainMapItems.twins(240, 180)
        let turn = GainMapItems.irot(1)
        file.base.properties = [GainMapItems.clap(width: 160, height: 100, x: (20, 1), y: (-30, 1)), turn]
        file.map.properties = [GainMapItems.clap(width: 40, height: 25, x: (5, 1), y: (-15, 2)), turn]
        let bitmap = try file.data.decodedKeepingMap()
        #expect(bitmap.size == PixelSize(width: 100, height: 160))
        #expect(try #require(bitmap.gainMap).drawn(for: bitmap.size).samples.size == PixelSize(width: 25, height: 40))
        try Self.expectTwins(bitmap)
        try Self.expectTwins(file.data.decodedKeepingMap(ResizeTarget(width: 70)))
    }

    @Test func `a map in tiles is one image`() throws {
        var file = try GainMapItems.twins(512, 384, ratio: 2)
        let whole = try #require(try file.data.decodedKeepingMap().gainMap)
        file.map.tiles = try (0..<4).map { index in
            let rect = PixelRect(x: 128 * (index % 2), y: 96 * (index / 2), width: 128, height: 96)
            return try AVIFFile(isGray: true).encoded(whole.samples.cropped(to: rect))
        }
        (file.map.columns, file.map.tileSize) = (2, (128, 96))
        let bitmap = try file.data.decodedKeepingMap()
        #expect(try #require(bitmap.gainMap?.samples.worstDistance(to: whole.samples)) <= 4)
        try Self.expectTwins(bitmap)
    }

    @Test func `a map may be an auxiliary image that readers must know`() throws {
        var file = try GainMapItems.twins(240, 180)
        let kind = GainMapItems.box("auxC", Data(count: 4) + Data("urn:com:samsung:photo:2024:aux:hdrgainmap\0".utf8))
        (file.map.properties, file.hasEssentialProperties) = ([kind], true)
        try Self.expectTwins(file.data.decodedKeepingMap())
        file.map.properties = [GainMapItems.box("abcd", Data(count: 4))]
        #expect(throws: GainMapFault.image) { try GainMap.source(in: file.data) }
    }

    @Test func `the values of a map are no colors`() throws {
        let plain = try #require(try GainMapItems.make(inColor: true).data.decodedKeepingMap().gainMap)
        for (primaries, transfer) in [(12, 13), (9, 16), (1, 8)] {
            var file = try GainMapItems.make(inColor: true)
            file.map.properties = [GainMapItems.nclx(primaries: primaries, transfer: transfer)]
            let map = try #require(try file.data.decodedKeepingMap().gainMap)
            #expect(map.samples.pixels == plain.samples.pixels)
            // As in the coded data, where a file's own profile does not count.
            file.map.properties.append(GainMapItems.profile(Data(GamutProfile.displayP3)))
            #expect(try file.data.decodedKeepingMap().gainMap?.samples.pixels == plain.samples.pixels)
        }
    }

    @Test func `a worker decodes the map of an AVIF, too`() throws {
        let isolated = DecoderRegistry.standard.isolated(in: DecoderWorkers(limit: 1))
        let file = try GainMapItems.make(inColor: true).data
        let inside = try file.decodedKeepingMap(ResizeTarget(width: 160), by: isolated)
        let outside = try file.decodedKeepingMap(ResizeTarget(width: 160))
        let (map, own) = (try #require(inside.gainMap), try #require(outside.gainMap))
        #expect(inside.pixels == outside.pixels && map.samples.pixels == own.samples.pixels)
    }

    @Test func `the estimate of the memory has the map of an AVIF`() throws {
        let file = try GainMapItems.twins(240, 180, ratio: 1).data
        let plain = try DecoderRegistry.standard.plan(for: file, target: nil)
        let plan = try DecoderRegistry.standard.plan(for: file, target: KeepingLayout())
        #expect(plain.gainMapBytes == 0 && plan.gainMapBytes >= 4 * 240 * 180)
        #expect(plan.cost >= plain.cost + plan.gainMapBytes)
        #expect(try plan.decode().heldBytes <= plan.cost)
    }

    @Test func `the estimate holds for maps that are turned, and placed on canvases`() throws {
        var file = try GainMapItems.twins(240, 180, ratio: 1)
        let part = [GainMapItems.clap(width: 240, height: 4), GainMapItems.irot(1)]
        (file.base.properties, file.map.properties) = (part, part)
        // All 120 rows of the result have samples, of which the stored map has 4.
        let narrow = ResizeTarget(width: 2, height: 120, mode: .exact)
        try Self.expectEstimate(of: file.data, KeepingLayout(target: narrow))
        // The canvas, too, has samples.
        let small = try GainMapItems.twins(240, 180).data
        let pad = ImageSteps.Pad(100, color: .white)
        try Self.expectEstimate(of: small, KeepingLayout(after: [pad]))
        try Self.expectEstimate(of: small, KeepingLayout(after: [ImageSteps.Rotate(quarterTurns: 1)]))
    }

    private static func expectEstimate(of file: Data, _ layout: KeepingLayout) throws {
        let plan = try DecoderRegistry.standard.plan(for: file, target: layout)
        let bitmap = try plan.decode()
        let map = try #require(try bitmap.gainMap?.drawn(for: bitmap.size))
        #expect(plan.gainMapBytes >= 3 * map.samples.byteCount && bitmap.heldBytes <= plan.cost)
    }

    // MARK: - Colors

    @Test func `a map in color of a base in Display P3 has its profile`() throws {
        var file = try GainMapItems.make(inColor: true)
        file.base.properties = [GainMapItems.nclx(primaries: 12, transfer: 13)]
        let source = try #require(try GainMap.source(in: file.data))
        #expect(source.profile == [UInt8](GamutProfile.displayP3) && !source.numbers.usesBaseColors)
        file.base.properties = [GainMapItems.profile(Data(GamutProfile.displayP3))]
        #expect(try GainMap.source(in: file.data)?.profile == [UInt8](GamutProfile.displayP3))
        file.base.properties = [GainMapItems.profile(Data(GamutProfile.sRGB))]
        #expect(try #require(try GainMap.source(in: file.data)).profile == nil)
        // A gray map gains the same in all colors.
        file = try GainMapItems.make()
        file.base.properties = [GainMapItems.nclx(primaries: 12, transfer: 13)]
        #expect(try #require(try GainMap.source(in: file.data)).profile == nil)
    }

    @Test func `a gain in the colors of the brighter rendition has their profile`() throws {
        var file = try GainMapItems.make(inColor: true)
        var iso = GainMapFile.ISO.plain
        iso.flags = 0
        file.iso = iso.bytes
        file.alternateProperties = [GainMapItems.nclx(primaries: 9, transfer: 16)]
        let source = try #require(try GainMap.source(in: file.data))
        #expect(source.profile == [UInt8](GamutProfile.bt2020) && !source.numbers.usesBaseColors)
    }

    // MARK: - Apple

    @Test func `Apple's auxiliary image has its headroom in the maker's note, or in XMP`() throws {
        var file = try GainMapItems.make(iso: nil)
        (file.isApples, file.exif) = (true, GainMapFile.appleEXIF(1010, 5))
        let noted = try #require(try GainMap.source(in: file.data))
        #expect(noted.dialect == .apple && abs(noted.numbers.alternateHeadroom - 2.65) < 1e-9)
        file.xmp = GainMapFile.xmp(#"HDRGainMap:HDRGainMapHeadroom="8""#).dropFirst(29)
        #expect(try #require(try GainMap.source(in: file.data)).numbers.alternateHeadroom == 3)
        #expect(try file.data.decodedKeepingMap().gainMap != nil)
        // Many cameras write the first number alone.
        (file.xmp, file.exif) = (nil, GainMapFile.appleEXIF(880, nil))
        #expect(abs(try #require(try GainMap.source(in: file.data)).numbers.alternateHeadroom - 1.8) < 1e-9)
        file.exif = nil
        #expect(throws: GainMapFault.numbers) { try GainMap.source(in: file.data) }
    }

    @Test func `the numbers of ISO 21496-1 count before Apple's`() throws {
        var file = try GainMapItems.make()
        (file.isApples, file.exif) = (true, GainMapFile.appleEXIF(1010, 5))
        let source = try #require(try GainMap.source(in: file.data))
        #expect(source.dialect == .iso && source.isAmbiguous && source.numbers.alternateHeadroom == 2)
        file.xmp = GainMapFile.xmp(#"HDRGainMap:HDRGainMapHeadroom="4""#).dropFirst(29)
        #expect(try !#require(try GainMap.source(in: file.data)).isAmbiguous)
    }

    // MARK: -

    /// Expects the map to show the same as its base.
    private static func expectTwins(_ bitmap: Bitmap, _ location: SourceLocation = #_sourceLocation) throws {
        let map = try #require(bitmap.gainMap, sourceLocation: location).drawn(for: bitmap.size).samples
        let base = try bitmap.scaled(to: map.size, filter: .box)
        let errors = zip(base.pixels.joined(), map.pixels.joined()).map { abs(Int($0.green) - Int($1.green)) }
        #expect(Double(errors.reduce(0, +)) / Double(errors.count) <= 1.5, sourceLocation: location)
        #expect(errors.max() ?? 0 <= 24, sourceLocation: location)
    }

    private struct StoredLayout: ImageLayout {
        let key = "stored"
        let turnsUpright = false
        let gainMapSide: Int? = 1

        func placement(of size: PixelSize, isScalable: Bool) -> ImagePlacement { ImagePlacement(size) }
    }
}

extension GainMapItems {
    /// Returns an AVIF of a lamp, whose map makes its brightest part brighter.
    static func make(
        _ width: Int = 320, _ height: Int = 240, ratio: Int = 4, inColor: Bool = false,
        iso: Data? = GainMapFile.ISO.plain.bytes
    ) throws -> GainMapItems {
        let base = PixelSize(width: width, height: height)
        let map = PixelSize(width: width / ratio, height: height / ratio)
        return GainMapItems(
            base: try image(GainMapFile.lamp(base.width, base.height), AVIFFile()),
            map: try image(GainMapFile.glowMap(map.width, map.height, inColor: inColor), AVIFFile(isGray: !inColor)),
            iso: iso)
    }

    /// Returns an AVIF whose map has the light of its base.
    static func twins(_ width: Int, _ height: Int, ratio: Int = 4) throws -> GainMapItems {
        func drawn(_ width: Int, _ height: Int) throws -> Image {
            let image = try Bitmap.drawn(width, height) { x, y in
                let (x, y) = ((Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height))
                return .gray(UInt8(60 + 150 * x * (1 - y) + 40 * sin(9 * x + 5 * y * y) * sin(7 * y)))
            }
            return try Self.image(image, AVIFFile(isGray: true))
        }
        return GainMapItems(
            base: try drawn(width, height), map: try drawn(width / ratio, height / ratio),
            iso: GainMapFile.ISO.plain.bytes)
    }

    static func image(_ bitmap: Bitmap, _ file: AVIFFile) throws -> Image {
        Image(try file.encoded(bitmap), width: bitmap.width, height: bitmap.height)
    }
}
