#if HEIF && JPEGXL && SVG && LongTail
    import CalotypeCodecs
    import Foundation
    import Testing

    @Suite struct LongTailTests {
        static let files: [(name: String, data: Data)] = {
            guard let drawn = try? Drawings.quarters(40, 24) else { return [] }
            return [
                ("bmp", LongTailFile.bmp(drawn)), ("ico", LongTailFile.ico([drawn])),
                ("tiff", LongTailFile.tiff(drawn)),
                ("tga", LongTailFile.tga(drawn)), ("pnm", LongTailFile.pnm(drawn)),
            ]
        }()

        @Test(arguments: files.map(\.name))
        func `every pixel is as it was written`(name: String) throws {
            let file = try #require(Self.files.first { $0.name == name }).data
            let header = try DecoderRegistry.standard.header(of: file)
            #expect(header.format.rawValue == name && header.uprightSize == PixelSize(width: 40, height: 24))
            let decoded = try file.decoded()
            #expect(try decoded.size == header.uprightSize && decoded.worstDistance(to: Drawings.quarters(40, 24)) == 0)
            #expect(try file.decoded(ResizeTarget(width: 20)).size == PixelSize(width: 20, height: 12))
        }

        @Test func `of several icons in a file the widest is shown`() throws {
            let (small, large) = (try Drawings.plain(16, 16, (9, 9, 9, 255)), try Drawings.quarters(48, 32))
            for pair in [[small, large], [large, small]] {
                #expect(try LongTailFile.ico(pair).decoded().worstDistance(to: large) == 0)
            }
        }

        @Test(arguments: 1...8)
        func `a TIFF comes upright`(orientation: Int) throws {
            let drawn = try Drawings.quarters(40, 24)
            let expected = try drawn.upright(from: orientation)
            let file = LongTailFile.tiff(drawn, orientation: orientation)
            #expect(try DecoderRegistry.standard.header(of: file).uprightSize == expected.size)
            #expect(try file.decoded().worstDistance(to: expected) == 0)
        }

        @Test(arguments: files.map(\.name))
        func `a file that is cut short or flipped is a typed error or an image of its size`(name: String) throws {
            try Damage.check(try #require(Self.files.first { $0.name == name }).data)
        }

        @Test(arguments: files.map(\.name))
        func `limits hold before a pixel is decoded`(name: String) throws {
            var limits = DecodeLimits()
            limits.maxPixels = 900
            let file = try #require(Self.files.first { $0.name == name }).data
            let error = #expect(throws: CodecError.self) { try file.decoded(limits: limits) }
            #expect(error?.code == .tooLarge)
        }

        @Test func `a header's numbers that overflow when they are multiplied are refused`() throws {
            let drawn = try Drawings.quarters(8, 8)
            var bmp = LongTailFile.bmp(drawn)
            bmp.replaceSubrange(18..<26, with: [0xFF, 0xFF, 0xFF, 0x7F, 0, 0, 0, 0x80])
            bmp.replaceSubrange(28..<30, with: [0xFF, 0xFF])
            var tiff = LongTailFile.tiff(drawn)
            let tags = tiff.count - 10 - 12 * 10
            for tag in 0..<2 {
                tiff.replaceSubrange(tags + 12 * tag + 8..<tags + 12 * tag + 12, with: [255, 255, 255, 255])
            }
            let pnm = (1...6).map { Data("P\($0) 4294967295 4294967295 65535\n".utf8) }
            for file in [bmp, tiff] + pnm {
                let error = #expect(throws: CodecError.self) { try file.decoded() }
                #expect([.tooLarge, .damaged].contains(error?.code), "\(error?.message ?? "")")
            }
        }

        @Test func `a header of a few bytes that announces gigabytes costs nothing`() throws {
            let bomb = Data("P6 60000 60000 255\n".utf8)
            let error = #expect(throws: CodecError.self) { try bomb.decoded() }
            #expect(error?.code == .damaged || error?.code == .tooLarge)
        }
    }

    /// Files of 24 bits a pixel, without compression.
    enum LongTailFile {
        static func bmp(_ bitmap: Bitmap) -> Data {
            let pixels = rows(bitmap, isBlueFirst: true, isUpwards: true, alignment: 4)
            return Data("BM".utf8) + little((54 + pixels.count, 4), (0, 4), (54, 4)) + info(bitmap, rows: bitmap.height)
                + pixels
        }

        static func ico(_ bitmaps: [Bitmap]) -> Data {
            var (directory, pictures) = (little((0, 2), (1, 2), (bitmaps.count, 2)), Data())
            for bitmap in bitmaps {
                let picture =
                    info(bitmap, rows: 2 * bitmap.height)
                    + rows(bitmap, isBlueFirst: true, isUpwards: true, alignment: 4)
                    + Data(count: (bitmap.width + 31) / 32 * 4 * bitmap.height)
                directory += little((bitmap.width, 1), (bitmap.height, 1), (0, 2), (1, 2), (24, 2), (picture.count, 4))
                directory += little((6 + 16 * bitmaps.count + pictures.count, 4))
                pictures += picture
            }
            return directory + pictures
        }

        static func tga(_ bitmap: Bitmap) -> Data {
            little((0, 2), (2, 1), (0, 5), (0, 4), (bitmap.width, 2), (bitmap.height, 2), (24, 1), (0x20, 1))
                + rows(bitmap, isBlueFirst: true)
        }

        static func pnm(_ bitmap: Bitmap) -> Data {
            Data("P6\n# a comment\n\(bitmap.width) \(bitmap.height)\n255\n".utf8) + rows(bitmap)
        }

        static func tiff(_ bitmap: Bitmap, orientation: Int = 1) -> Data {
            let pixels = rows(bitmap)
            let tags = [
                (256, 4, bitmap.width), (257, 4, bitmap.height), (258, 3, 8), (259, 3, 1), (262, 3, 2), (273, 4, 8),
                (274, 3, orientation), (277, 3, 3), (278, 4, bitmap.height), (279, 4, pixels.count),
            ]
            var file = Data("II".utf8) + little((42, 2), (8 + pixels.count, 4)) + pixels + little((tags.count, 2))
            for (tag, type, value) in tags {
                // Eight bits for each of the three samples lie behind the directory.
                if tag == 258 {
                    file += little((tag, 2), (type, 2), (3, 4), (8 + pixels.count + 2 + 12 * tags.count + 4, 4))
                } else {
                    file += little((tag, 2), (type, 2), (1, 4), (value, 4))
                }
            }
            return file + little((0, 4), (8, 2), (8, 2), (8, 2))
        }

        private static func info(_ bitmap: Bitmap, rows: Int) -> Data {
            little(
                (40, 4), (bitmap.width, 4), (rows, 4), (1, 2), (24, 2), (0, 4), (0, 4), (0, 4), (0, 4), (0, 4), (0, 4))
        }

        private static func rows(
            _ bitmap: Bitmap, isBlueFirst: Bool = false, isUpwards: Bool = false, alignment: Int = 1
        ) -> Data {
            var data = Data()
            for y in 0..<bitmap.height {
                var row = Data()
                for x in 0..<bitmap.width {
                    let (red, green, blue, _) = bitmap.pixel(x, isUpwards ? bitmap.height - 1 - y : y)
                    row += isBlueFirst ? [blue, green, red] : [red, green, blue]
                }
                data += row + Data(count: (alignment - row.count % alignment) % alignment)
            }
            return data
        }

        private static func little(_ numbers: (value: Int, bytes: Int)...) -> Data {
            numbers.reduce(Data()) { data, number in
                data + (0..<number.bytes).map { UInt8(truncatingIfNeeded: number.value >> (8 * $0)) }
            }
        }
    }
#endif
