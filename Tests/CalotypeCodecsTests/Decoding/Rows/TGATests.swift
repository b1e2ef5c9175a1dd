import CalotypeCodecs
import Foundation
import Testing

@Suite struct TGATests {
    /// The type, the bits of a pixel, the flags, the bits of one pixel, and its color.
    static let pixels: [(kind: Int, depth: Int, flags: Int, bits: Int, color: Pixel)] = [
        (2, 24, 0, 0x10_20_30, Pixel(0x30, 0x20, 0x10)), (2, 16, 0, 0b1_11111_00000_10000, Pixel(132, 0, 255)),
        (2, 15, 0, 0b1_00011_11111_00000, Pixel(0, 255, 25)), (2, 15, 1, 0b0_11111_00000_00000, .red),
        (2, 32, 8, 0x80_C8_64_32, Pixel(50, 100, 200).premultiplied(128)),
        // As other programs do, which find alpha where the flags announce none.
        (2, 32, 0, 0x80_C8_64_32, Pixel(50, 100, 200).premultiplied(128)),
        (2, 16, 1, 0b0_11111_00000_00000, .clear), (2, 16, 1, 0b1_11111_00000_00000, .red),
        (3, 8, 0, 77, .gray(77)), (3, 16, 8, 0x80_C8, Pixel.gray(200).premultiplied(128)),
    ]

    @Test(arguments: pixels.indices, [0, 0x10, 0x20, 0x30])
    func `the bits of a pixel are its color, from each corner, also in run lengths`(index: Int, corner: Int) throws {
        let (kind, depth, flags, bits, color) = Self.pixels[index]
        for width in [1, 2, 3, 9, 20] {
            for packing in [0, 8] {
                let file = SampleTGA(
                    width: width, height: 3, kind: kind + packing, depth: depth, flags: flags | corner, text: "a text")
                // Opaque black, but for one pixel.
                let black = depth == 24 ? 0 : kind == 3 ? depth == 8 ? 0 : 0xFF00 : depth == 32 ? 0xFF00_0000 : 0x8000
                let data = file.encoded { x, y in x == width - 1 && y == 1 ? bits : black }
                let bitmap = try data.decoded()
                #expect(bitmap[width - 1, 1] == color && bitmap[0, 0] == .black, "\(bitmap[width - 1, 1])")
                let hasAlpha = depth == 32 || kind == 3 && depth == 16 || depth == 16 && flags == 1
                #expect(bitmap.hasAlpha == hasAlpha)
                #expect(try DecoderRegistry.standard.header(of: data).format.rawValue == "tga")
            }
        }
    }

    @Test(arguments: [1, 9], [8, 16])
    func `an index has the color of the palette at its place`(kind: Int, depth: Int) throws {
        for (colorDepth, colors) in [
            (15, [0x7C00, 0x3E0, 0x1F]), (16, [0x7C00, 0x83E0, 0x1F]), (24, [0xFF0000, 0xFF00, 0xFF]),
            (32, [0xFF0000, 0xFF00, 0xFF]), (32, [0xFFFF_0000, 0xFF00_FF00, 0xFF00_00FF]),
        ] {
            for first in [0, 1, 200] {
                let file = SampleTGA(
                    width: 4, height: 5, kind: kind, depth: depth, colors: colors, colorDepth: colorDepth,
                    firstColor: first)
                // The index before the first color and the one after the last have none.
                let bitmap = try file.encoded { x, y in y == 3 ? (x == 3 ? 255 : first + x) : first }.decoded()
                #expect(bitmap.pixels[3] == [.red, .green, .blue, .black], "\(colorDepth) bits from \(first)")
                if first > 0 { #expect(try file.encoded { _, _ in first - 1 }.decoded()[0, 0] == .black) }
            }
        }
    }

    @Test func `alpha in a palette counts`() throws {
        let file = SampleTGA(
            width: 2, height: 1, kind: 1, depth: 8, colors: [0x80C8_6432, 0x0012_3456], colorDepth: 32)
        let bitmap = try file.encoded { x, _ in x }.decoded()
        #expect(bitmap.hasAlpha && bitmap.pixels == [[Pixel(50, 100, 200).premultiplied(128), .clear]])
    }

    @Test(arguments: [2, 10, 3, 11], [0, 8])
    func `alpha that is 0 throughout is no alpha`(kind: Int, flags: Int) throws {
        let isGray = kind & 3 == 3
        let file = SampleTGA(width: 4, height: 3, kind: kind, depth: isGray ? 16 : 32, flags: flags)
        let bitmap = try file.encoded { x, _ in isGray ? 50 + x : 0x32_3232 + x * 0x01_0101 }.decoded()
        #expect(!bitmap.hasAlpha && bitmap[3, 2] == .gray(53))
        let one = try file.encoded { x, y in (x, y) == (3, 0) ? isGray ? 0x0132 : 0x0132_3232 : 0x32 }.decoded()
        #expect(one.hasAlpha && one[0, 0] == .clear)
    }

    @Test(arguments: [15, 16, 24, 32])
    func `a depth of a palette that a file does not have is ignored`(depth: Int) throws {
        let file = SampleTGA(width: 3, height: 1, colorDepth: depth)
        #expect(try file.encoded { _, _ in 0x10_20_30 }.decoded().distinctPixels == [Pixel(0x30, 0x20, 0x10)])
    }

    @Test func `packets may go on in the next row, and end with the last pixel`() throws {
        let file = SampleTGA(width: 3, height: 3, kind: 11, depth: 8, flags: 0x20)
        let packets: [UInt8] = [0x83, 7, 0x03, 1, 2, 3, 4, 0xFF, 9]
        let levels = try (file.head + packets).decoded().pixels.map { row in row.map(\.red) }
        #expect(levels == [[7, 7, 7], [7, 1, 2], [3, 4, 9]])
        for count in 0..<packets.count {
            let error = #expect(throws: CodecError.self) { try (file.head + packets.prefix(count)).decoded() }
            #expect(error?.code == .damaged && error?.message == "TGA is cut short")
        }
    }

    @Test func `a palette or a text that ends behind the file is cut short`() throws {
        let file = SampleTGA(width: 1, height: 1, kind: 1, depth: 8, text: "text", colors: [1, 2], colorDepth: 24)
        let data = file.encoded { _, _ in 0 }
        for count in 18..<data.count {
            let error = #expect(throws: CodecError.self) { try data.prefix(count).decoded() }
            #expect(error?.code == .damaged)
        }
        #expect(try data.decoded().size == PixelSize(width: 1, height: 1))
    }
}
