import Foundation
import Testing

@testable import CalotypeCodecs

/// The presence of gain maps.
@Suite struct GainMapTests {
    private static let jpeg = Result { try JPEGFiles.make(Pictures.gradient(16, 16)) }

    @Test(
        arguments: [
            (0xE2, "urn:iso:std:iso:ts:21496:-1\0", true), (0xE2, "MPF\0", false),
            (0xE1, "Exif\0\0hdr-gain-map", false),
            (
                0xE1,
                "http://ns.adobe.com/xap/1.0/\0<x xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/' hdrgm:Version='1'>",
                true
            ),
            (0xE1, "http://ns.adobe.com/xap/1.0/\0<x>", false),
        ] as [(UInt8, String, Bool)])
    func `a JPEG has one if a segment names it`(marker: UInt8, content: String, isPresent: Bool) throws {
        let file = try Self.jpeg.get().addingSegment(marker, Data(content.utf8))
        #expect(GainMap.isPresent(in: file) == isPresent)
        #expect(try file.decoded().size == PixelSize(width: 16, height: 16))
    }

    @Test func `Apple's lies in an image behind the pixels`() throws {
        #expect(try GainMap.isPresent(in: GainMapFile.apple(maker: (0, 0)).data))
        // Without a headroom it is of no use, and is there all the same.
        var file = try GainMapFile.apple(maker: (0, 0))
        file.base = try Self.jpeg.get()
        #expect(GainMap.isPresent(in: file.data))
        #expect(try !GainMap.isPresent(in: Self.jpeg.get() + Data("hdrgainmap".utf8)))
    }

    @Test func `an AVIF has one if an item is a tone map`() throws {
        let file = try Pictures.gradient(16, 16).encoded(as: .avif(speed: 10))
        #expect(!GainMap.isPresent(in: file))
        let item = try #require(file.range(of: Data("infe".utf8)))
        let kind = try #require(file.range(of: Data("av01".utf8), in: item.upperBound..<file.count))
        var mapped = file
        mapped.replaceSubrange(kind, with: Data("tmap".utf8))
        #expect(GainMap.isPresent(in: mapped))
    }
}
