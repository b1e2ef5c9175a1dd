#if HEIF && JPEGXL && SVG && GdkPixbuf
    import CalotypeCodecs
    import Foundation
    import Testing

    /// Files that GdkPixbuf alone draws wrongly, or as a whole image although half is missing.
    @Suite struct GdkPixbufVariantTests {
        static let files: [(name: String, data: Data)] = [
            ("BMP", PaletteFile.bmp()), ("BMP with a gap before its pixels", PaletteFile.bmp(gap: 10)),
            ("BMP with fewer colors than it may have", PaletteFile.bmp(named: 0)),
            ("BMP of OS/2 with fewer colors", PaletteFile.shortBMP()),
            ("BMP of run lengths", PaletteFile.packedBMP()), ("the same with a gap", PaletteFile.packedBMP(gap: 8)),
            ("BMP of run lengths without an end", PaletteFile.packedBMP(ends: false)),
            ("TGA with a palette", PaletteFile.tga()), ("TGA of run lengths", PaletteFile.tga(isPacked: true)),
            ("PNM as text", PaletteFile.textPNM()),
        ]

        @Test(arguments: files.map(\.name))
        func `every pixel is as it was written`(name: String) throws {
            let file = try #require(Self.files.first { $0.name == name }).data
            #expect(try file.decoded().worstDistance(to: Drawings.quarters(40, 24)) == 0)
        }

        @Test(arguments: files.map(\.name))
        func `a file that is cut short is damaged, wherever it is cut`(name: String) throws {
            let file = try #require(Self.files.first { $0.name == name }).data
            for count in stride(from: 80, to: file.count - 2, by: 7) {
                let error = #expect(throws: CodecError.self, "\(count) of \(file.count)") {
                    try file.prefix(count).decoded()
                }
                #expect(error?.code == .damaged, "\(count): \(error?.message ?? "")")
            }
            try Damage.check(file)
        }

        @Test func `pixels that run lengths skip are black, as in browsers`() throws {
            let file = PaletteFile.packedBMP()
            // The first run of the last row from the top becomes a jump over 20 pixels.
            let row = try #require(file.range(of: Data([20, 0, 20, 1]), options: .backwards))
            var jump = file
            jump.replaceSubrange(row.lowerBound..<row.lowerBound + 2, with: [0, 2, 20, 0])
            let bitmap = try jump.decoded()
            #expect(!bitmap.hasAlpha && bitmap.pixel(3, 0) == (0, 0, 0, 255) && bitmap.pixel(30, 0) == (0, 255, 0, 255))
        }

        @Test func `run lengths that end before the last row are damaged`() throws {
            let file = PaletteFile.packedBMP()
            let row = try #require(file.range(of: Data([0, 0, 20])))
            var early = file
            early.replaceSubrange(row.lowerBound..<row.lowerBound + 2, with: [0, 1])
            let error = #expect(throws: CodecError.self) { try early.decoded() }
            #expect(error?.code == .damaged)
        }

        @Test func `a bitmap as text has its last pixel, and a shorter one is damaged`() throws {
            let file = PaletteFile.bitmapPNM()
            let bitmap = try file.decoded()
            #expect(bitmap.pixel(7, 3) == (0, 0, 0, 255) && bitmap.pixel(6, 3) == (255, 255, 255, 255))
            let error = #expect(throws: CodecError.self) { try file.dropLast().decoded() }
            #expect(error?.code == .damaged)
        }

        @Test(arguments: [(2, 24), (0, 16)])
        func `a TGA whose palette GdkPixbuf reads wrongly is unsupported`(first: Int, depth: Int) {
            let error = #expect(throws: CodecError.self) { try PaletteFile.tga(first: first, depth: depth).decoded() }
            #expect(error?.code == .unsupported && error?.message.contains("palette") == true)
        }
    }

    @Suite struct TGATests {
        @Test(arguments: [15, 16, 24, 32])
        func `a depth of a palette that a TGA does not have is ignored`(depth: UInt8) throws {
            let drawn = try Drawings.quarters(40, 24)
            var file = GdkPixbufFile.tga(drawn)
            file[7] = depth
            #expect(try file.decoded().worstDistance(to: drawn) == 0)
        }
    }

    /// An icon of 16 × 16 pixels.
    private struct IconFile {
        var depth: Int
        var colors: [[Int]] = []
        var isClear: (_ x: Int, _ y: Int) -> Bool = { _, _ in false }

        func encoded(_ pixel: (_ x: Int, _ y: Int) -> Int) -> Data {
            var content = GdkPixbufFile.little(
                (40, 4), (16, 4), (32, 4), (1, 2), (depth, 2), (0, 4), (0, 4), (0, 4), (0, 4))
            content += GdkPixbufFile.little((depth > 8 ? 0 : colors.count, 4), (0, 4))
            if depth <= 8 { for color in colors { content += Data((color.reversed() + [0]).map(UInt8.init)) } }
            for y in (0..<16).reversed() { content += row(depth) { pixel($0, y) } }
            for y in (0..<16).reversed() { content += row(1) { isClear($0, y) ? 1 : 0 } }
            return GdkPixbufFile.ico([(16, content)])
        }

        private func row(_ depth: Int, _ value: (Int) -> Int) -> Data {
            guard depth < 8 else {
                return (0..<16).reduce(Data()) { $0 + GdkPixbufFile.little((value($1), depth / 8)) }
            }
            var bytes = [UInt8](repeating: 0, count: depth == 1 ? 4 : 8)
            for x in 0..<16 { bytes[x * depth / 8] |= UInt8(value(x) << (8 - depth - x * depth % 8)) }
            return Data(bytes)
        }
    }

    @Suite struct IconTests {
        @Test func `a PNG in an icon is read, also beside smaller images and larger ones`() throws {
            let (small, large) = (try Drawings.quarters(16, 16), try Drawings.veil(48, 32))
            let images = [(16, GdkPixbufFile.dib(small)), (48, try large.encoded(as: .png))]
            for file in [
                GdkPixbufFile.ico(images), GdkPixbufFile.ico(images.reversed()), GdkPixbufFile.ico([images[1]]),
            ] {
                let header = try DecoderRegistry.standard.header(of: file)
                #expect(header.format.rawValue == "ico" && header.uprightSize == large.size && header.hasAlpha)
                #expect(try file.decoded().worstDistance(to: large) <= 1)
                #expect(try file.decoded(ResizeTarget(width: 24)).size == PixelSize(width: 24, height: 16))
            }
            let mixed = GdkPixbufFile.ico([(16, try small.encoded(as: .png)), (48, GdkPixbufFile.dib(large))])
            #expect(try mixed.decoded().size == large.size)
        }

        @Test(arguments: [1, 4, 8])
        func `an index has the color of its palette, and black beyond it`(depth: Int) throws {
            let colors = [[255, 0, 0], [0, 255, 0]]
            // Red and green columns, and where an index has more bits, one that has no color.
            let file = IconFile(depth: depth, colors: colors).encoded { x, _ in depth == 1 ? x % 2 : x % 3 }
            let bitmap = try file.decoded()
            #expect(bitmap.pixel(0, 3) == (255, 0, 0, 255) && bitmap.pixel(1, 3) == (0, 255, 0, 255))
            if depth > 1 { #expect(bitmap.pixel(2, 3) == (0, 0, 0, 255)) }
        }

        @Test func `white and black of 1 bit are not inverted, whichever is first`() throws {
            for first in [0, 255] {
                let file = IconFile(
                    depth: 1, colors: [[first, first, first], [255 - first, 255 - first, 255 - first]])
                let bitmap = try file.encoded { x, _ in x % 2 }.decoded()
                let (level, other) = (UInt8(first), UInt8(255 - first))
                #expect(bitmap.pixel(0, 0) == (level, level, level, 255))
                #expect(bitmap.pixel(1, 0) == (other, other, other, 255))
            }
        }

        @Test(arguments: [16, 24, 32])
        func `colors are read from the bottom row up`(depth: Int) throws {
            // Blue above, red below. The alpha of 32 bits is 0 everywhere, which means that there is none.
            let (blue, red) = depth == 16 ? (31, 31 << 10) : (255, 255 << 16)
            let bitmap = try IconFile(depth: depth).encoded { _, y in y < 8 ? blue : red }.decoded()
            #expect(bitmap.pixel(3, 0) == (0, 0, 255, 255) && bitmap.pixel(3, 15) == (255, 0, 0, 255))
        }

        @Test(arguments: [1, 24, 32])
        func `the mask clears pixels unless there is alpha`(depth: Int) throws {
            let icon = IconFile(
                depth: depth, colors: [[9, 9, 9], [200, 200, 200]], isClear: { x, y in (x, y) == (15, 2) })
            let plain = try icon.encoded { _, _ in depth == 1 ? 1 : 0xC8C8C8 }.decoded()
            #expect(plain.pixel(15, 2) == (0, 0, 0, 0) && plain.pixel(14, 2) == (200, 200, 200, 255))
            guard depth == 32 else { return }
            let veil = try icon.encoded { _, _ in 0x80C8_C8C8 }.decoded()
            #expect(veil.pixel(15, 2) == (100, 100, 100, 128))
        }

        @Test func `a PNG of 256 pixels, which the directory calls 0, is the widest`() throws {
            let large = try Drawings.gradient(256, 256)
            let file = GdkPixbufFile.ico([
                (48, GdkPixbufFile.dib(try Drawings.quarters(48, 48))), (256, try large.encoded(as: .png)),
            ])
            #expect(try file.decoded().worstDistance(to: large) == 0)
        }

        @Test func `an image of which a part is missing is damaged, whichever it is`() throws {
            let drawn = try Drawings.noise(48, 48)
            for content in [GdkPixbufFile.dib(drawn), try drawn.encoded(as: .png)] {
                try Damage.check(GdkPixbufFile.ico([(48, content)]))
                // The directory is correct, and the image is shorter than its own header announces.
                let error = #expect(throws: CodecError.self) {
                    try GdkPixbufFile.ico([(48, content.prefix(content.count - 300))]).decoded()
                }
                #expect(error?.code == .damaged)
            }
        }
    }
#endif
