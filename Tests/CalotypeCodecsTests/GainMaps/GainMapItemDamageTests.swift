import CalotypeBase
import CalotypeTesting
import Foundation
import TestSupport
import Testing

@testable import CalotypeCodecs

/// Gain maps among items that contradict their file or themselves: they are dropped, and the base stays as it is.
@Suite struct GainMapItemDamageTests {
    struct Case: Sendable, CustomStringConvertible {
        let description: String
        let fault: GainMapFault?
        let make: @Sendable (inout GainMapItems) throws -> Void

        init(
            _ description: String, _ fault: GainMapFault?,
            _ make: @escaping @Sendable (inout GainMapItems) throws -> Void
        ) {
            (self.description, self.fault, self.make) = (description, fault, make)
        }

        /// A number of ISO 21496-1 in place of a plain one.
        init(_ description: String, _ index: Int, _ numerator: Int, _ denominator: Int = 1) {
            self.init(description, .numbers) {
                $0.iso = GainMapFile.ISO.plain.replacing(index, numerator, denominator).bytes
            }
        }

        /// A map of another drawn size.
        init(_ description: String, _ fault: GainMapFault?, drawn width: Int, _ height: Int) {
            self.init(description, fault) {
                $0.map = try GainMapItems.image(GainMapFile.glowMap(width, height), AVIFFile(isGray: true))
            }
        }
    }

    private static let cases: [Case] = [
        Case("gamma of 0", 4, 0), Case("denominator of 0", 3, 2, 0), Case("least above most", 2, 3),
        Case("headroom of 10⁹", 1, 1_000_000_000), Case("headroom below the base's", 0, 3),
        Case("the most gain of 2^31", 3, Int(Int32.max)),
        Case("numbers that end early", .numbers) { $0.iso = $0.iso?.dropLast(3) },
        Case("numbers of 10 kB", .place) { $0.iso = $0.iso.map { $0 + Data(count: 10_000) } },
        Case("a later version", .numbers) {
            var iso = GainMapFile.ISO.plain
            iso.minimumVersion = 1
            $0.iso = iso.bytes
        },
        Case("a place outside the file", .image) { $0.lie = .outside },
        Case("the bytes of the base in place of the map's", .damage) { $0.lie = .atBase },
        Case("a derived image of the map alone", nil) { $0.derivedFrom = [1] },
        Case("a derived image of the base twice", nil) { $0.derivedFrom = [0, 0] },
        Case("a derived image of another base", nil) { $0.derivedFrom = [1, 0] },
        Case("a base that readers prefer", nil) { $0.isPreferred = false },
        Case("the map turned, its base not", .orientation) { $0.map.properties = [GainMapItems.irot(2)] },
        Case("the base turned, its map not", .orientation) { $0.base.properties = [GainMapItems.irot(2)] },
        Case("both mirrored along other axes", .orientation) {
            ($0.base.properties, $0.map.properties) = ([GainMapItems.imir(0)], [GainMapItems.imir(1)])
        },
        Case("the map cropped, its base not", .orientation) {
            $0.map.properties = [GainMapItems.clap(width: 40, height: 30)]
        },
        Case("both cropped to other parts", .orientation) {
            $0.base.properties = [GainMapItems.clap(width: 160, height: 120)]
            $0.map.properties = [GainMapItems.clap(width: 40, height: 30, x: (4, 1))]
        },
        Case("a map cropped to more than its size", .orientation) {
            $0.base.properties = [GainMapItems.clap(width: 160, height: 120)]
            $0.map.properties = [GainMapItems.clap(width: 400, height: 300)]
        },
        Case("the proportions of an upright map", .size, drawn: 60, 80),
        Case("a map of more than twice the base's sides", .size, drawn: 800, 600),
        // libavif refuses the boxes of these with their base.
        Case("a map of 30,000 × 30,000", .size) { ($0.map.tileSize.width, $0.map.tileSize.height) = (30_000, 30_000) },
        Case("a map of 0 × 0", .image) { ($0.map.tileSize.width, $0.map.tileSize.height) = (0, 0) },
        Case("a map without the codec's configuration", .image) {
            $0.map.tiles[0] = $0.map.tiles[0].replacingType("av1C", "av9C")
        },
        Case("a map without anything", .image) { $0.map.tiles[0] = Data() },
        Case("a map that is larger than it says", .damage) {
            ($0.map.tileSize.width, $0.map.tileSize.height) = (40, 30)
        },
        Case("a base in PQ", .profile) { $0.base.properties = [GainMapItems.nclx(primaries: 1, transfer: 16)] },
        Case("a base whose profile states PQ", .profile) {
            let profile = try Profiles.adding("cicp", Data([0, 0, 0, 0, 9, 16, 0, 1]), to: Profiles.displayP3())
            $0.base.properties = [GainMapItems.profile(profile)]
        },
        Case("a gain in colors without a profile", .profile) {
            $0.map = try GainMapItems.image(GainMapFile.glowMap(80, 60, inColor: true), AVIFFile())
            $0.base.properties = [GainMapItems.nclx(primaries: 6, transfer: 13)]
        },
        Case("a profile of 60 KB", .profile) {
            $0.map = try GainMapItems.image(GainMapFile.glowMap(80, 60, inColor: true), AVIFFile())
            var profile = Data(count: 60_000)
            profile.replaceSubrange(16..<20, with: Data("RGB ".utf8))
            profile.replaceSubrange(36..<40, with: Data("acsp".utf8))
            $0.base.properties = [GainMapItems.profile(profile)]
        },
    ]

