import CSpng
import CalotypeCodecs
import CalotypeTesting
import Foundation
import Requirements
import Testing

@Suite struct PNGDecoderTests {
    @Test(arguments: [false, true])
    func `true color comes back to the bit, interlaced too`(isInterlaced: Bool) throws {
        let drawn = try Pictures.gradient(37, 29)
        let samples = drawn.pixels.joined().flatMap { [$0.red, $0.green, $0.blue] }
        let file = PNGFile(width: 37, height: 29, colorType: SPNG_COLOR_TYPE_TRUECOLOR, isInterlaced: isInterlaced)
        let decoded = try file.encoded(samples).decoded()
        #expect(decoded.worstDistance(to: drawn) == 0)
        #expect(!decoded.hasAlpha)
    }

    @Test(arguments: [false, true])
    func `every alpha and color is premultiplied and rounded to nearest`(isInterlaced: Bool) throws {
        let file = PNGFile(
            width: 256, height: 256, colorType: SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, isInterlaced: isInterlaced)
        var samples: [UInt8] = []
        for alpha in UInt8.min...UInt8.max {
            for level in UInt8.min...UInt8.max { samples += [level, 255 - level, level / 2, alpha] }
        }
        let expected = try Bitmap.drawn(256, 256, hasAlpha: true) { level, alpha in
            Pixel(UInt8(level / 2), UInt8(255 - level), UInt8(level)).premultiplied(UInt8(alpha))
        }
        let decoded = try file.encoded(samples).decoded()
        #expect(decoded.hasAlpha)
        #expect(decoded.worstDistance(to: expected) == 0)
    }

    @Test(arguments: [1, 2, 4, 8] as [UInt8], [false, true])
    func `grey of few bits spans black to white`(bitDepth: UInt8, isInterlaced: Bool) throws {
        let levels = 1 << Int(bitDepth)
        let width = max(8, levels)
        var row = [UInt8](repeating: 0, count: width * Int(bitDepth) / 8)
        for x in 0..<width {
            row[x * Int(bitDepth) / 8] |= UInt8(x % levels) << UInt8(8 - Int(bitDepth) - x * Int(bitDepth) % 8)
        }
        let file = PNGFile(
            width: width, height: 3, colorType: SPNG_COLOR_TYPE_GRAYSCALE, bitDepth: bitDepth,
            isInterlaced: isInterlaced)
        let decoded = try file.encoded(row + row + row).decoded()
        let expected = try Bitmap.drawn(width, 3) { x, _ in .gray(UInt8(x % levels * 255 / (levels - 1))) }
        #expect(decoded.worstDistance(to: expected) == 0)
    }

    @Test func `grey with alpha is premultiplied`() throws {
        let file = PNGFile(width: 3, height: 1, colorType: SPNG_COLOR_TYPE_GRAYSCALE_ALPHA)
        let decoded = try file.encoded([255, 128, 100, 0, 77, 255]).decoded()
        #expect(decoded.pixels == [[Pixel(128, 128, 128, 128), .clear, .gray(77)]])
    }

    @Test func `one grey may stand for transparent`() throws {
        let file = PNGFile(
            width: 3, height: 1, colorType: SPNG_COLOR_TYPE_GRAYSCALE, transparentColor: (red: 100, green: 0, blue: 0))
        let decoded = try file.encoded([99, 100, 101]).decoded()
        #expect(decoded.hasAlpha)
        #expect(decoded.pixels == [[.gray(99), .clear, .gray(101)]])
    }

    @Test func `one color may stand for transparent`() throws {
        let file = PNGFile(
            width: 2, height: 1, colorType: SPNG_COLOR_TYPE_TRUECOLOR, transparentColor: (red: 1, green: 2, blue: 3))
        #expect(try file.encoded([1, 2, 3, 3, 2, 1]).decoded().pixels == [[.clear, Pixel(1, 2, 3)]])
    }

    @Test(arguments: [2, 4, 8] as [UInt8], [false, true])
    func `palettes look their colors up, with their opacity`(bitDepth: UInt8, isInterlaced: Bool) throws {
        let file = PNGFile(
            width: 4, height: 2, colorType: SPNG_COLOR_TYPE_INDEXED, bitDepth: bitDepth, isInterlaced: isInterlaced,
            palette: [(255, 0, 0), (0, 255, 0), (0, 0, 255), (200, 100, 50)], paletteAlpha: [255, 0, 128])
        let row: [UInt8] =
            switch bitDepth {
            case 2: [0b0001_1011]
            case 4: [0x01, 0x23]
            default: [0, 1, 2, 3]
            }
        let expected = [Pixel.red, .clear, Pixel(128, 0, 0, 128), Pixel(50, 100, 200)]
        let decoded = try file.encoded(row + row).decoded()
        #expect(decoded.hasAlpha)
        #expect(decoded.pixels == [expected, expected])
    }

