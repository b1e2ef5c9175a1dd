#if HEIF && JPEGXL && SVG && GdkPixbuf
    import CalotypeCodecs
    import Foundation
    import Testing

    @Suite struct GdkPixbufTests {
        static let files: [(name: String, data: Data)] = {
            guard let drawn = try? Drawings.quarters(40, 24) else { return [] }
            return [
                ("bmp", GdkPixbufFile.bmp(drawn)), ("ico", GdkPixbufFile.ico([drawn])),
                ("tiff", GdkPixbufFile.tiff(drawn)),
                ("tga", GdkPixbufFile.tga(drawn)), ("pnm", GdkPixbufFile.pnm(drawn)),
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
                #expect(try GdkPixbufFile.ico(pair).decoded().worstDistance(to: large) == 0)
            }
        }

        @Test(arguments: 1...8)
        func `a TIFF comes upright`(orientation: Int) throws {
            let drawn = try Drawings.quarters(40, 24)
            let expected = try drawn.upright(from: orientation)
            let file = GdkPixbufFile.tiff(drawn, orientation: orientation)
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

        @Test(arguments: files.map(\.name).filter { $0 != "tiff" })
        func `the cost follows from the size, and a copy of the file`(name: String) throws {
            let file = try #require(Self.files.first { $0.name == name }).data
            // A worker process gets the copy.
            #expect(try DecoderRegistry.standard.plan(for: file).cost == 16 * 40 * 24 + (16 << 20) + file.count)
        }

        @Test func `a header's numbers that overflow when they are multiplied are refused`() throws {
            let drawn = try Drawings.quarters(8, 8)
            var bmp = GdkPixbufFile.bmp(drawn)
            bmp.replaceSubrange(18..<26, with: [0xFF, 0xFF, 0xFF, 0x7F, 0, 0, 0, 0x80])
            bmp.replaceSubrange(28..<30, with: [0xFF, 0xFF])
            var tiff = GdkPixbufFile.tiff(drawn)
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
#endif
