import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeCodecs

/// Gain maps that contradict their file or themselves: they are dropped, and the base stays as it is.
@Suite struct GainMapDamageTests {
    struct Case: Sendable, CustomStringConvertible {
        let description: String
        let fault: GainMapFault?
        let make: @Sendable (inout GainMapFile) throws -> Void

        init(
            _ description: String, _ fault: GainMapFault?,
            _ make: @escaping @Sendable (inout GainMapFile) throws -> Void
        ) {
            (self.description, self.fault, self.make) = (description, fault, make)
        }

        /// A number of ISO 21496-1 in place of a plain one.
        init(_ description: String, _ index: Int, _ numerator: Int, _ denominator: Int = 1) {
            self.init(description, .numbers) {
                $0.iso = GainMapFile.ISO.plain.replacing(index, numerator, denominator).bytes
            }
        }

        /// Numbers of Ultra HDR in place of those of ISO 21496-1.
        init(hdrgm text: String) {
            self.init(text, .numbers) {
                ($0.iso, $0.hdrgm) = (nil, text)
                $0.base = $0.base.addingSegment(0xE1, GainMapFile.xmp("hdrgm:Version=\"1.0\""))
            }
        }
    }

    private static let cases: [Case] = [
        Case("gamma of 0", 4, 0), Case("denominator of 0", 3, 2, 0), Case("least above most", 2, 3),
        Case("headroom of 10⁹", 1, 1_000_000_000), Case("headroom below the base's", 0, 3), Case("no headroom", 1, 0),
        Case("a headroom that rounds to nothing", 1, 4, 10_000_000),
        Case("negative headroom as a number without a sign", 1, -1), Case("an offset of 2", 5, 2),
        Case("the most gain of 2^31", 3, Int(Int32.max)), Case("gamma of 2^32", 4, Int(UInt32.max)),
        Case("a later version", .numbers) {
            var iso = GainMapFile.ISO.plain
            iso.minimumVersion = 1
            $0.iso = iso.bytes
        },
        Case("the base is the brighter one, in the drafts' form", .numbers) {
            var iso = GainMapFile.ISO.plain
            iso.flags |= 4
            $0.iso = iso.bytes
        },
        Case("numbers that end early", .numbers) { $0.iso = $0.iso?.dropLast(3) },
        Case("numbers of one color where there should be three", .numbers) {
            var iso = GainMapFile.ISO.plain
            iso.flags |= 0x80
            $0.iso = iso.bytes
        },
        Case(hdrgm: #"hdrgm:GainMapMax="nan" hdrgm:HDRCapacityMax="2""#),
        Case(hdrgm: #"hdrgm:GainMapMax="inf" hdrgm:HDRCapacityMax="2""#),
        Case(hdrgm: #"hdrgm:GainMapMax="2" hdrgm:HDRCapacityMax="1e9""#),
        Case(hdrgm: #"hdrgm:GainMapMax="2" hdrgm:HDRCapacityMax="2" hdrgm:Gamma="0""#),
        Case(hdrgm: #"hdrgm:GainMapMax="2" hdrgm:HDRCapacityMax="2" hdrgm:GainMapMin="3""#),
        Case(hdrgm: #"hdrgm:GainMapMax="2" hdrgm:HDRCapacityMax="2" hdrgm:BaseRenditionIsHDR="True""#),
        Case(hdrgm: #"hdrgm:GainMapMax="2""#), Case(hdrgm: #"hdrgm:GainMapMax="" hdrgm:HDRCapacityMax="2""#),
        Case("a place outside the file", .place) { $0.place = (1 << 30, 1000) },
        Case("a place that reaches beyond the file", .place) { $0.place = (20_000, Int(UInt32.max)) },
        Case("a place in the base's header", .place) { $0.place = (1, 1000) },
        Case("a place of 4 GB", .place) { $0.place = (Int(UInt32.max), Int(UInt32.max)) },
        Case("a map without a size", nil) { $0.place = (20_000, 0) },
        Case("a map in the base itself", .image) { $0.place = (5000, 1000) },
        Case("a PNG", .image) { $0.map = try Pictures.gradient(80, 60).encoded(as: .png) },
        Case("the map turned", .size) { $0.map = try JPEGFiles.make(GainMapFile.glowMap(60, 80)) },
        Case("a map of more than twice the base's sides", .size) {
            $0.map = try JPEGFiles.make(GainMapFile.glowMap(800, 600))
        },
        Case("a map of 30,000 × 30,000", .size) {
            $0.map = try $0.map.claimingSize(30_000, 30_000)
        },
        Case("a map of 0 × 0", .size) { $0.map = try $0.map.claimingSize(0, 0) },
        Case("a map of four inks", .image) {
            $0.map = try JPEGFiles.ycck(80, 60, cyan: 1, magenta: 2, yellow: 3, black: 4)
        },
        Case("a map without pixels", .damage) { $0.map = $0.map.prefix(700) },
        Case("a base whose profile states PQ", .profile) {
            let profile = try Profiles.adding("cicp", Data([0, 0, 0, 0, 9, 16, 0, 1]), to: Profiles.displayP3())
            $0.base = $0.base.addingProfile(profile)
        },
        Case("a profile of 60 KB", .profile) {
            var iso = GainMapFile.ISO.plain
            iso.flags = 0
            $0.iso = iso.bytes
            var profile = Data(count: 60_000)
            profile.replaceSubrange(16..<20, with: Data("RGB ".utf8))
            profile.replaceSubrange(36..<40, with: Data("acsp".utf8))
            $0.map = try JPEGFiles.make(GainMapFile.glowMap(80, 60, inColor: true)).addingProfile(profile)
        },
    ]

    @Test(arguments: cases)
    func `a map that is wrong is dropped, and its base stays`(wrong: Case) throws {
        var file = try GainMapFile.make()
        try wrong.make(&file)
        let bitmap = try file.data.decodedKeepingMap()
        #expect(bitmap.gainMap == nil)
        #expect(bitmap.gainMapFault == wrong.fault)
        #expect(bitmap.pixels == (try file.base.decoded()).pixels)
    }

    @Test func `a map of one pixel gains the same everywhere`() throws {
        var file = try GainMapFile.make()
        file.map = try JPEGFiles.make(Bitmap.drawn(1, 1) { _, _ in .gray(128) })
        let map = try #require(try file.data.decodedKeepingMap().gainMap)
        #expect(map.samples.size == PixelSize(width: 1, height: 1))
    }

    @Test func `entities in XMP are not read`() throws {
        var file = try GainMapFile.make()
        (file.iso, file.index) = (nil, .directory)
        let entities = "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;'>]>"
        let packet = GainMapFile.xmpName + Data(entities.utf8) + GainMapFile.xmp(GainMapFile.plainHDRGM).dropFirst(29)
        file.map = file.map.addingSegment(0xE1, packet)
        #expect(throws: GainMapFault.numbers) { try GainMap.source(in: file.data) }
    }

    @Test func `an index of a hundred images is read once`() throws {
        var file = try GainMapFile.make()
        file.otherImages = 98
        // All but the first entries are left out, so that the map behind them is not found.
        #expect(try GainMap.source(in: file.data) == nil)
        file.otherImages = 60
        #expect(try GainMap.source(in: file.data) != nil)
    }

    @Test func `extended XMP of 10 MB is passed over`() throws {
        var file = try GainMapFile.make()
        let part = Data("http://ns.adobe.com/xmp/extension/\0".utf8) + Data(repeating: UInt8(ascii: "<"), count: 65_000)
        let segment = Data([0xFF, 0xE1]).bigEndian(part.count + 2, bytes: 2) + part
        let parts = (0..<160).reduce(into: Data()) { parts, _ in parts.append(segment) }
        file.base = file.base.prefix(2) + parts + file.base.dropFirst(2)
        #expect(file.base.count > 10_000_000)
        #expect(try GainMap.source(in: file.data) != nil)
    }

    @Test(arguments: 0..<300)
    func `damaged files never fail for their map`(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        var file = try GainMapFile.make(64, 48)
        (file.hdrgm, file.index) = (GainMapFile.plainHDRGM, seed.isMultiple(of: 2) ? .mpf : .directory)
        var data = file.data
        let start = data.count - file.map.count - 900
        for _ in 0..<(1 + seed % 8) {
            // The segments of the base, and the map.
            let place =
                Bool.random(using: &random)
                ? Int.random(in: 2..<400, using: &random) : Int.random(in: start..<data.count, using: &random)
            data[place] = UInt8.random(in: 0...255, using: &random)
        }
        // The base's own header may be hit.
        guard let plain = try? data.decoded() else { return }
        #expect(try data.decodedKeepingMap().pixels == plain.pixels)
    }
}

extension Data {
    /// Returns this JPEG with another size in its frame header.
    fileprivate func claimingSize(_ width: Int, _ height: Int) throws -> Data {
        let frame = try #require(range(of: Data([0xFF, 0xC0]))).lowerBound
        return prefix(frame + 5) + Data().bigEndian(height, bytes: 2).bigEndian(width, bytes: 2) + dropFirst(frame + 9)
    }
}
