#if HEIF && JPEGXL && SVG && TIFF
    import CalotypeCodecs
    import Foundation
    import Testing

    /// Files in all layouts, against the pixels that their samples mean.
    @Suite struct TIFFLayoutTests {
        struct Layout: Sendable, CustomTestStringConvertible {
            var photometric: Int
            var bits: Int
            var extra: [Int]
            var isPlanar: Bool
            var tile: Int?

            var testDescription: String { "\(photometric), \(bits) bits, \(extra), \(isPlanar), \(tile ?? 0)" }
            var file: TIFFFile {
                TIFFFile(
                    width: 23, height: 19, photometric: photometric, bits: bits, extra: extra, isPlanar: isPlanar,
                    tile: tile, palette: photometric == 3 ? TIFFLayoutTests.palette : [])
            }

            static let all = [(0, 8), (0, 16), (1, 8), (1, 16), (2, 8), (2, 16), (3, 8)].flatMap { photometric, bits in
                [[], [0], [1], [2], [0, 2]].flatMap { extra in
                    [false, true].flatMap { isPlanar in
                        [nil, 16].map {
                            Layout(photometric: photometric, bits: bits, extra: extra, isPlanar: isPlanar, tile: $0)
                        }
                    }
                }
            }
        }

        /// Colors that fit into 8 bits, stored with 16, by the factors of different programs.
        private static let palette = (0..<3).flatMap { channel in
            (0..<256).map { (channel == 0 ? 256 : 257) * (($0 * (channel + 1)) % 256) }
        }

        /// Returns the straight color and the alpha of a pixel, with 8 bits.
        private static func color(_ x: Int, _ y: Int, _ layout: Layout) -> [Int] {
            let first = (40 * x + 9 * y) % 256
            let alpha = (31 * y + 3 * x) % 256
            switch layout.photometric {
            case 2: return [first, (11 * x) % 256, (200 + 5 * y) % 256, alpha]
            case 3: return [first, (2 * first) % 256, (3 * first) % 256, alpha]
            default: return [first, first, first, alpha]
            }
        }

        private static func samples(_ x: Int, _ y: Int, _ layout: Layout) -> [Int] {
            let color = color(x, y, layout)
            let (scale, largest) = layout.bits == 8 ? (1, 255) : (257, 65535)
            // Where alpha is premultiplied, so are the colors, except for the number of a palette's color.
            let factor = layout.extra.contains(1) && layout.photometric != 3 ? Double(color[3]) / 255 : 1
            let alpha = color[3] * scale
            func sample(_ channel: Int) -> Int {
                let value = Int((Double(color[channel] * scale) * factor).rounded())
                guard layout.photometric == 0 else { return value }
                return (layout.extra.contains(1) ? alpha : largest) - value
            }
            let colors = layout.photometric == 2 ? [0, 1, 2].map(sample) : [sample(0)]
            return colors + layout.extra.map { $0 == 0 ? 123 : alpha }
        }

        @Test(arguments: Layout.all)
        func `every layout of samples becomes the same pixels`(layout: Layout) throws {
            let hasAlpha = layout.extra.contains(1) || layout.extra.contains(2)
            let file = layout.file.encoded { Self.samples($0, $1, layout) }
            let expected = try Drawings.drawn(23, 19, hasAlpha: hasAlpha) { x, y in
                let color = Self.color(x, y, layout).map { UInt8($0) }
                return (color[0], color[1], color[2], hasAlpha ? color[3] : 255)
            }
            let header = try DecoderRegistry.standard.header(of: file)
            #expect(header.hasAlpha == hasAlpha && header.uprightSize == expected.size)
            let decoded = try file.decoded()
            #expect(decoded.hasAlpha == hasAlpha)
            #expect(decoded.worstDistance(to: expected) <= (layout.extra == [1] ? 1 : 0))
        }

        @Test func `files of these layouts are damaged where they are cut short`() throws {
            for layout in Layout.all.filter({ $0.extra == [2] && ($0.bits == 16 || $0.photometric == 3) }) {
                try Damage.check(layout.file.encoded { Self.samples($0, $1, layout) })
            }
        }

        @Test func `16 bits are rounded to 8 after premultiplying`() throws {
            let file = TIFFFile(width: 2, height: 1, photometric: 2, bits: 16, extra: [2])
                .encoded { x, _ in x == 0 ? [0x10FF, 0xFFFF, 0, 0xFFFF] : [0xFFFF, 0x8000, 0x0101, 0x8080] }
            let decoded = try file.decoded()
            #expect(decoded.pixel(0, 0) == (17, 255, 0, 255) && decoded.pixel(1, 0) == (128, 64, 1, 128))
        }

        @Test func `a profile decides what the samples look like`() throws {
            let red = TIFFFile(width: 4, height: 4, photometric: 2, profile: ICCFile.swapped).encoded { _, _ in
                [255, 0, 0]
            }
            let green = try red.decoded().pixel(1, 1)
            #expect(green.green > 200 && green.red < 90)
            #expect(DecoderRegistry.standard.colors(of: red) != "sRGB")
            for (photometric, sample) in [(0, 127), (1, 128)] {
                let gray = TIFFFile(width: 4, height: 4, photometric: photometric, profile: ICCFile.gray(gamma: 1))
                let light = try gray.encoded { _, _ in [sample] }.decoded().pixel(1, 1)
                #expect(abs(Int(light.red) - 188) <= 2 && light.red == light.blue)
            }
            // Colors change as the ones of opaque pixels do.
            let veil = TIFFFile(width: 4, height: 4, photometric: 2, extra: [2], profile: ICCFile.swapped)
            let half = try veil.encoded { _, _ in [255, 0, 0, 128] }.decoded().pixel(1, 1)
            #expect(half.alpha == 128 && half.green > 100 && half.red < 46)
        }

        @Test func `CMYK is laid on white`() throws {
            for bits in [8, 16] {
                for isPlanar in [false, true] {
                    let file = TIFFFile(
                        width: 5, height: 4, photometric: 5, bits: bits, extra: [0], isPlanar: isPlanar)
                    let full = bits == 8 ? 255 : 65535
                    let decoded = try file.encoded { x, _ in
                        x < 2 ? [0, full, full, 0, 9] : x < 4 ? [0, 0, 0, 0, 9] : [0, 0, 0, full, 9]
                    }.decoded()
                    #expect(decoded.pixel(0, 3) == (255, 0, 0, 255) && decoded.pixel(3, 0) == (255, 255, 255, 255))
                    #expect(decoded.pixel(4, 1) == (0, 0, 0, 255) && !decoded.hasAlpha)
                }
            }
        }

        @Test(arguments: [8, 16], [nil, 16] as [Int?])
        func `CMYK keeps its black when it is scaled`(bits: Int, tile: Int?) throws {
            let full = bits == 8 ? 255 : 65535
            let file = TIFFFile(width: 60, height: 40, photometric: 5, bits: bits, tile: tile).encoded { x, _ in
                x < 20 ? [0, 0, 0, full] : x < 40 ? [full, 0, 0, full * 3 / 5] : [0, full, 0, 0]
            }
            for width in [60, 30, 7] {
                let decoded = try file.decoded(ResizeTarget(width: width, filter: .box))
                #expect(decoded.width == width && !decoded.hasAlpha)
                let pixels = [width / 6, width / 2, width * 5 / 6].map { decoded.pixel($0, 1) }
                #expect(pixels[0] == (0, 0, 0, 255), "\(width): \(pixels[0])")
                #expect(pixels[1] == (0, 102, 102, 255), "\(width): \(pixels[1])")
                #expect(pixels[2] == (255, 0, 255, 255), "\(width): \(pixels[2])")
            }
        }

        @Test(arguments: ["CMYK", "bits", "signs"])
        func `alpha that cannot be read is refused, and so are signs`(kind: String) throws {
            let file =
                switch kind {
                case "CMYK":
                    TIFFFile(width: 4, height: 4, photometric: 5, extra: [2]).encoded { _, _ in [0, 0, 0, 0, 99] }
                case "bits":
                    TIFFFile(width: 4, height: 4, photometric: 1, bits: 32, extra: [2]).encoded { _, _ in [0, 99] }
                default: TIFFFile(width: 4, height: 4, photometric: 1, isSigned: true).encoded { _, _ in [99] }
                }
            let error = #expect(throws: CodecError.self) { try DecoderRegistry.standard.header(of: file) }
            #expect(error?.code == .unsupported)
        }

        @Test func `palettes of old programs have 8 bits`() throws {
            let palette = (0..<3).flatMap { channel in (0..<256).map { $0 == 7 ? 50 + channel : 0 } }
            let file = TIFFFile(width: 2, height: 2, photometric: 3, palette: palette).encoded { _, _ in [7] }
            #expect(try file.decoded().pixel(1, 1) == (50, 51, 52, 255))
        }
    }
#endif