    @Test(arguments: cases)
    func `a map among items that is wrong is dropped, and its base stays`(wrong: Case) throws {
        var file = try GainMapItems.make()
        try wrong.make(&file)
        let bitmap = try file.data.decodedKeepingMap()
        #expect(bitmap.gainMap == nil)
        #expect(bitmap.gainMapFault == wrong.fault)
        #expect(GainMap.isPresent(in: file.data))
        #expect(bitmap.pixels == (try file.data.decoded()).pixels)
    }

    @Test func `a map of one pixel among items gains the same everywhere`() throws {
        var file = try GainMapItems.make()
        file.map = try GainMapItems.image(Bitmap.drawn(1, 1) { _, _ in .gray(128) }, AVIFFile(isGray: true))
        let map = try #require(try file.data.decodedKeepingMap().gainMap)
        #expect(map.samples.size == PixelSize(width: 1, height: 1))
    }

    @Test func `a map of many tiles that share their bytes is dropped`() throws {
        var file = try GainMapItems.make(512, 384, ratio: 2)
        let tile = try AVIFFile(isGray: true).encoded(GainMapFile.glowMap(64, 64))
        file.map.tiles = Array(repeating: tile, count: 12)
        (file.map.columns, file.map.tileSize) = (4, (64, 64))
        (file.map.width, file.map.height) = (256, 192)
        #expect(try file.data.decodedKeepingMap().gainMap != nil)
        // All places in the list are made that of one tile of the file's whole length.
        var data = file.data
        let list = try #require(data.range(of: Data("iloc".utf8))).upperBound + 8
        for item in 2..<14 {
            let place = list + 14 * item + 6
            data.replaceSubrange(place..<place + 8, with: Data(count: 4).bigEndian(data.count, bytes: 4))
        }
        #expect(throws: GainMapFault.image) { try GainMap.source(in: data) }
    }

    @Test(arguments: 0..<300)
    func `damaged items never fail for their map`(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        var file = try GainMapItems.make(64, 48)
        (file.isApples, file.exif) = (seed.isMultiple(of: 3), GainMapFile.appleEXIF(1010, 5))
        if seed.isMultiple(of: 3) { file.iso = nil }
        var data = file.data
        for _ in 0..<(1 + seed % 8) {
            data[Int.random(in: 0..<data.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        // The base may be hit.
        guard let plain = try? data.decoded() else { return }
        #expect(try data.decodedKeepingMap().pixels == plain.pixels)
    }
}

extension Data {
    fileprivate func replacingType(_ type: String, _ other: String) -> Data {
        guard let range = range(of: Data(type.utf8)) else { return self }
        var data = self
        data.replaceSubrange(range, with: Data(other.utf8))
        return data
    }
}