    @Test func `a palette without transparency is opaque`() throws {
        let file = PNGFile(
            width: 2, height: 1, colorType: SPNG_COLOR_TYPE_INDEXED, palette: [(255, 0, 0), (0, 0, 255)])
        let decoded = try file.encoded([1, 0]).decoded()
        #expect(!decoded.hasAlpha)
        #expect(decoded.pixels == [[.blue, .red]])
    }

    @Test func `16 bits are rounded to 8, after premultiplying`() throws {
        let samples: [UInt16] = [
            0x10FF, 0xFFFF, 0x0000, 0xFFFF,
            0xFFFF, 0x8000, 0x0101, 0x8080,
            0xFFFF, 0xFFFF, 0xFFFF, 0x0000,
        ]
        let file = PNGFile(width: 3, height: 1, colorType: SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, bitDepth: 16)
        let decoded = try file.encoded(samples.withUnsafeBytes { Array($0) }).decoded()
        #expect(decoded.pixels == [[Pixel(0, 255, 17), Pixel(1, 64, 128, 128), .clear]])
    }

    @Test(arguments: [
        (SPNG_COLOR_TYPE_GRAYSCALE, 1), (SPNG_COLOR_TYPE_TRUECOLOR, 3), (SPNG_COLOR_TYPE_GRAYSCALE_ALPHA, 2),
        (SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, 4),
    ])
    func `16 bits are rounded alike in every order of the rows`(colorType: spng_color_type, samples: Int) throws {
        for (width, height) in [(1, 1), (3, 2), (5, 9), (41, 23)] {
            var random = SplitMix(seed: UInt64(width))
            let bytes = (0..<2 * samples * width * height).map { _ in UInt8.random(in: 0...255, using: &random) }
            var file = PNGFile(width: width, height: height, colorType: colorType, bitDepth: 16)
            let plain = try file.encoded(bytes).decoded()
            file.isInterlaced = true
            let interlaced = try file.encoded(bytes)
            #expect(try interlaced.decoded().worstDistance(to: plain) == 0)
            guard height > 1 else { continue }
            // A partial image has the whole rows of the last pass, and no alpha where all are there.
            var limits = DecodeLimits()
            limits.acceptsPartialImages = true
            let partial = try interlaced.dropLast(20).decoded(limits: limits)
            for x in 0..<width { #expect(partial[x, 0] == plain[x, 0] && partial[x, 1] == plain[x, 1]) }
        }
    }

    @Test func `previews round 16 bits as the image does`() throws {
        var random = SplitMix(seed: 7)
        let bytes = (0..<8 * 64 * 48).map { _ in UInt8.random(in: 0...255, using: &random) }
        let file = try PNGFile(
            width: 64, height: 48, colorType: SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, bitDepth: 16, isInterlaced: true
        ).encoded(bytes)
        let whole = try file.decoded()
        let feed = PreviewFeed(file: file, target: ResizeTarget(width: 64, height: 24, mode: .exact))
        let preview = try #require(try feed.previews(at: [file.count - 20]).first).preview.bitmap
        for y in 0..<24 {
            for x in 0..<64 { #expect(preview[x, y] == whole[x, 2 * y]) }
        }
    }

    @Test func `interlaced 16 bits that are cut short are damaged`() throws {
        let file = try PNGFile(
            width: 40, height: 30, colorType: SPNG_COLOR_TYPE_TRUECOLOR, bitDepth: 16, isInterlaced: true
        ).encoded([UInt8](repeating: 90, count: 6 * 40 * 30))
        for count in stride(from: 60, to: file.count - 16, by: 9) {
            let error = #expect(throws: CodecError.self, "\(count)") { try file.prefix(count).decoded() }
            #expect(error?.code == .damaged)
        }
    }

    @Test(arguments: [SPNG_COLOR_TYPE_GRAYSCALE, SPNG_COLOR_TYPE_TRUECOLOR, SPNG_COLOR_TYPE_GRAYSCALE_ALPHA])
    func `16 bits of any color type decode, interlaced too`(colorType: spng_color_type) throws {
        let samples = [SPNG_COLOR_TYPE_GRAYSCALE: 1, SPNG_COLOR_TYPE_TRUECOLOR: 3][colorType] ?? 2
        let row = [UInt16](repeating: 0xFFFF, count: 5 * samples)
        for isInterlaced in [false, true] {
            let file = PNGFile(
                width: 5, height: 4, colorType: colorType, bitDepth: 16, isInterlaced: isInterlaced)
            let bytes = Array(repeating: row, count: 4).flatMap { $0 }.withUnsafeBytes { Array($0) }
            #expect(try file.encoded(bytes).decoded().distinctPixels == [.white])
        }
    }

    @Test(.requirement("B63"), arguments: [1, 3, 6, 8])
    func `the orientation in an eXIf chunk is applied exactly once`(orientation: Int) throws {
        let drawn = try Pictures.quarters(40, 20)
        let file = PNGFile(
            width: 40, height: 20, colorType: SPNG_COLOR_TYPE_TRUECOLOR, exif: JPEGFiles.tiff(orientation))
        let decoded = try file.encoded(drawn.pixels.joined().flatMap { [$0.red, $0.green, $0.blue] }).decoded()
        #expect(decoded.corners == JPEGDecoderTests.turned[orientation - 1])
        #expect(decoded.width == (orientation >= 5 ? 20 : 40))
    }

    @Test(arguments: [false, true])
    func `a thumbnail that is scaled row by row is the one of the whole image`(isInterlaced: Bool) throws {
        let veil = try Pictures.veil(333, 217)
        var wide = try Pictures.noise(90, 70).pixels.joined().flatMap { [$0.red, $0.green, $0.blue, $0.alpha] }
        wide += wide
        let files = [
            try PNGFile(
                width: 333, height: 217, colorType: SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, isInterlaced: isInterlaced
            ).encoded(veil.pixels.joined().flatMap { [$0.red, $0.green, $0.blue, $0.alpha] }),
            try PNGFile(
                width: 90, height: 70, colorType: SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, bitDepth: 16,
                isInterlaced: isInterlaced
            ).encoded(wide),
        ]
        // Pixels of 16 bits are rounded only after scaling.
        for (file, distance) in zip(files, [0, 1]) {
            for filter in [ResizeFilter.automatic, .box] {
                for width in [7, 40, 60, 89] {
                    let target = ResizeTarget(width: width, filter: filter)
                    let whole = try file.decoded()
                    let expected = try whole.scaled(to: target.scaledSize(for: whole.size), filter: filter)
                    #expect(try #require(file.decoded(target).worstDistance(to: expected)) <= distance)
                }
            }
        }
    }

    @Test func `a PNG cut short or damaged in the middle makes no thumbnail`() throws {
        let file = try Pictures.noise(200, 200).encoded(as: .png)
        for count in [file.count / 3, file.count / 2, file.count * 9 / 10] {
            let error = #expect(throws: CodecError.self) { try file.prefix(count).decoded(ResizeTarget(width: 20)) }
            #expect(error?.code == .damaged)
        }
    }

    @Test(arguments: [8, 16], [false, true])
    func `a PNG without its end, or with a damaged one, has all of its pixels`(depth: UInt8, isInterlaced: Bool) throws
    {
        let noise = try Pictures.noise(40, 30)
        let bytes = noise.pixels.joined().flatMap { [$0.red, $0.green, $0.blue] }
        let samples = depth == 8 ? bytes : bytes.flatMap { [$0, 0] as [UInt8] }
        let file = try PNGFile(
            width: 40, height: 30, colorType: SPNG_COLOR_TYPE_TRUECOLOR, bitDepth: depth, isInterlaced: isInterlaced
        ).encoded(samples)
        let whole = try file.decoded()
        let ends: [(name: String, end: Data)] = [
            ("none", Data()), ("a byte", Data([0])), ("half a chunk", file.suffix(12).prefix(8)),
            ("a wrong checksum", file.suffix(12).dropLast() + [0]),
            ("an unknown chunk", PNGFile.chunk("ABCD", Data([1]))),
            ("another length", Data([0, 0, 0, 9]) + file.suffix(8)), ("text", Data("<html>".utf8)),
        ]
        for (name, end) in ends {
            let odd = file.dropLast(12) + end
            #expect(try odd.decoded().worstDistance(to: whole) == 0, "\(name)")
            #expect(try odd.decoded(ResizeTarget(width: 8)).width == 8, "\(name)")
        }
        for count in [13, 14, 20, 100] {
            let error = #expect(throws: CodecError.self) { try file.dropLast(count).decoded() }
            #expect(error?.code == .damaged)
        }
    }

    @Test func `a smaller size is what comes out`() throws {
        let file = try Pictures.quarters(200, 100).encoded(as: .png)
        let decoded = try file.decoded(ResizeTarget(width: 30))
        #expect(decoded.width == 30 && decoded.height == 15)
        #expect(decoded.corners == [.red, .green, .blue, .white])
    }
}
