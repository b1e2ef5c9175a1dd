import CSpng
import Foundation
import Testing

@testable import CalotypeCodecs

/// Files that break their format's rules, and that browsers show.
@Suite struct ToleratedFileTests {
    // MARK: PNG

    private static let colors: [(red: UInt8, green: UInt8, blue: UInt8)] = [(255, 0, 0), (0, 255, 0), (0, 0, 255)]

    /// Returns a PNG of two pixels in the first two colors, with this palette and transparency.
    private static func indexed(_ colorCount: Int, alpha: Data? = nil) throws -> Data {
        let file = try PNGFile(
            width: 2, height: 1, colorType: SPNG_COLOR_TYPE_INDEXED, bitDepth: 1, palette: Array(colors.prefix(2))
        ).encoded([0b0100_0000])
        let place = try #require(file.range(of: Data("PLTE".utf8)))
        let palette = PNGFile.chunk("PLTE", Data(colors.prefix(colorCount).flatMap { [$0.red, $0.green, $0.blue] }))
        return file.prefix(place.lowerBound - 4) + palette + (alpha.map { PNGFile.chunk("tRNS", $0) } ?? Data())
            + file.dropFirst(place.upperBound + 6 + 4)
    }

    @Test func `a palette with more colors than its depth can name loses the others`() throws {
        #expect(try Self.indexed(3).decoded().pixels == [[.red, .green]])
        let clear = try Self.indexed(3, alpha: Data([255, 0])).decoded()
        #expect(clear.hasAlpha && clear.pixels == [[.red, .clear]])
    }

    @Test(arguments: [Data(), Data([0, 0, 0]), Data(count: 256)])
    func `transparency with more entries than the palette, or none, is left out`(alpha: Data) throws {
        let decoded = try Self.indexed(2, alpha: alpha).decoded()
        #expect(!decoded.hasAlpha && decoded.pixels == [[.red, .green]])
    }

    @Test(arguments: [("tRNS", Data([0])), ("eXIf", Data()), ("eXIf", Data("Exif\0\0II".utf8))])
    func `a chunk beside the colors that is malformed is left out`(name: String, content: Data) throws {
        let plain = try PNGFile(width: 2, height: 1, colorType: SPNG_COLOR_TYPE_TRUECOLOR).encoded([9, 8, 7, 6, 5, 4])
        let decoded = try plain.addingPNGChunks([(name, content)]).decoded()
        #expect(try decoded.pixels == plain.decoded().pixels && !decoded.hasAlpha)
    }

    // MARK: GIF

    @Test func `a GIF whose only frame has no pixels is clear`() throws {
        let smallest = Data("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 0, 0x3B]
        #expect(smallest.count == 26)
        let decoded = try smallest.decoded()
        #expect(decoded.hasAlpha && decoded.pixels == [[.clear]])
    }
}
