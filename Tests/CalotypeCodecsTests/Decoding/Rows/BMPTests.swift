import CalotypeCodecs
import Foundation
import Testing

@Suite struct BMPTests {
    private static let colors = (0..<256).map { [UInt8($0), UInt8(255 - $0), UInt8($0 / 3)] }

    private static func color(_ index: Int) -> Pixel {
        let color = colors[index]
        return Pixel(color[2], color[1], color[0])
    }

    /// Returns an index for each pixel, of so many bits.
    private static func index(_ bits: Int) -> (Int, Int) -> Int { { x, y in (x * 3 + y * 5) % (1 << bits) } }

    @Test(arguments: [1, 2, 4, 8], [false, true])
    func `an index has the color of the palette at its place`(depth: Int, isTopDown: Bool) throws {
        for width in 1...17 {
            let colors = Array(Self.colors.prefix(1 << depth))
            let file = SampleBMP(width: width, height: 3, depth: depth, colors: colors, isTopDown: isTopDown)
            let bitmap = try file.encoded(Self.index(depth)).decoded()
            for y in 0..<3 {
                for x in 0..<width { #expect(bitmap[x, y] == Self.color(Self.index(depth)(x, y)), "\(x), \(y)") }
            }
            #expect(!bitmap.hasAlpha)
        }
    }

    @Test(arguments: [12, 16, 40, 52, 56, 64, 108, 124])
    func `each header of OS/2 and of Windows is read`(length: Int) throws {
        let file = SampleBMP(width: 5, height: 4, depth: 8, headerLength: length, colors: Self.colors)
        let data = file.encoded(Self.index(8))
        let header = try DecoderRegistry.standard.header(of: data)
        #expect(header.format.rawValue == "bmp" && header.uprightSize == PixelSize(width: 5, height: 4))
        #expect(header.bitsPerSample == 8 && header.samplesPerPixel == 1)
        #expect(try data.decoded()[3, 2] == Self.color(19))
    }

    /// Masks in the order red, green, blue and alpha, a pixel's bits, and its color.
    static let pixels: [(depth: Int, masks: [Int], bits: Int, color: Pixel)] = [
        (16, [], 0b0_11111_00000_10000, Pixel(132, 0, 255)), (16, [], 0b1_00011_11111_00000, Pixel(0, 255, 25)),
        (24, [], 0x10_20_30, Pixel(0x30, 0x20, 0x10)), (32, [], 0x99_10_20_30, Pixel(0x30, 0x20, 0x10)),
        (16, [0xF800, 0x7E0, 0x1F], 0b11111_100000_00001, Pixel(8, 130, 255)),
        (16, [0xF00, 0xF0, 0xF, 0], 0xA_5_F_0, Pixel(0, 255, 85)),
        (32, [0xFF0000, 0xFF00, 0xFF], 0x99_10_20_30, Pixel(0x30, 0x20, 0x10)),
        (32, [0xFF, 0xFF00, 0xFF0000], 0x99_10_20_30, Pixel(0x10, 0x20, 0x30)),
        (32, [0x3FF << 20, 0x3FF << 10, 0x3FF], 1023 << 20 | 512 << 10 | 3, Pixel(0, 128, 255)),
        (32, [0xFFFF_0000, 0, 0xFFFF], 0x8000_FF00, Pixel(255, 0, 128)),
        (32, [1, 2, 0x7FFF_FFFC], 0x7FFF_FFFD, Pixel(255, 0, 255)),
    ]

    @Test(arguments: pixels.indices)
    func `the bits of a pixel are its color`(index: Int) throws {
        let (depth, masks, bits, color) = Self.pixels[index]
        let compression = masks.isEmpty ? 0 : masks.count == 4 ? 6 : 3
        for width in [1, 2, 3, 9, 20] {
            let file = SampleBMP(width: width, height: 2, depth: depth, compression: compression, masks: masks)
            let bitmap = try file.encoded { x, y in x == width - 1 && y == 1 ? bits : 0 }.decoded()
            #expect(bitmap[width - 1, 1] == color && bitmap[0, 0] == .black, "\(bitmap[width - 1, 1])")
        }
    }

    /// The length of the header, the compression, and the masks.
    static let translucent = [(56, 3), (108, 3), (124, 3), (40, 6)]

    @Test(arguments: translucent)
    func `alpha counts in headers that have a mask for it`(length: Int, compression: Int) throws {
        let masks = [0xFF0000, 0xFF00, 0xFF, 0xFF00_0000]
        let file = SampleBMP(
            width: 3, height: 2, depth: 32, headerLength: length, compression: compression, masks: masks)
        let data = file.encoded { x, _ in x << 30 | 0xC86432 }
        let bitmap = try data.decoded()
        #expect(try DecoderRegistry.standard.header(of: data).hasAlpha && bitmap.hasAlpha)
        #expect(bitmap[0, 0] == .clear && bitmap[2, 1] == Pixel(50, 100, 200).premultiplied(128))
        let narrow = SampleBMP(
            width: 2, height: 1, depth: 16, headerLength: length, compression: compression,
            masks: [0xF00, 0xF0, 0xF, 0xF000])
        #expect(try narrow.encoded { x, _ in x == 0 ? 0x8F00 : 0xF0F0 }.decoded()[0, 0] == Pixel(0, 0, 136, 136))
    }

    @Test func `alpha that is 0 throughout is no alpha, as in browsers`() throws {
        let masks = [0xFF0000, 0xFF00, 0xFF, 0xFF00_0000]
        let file = SampleBMP(width: 3, height: 2, depth: 32, headerLength: 108, compression: 3, masks: masks)
        let bitmap = try file.encoded { _, _ in 0xC86432 }.decoded()
        #expect(!bitmap.hasAlpha && bitmap.distinctPixels == [Pixel(50, 100, 200)])
        let one = try file.encoded { x, y in x == 2 && y == 0 ? 0x01C8_6432 : 0xC86432 }.decoded()
        #expect(one.hasAlpha && one[0, 0] == .clear)
    }

    @Test func `a palette with too few colors has black ones, and too many are ignored`() throws {
        let few = SampleBMP(width: 4, height: 1, depth: 8, colors: [[255, 0, 0], [0, 255, 0]])
        #expect(try few.encoded { x, _ in x }.decoded().pixels == [[.red, .green, .black, .black]])
        let many = SampleBMP(width: 4, height: 1, depth: 2, colors: Array(Self.colors.prefix(9)))
        #expect(try many.encoded { x, _ in x }.decoded().pixels == [(0..<4).map(Self.color)])
    }

    @Test(arguments: [0, 2, 255, 256, 257, Int(UInt32.max)])
    func `a palette ends where the pixels begin, whatever number the header has`(named: Int) throws {
        let file = SampleBMP(width: 3, height: 1, depth: 8, colors: Array(Self.colors.prefix(2)), named: named)
        #expect(try file.encoded { x, _ in x }.decoded().pixels == [[Self.color(0), Self.color(1), .black]])
    }

    @Test func `pixels begin at their offset, or behind the palette if it is 0`() throws {
        for (gap, hasOffset) in [(0, true), (1, true), (10, true), (0, false)] {
            let file = SampleBMP(
                width: 3, height: 2, depth: 8, colors: Self.colors, gap: gap, hasOffset: hasOffset)
            #expect(try file.encoded(Self.index(8)).decoded()[2, 1] == Self.color(11))
        }
        var early = SampleBMP(width: 3, height: 2, depth: 8, colors: Self.colors).encoded(Self.index(8))
        for start in [53, 54, 57] {
            early.replaceSubrange(10..<14, with: Data().littleEndian(start, bytes: 4))
            let error = #expect(throws: CodecError.self) { try early.decoded() }
            #expect(error?.code == .damaged && error?.message.contains("begin in its header") == true)
        }
        early.replaceSubrange(10..<14, with: Data().littleEndian(58, bytes: 4))
        #expect(try early.decoded().size == PixelSize(width: 3, height: 2))
    }

    /// What is not read, with the words that name it.
    static let unsupported: [(file: SampleBMP, name: String)] = [
        (SampleBMP(width: 1, height: 1, compression: 4), "an embedded JPEG"),
        (SampleBMP(width: 1, height: 1, headerLength: 124, compression: 5), "an embedded PNG"),
        (SampleBMP(width: 1, height: 1, depth: 1, headerLength: 64, compression: 3), "OS/2's Huffman code"),
        (SampleBMP(width: 1, height: 1, headerLength: 64, compression: 4), "OS/2's run lengths of 24 bits"),
        (SampleBMP(width: 1, height: 1, compression: 7), "compression 7"),
        (SampleBMP(width: 1, height: 1, depth: 64), "64 bits a pixel"),
    ]

    @Test(arguments: unsupported.indices)
    func `a variant that is not read is unsupported by its name`(index: Int) throws {
        let (file, name) = Self.unsupported[index]
        let error = #expect(throws: CodecError.self) { try file.encoded(content: Data(count: 64)).decoded() }
        #expect(error?.code == .unsupported && error?.message == "BMP with \(name) is not supported")
    }

    /// Headers that are wrong, with the words that name the fault.
    static let faults: [(file: SampleBMP, name: String)] = [
        (SampleBMP(width: 1, height: 1, depth: 0), "0 bits"), (SampleBMP(width: 1, height: 1, depth: 3), "3 bits"),
        (SampleBMP(width: 1, height: 1, depth: 33), "33 bits"),
        (SampleBMP(width: 1, height: 1, depth: 4, compression: 1), "run lengths of 4 bits"),
        (SampleBMP(width: 1, height: 1, depth: 8, compression: 2), "run lengths of 8 bits"),
        (SampleBMP(width: 1, height: 1, depth: 24, compression: 3, masks: [1, 2, 4]), "bit masks of 24 bits"),
        (SampleBMP(width: 1, height: 1, depth: 32, compression: 3, masks: [5, 2, 8]), "not next to each other"),
        (SampleBMP(width: -1, height: 1), "a width of -1"), (SampleBMP(width: 0, height: 1), "nothing to show"),
        (SampleBMP(width: 1, height: 0), "nothing to show"),
    ]

    @Test(arguments: faults.indices)
    func `a header that is wrong is damaged, and its fault is named`(index: Int) throws {
        let (file, name) = Self.faults[index]
        let error = #expect(throws: CodecError.self) { try file.encoded(content: Data(count: 64)).decoded() }
        #expect(error?.code == .damaged && error?.message.contains(name) == true, "\(error?.message ?? "")")
    }
}
