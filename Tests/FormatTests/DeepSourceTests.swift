#if HEIF && JPEGXL && SVG && TIFF
    import CHEIF
    import CalotypeCodecs
    import Foundation
    import TestSupport
    import Testing

    /// Sources of more than 8 bits, which keep them until their pixels have the size of the result.
    @Suite struct DeepSourceTests {
        private static let (width, height) = (1200, 16)

        /// The value of a column with 16 bits: 12 steps of 8 bits over all columns.
        private static func level(_ x: Int) -> Int { 20_000 + 257 * 12 * x / width }

        private static func jpegXL(
            isLossless: Bool, _ codePoints: (UInt32, UInt32)? = nil, _ color: (Int) -> [Int]
        ) throws -> Data {
            var file = JPEGXLFile(width: width, height: height)
            (file.bits, file.isLossless, file.codePoints) = (16, isLossless, codePoints)
            let row = (0..<width).flatMap { x in color(x).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } }
            return try file.encoded([.init((0..<height).flatMap { _ in row })])
        }

        private static func file(_ name: String) throws -> Data {
            switch name {
            case "TIFF": TIFFFile(width: width, height: height, photometric: 1, bits: 16).encoded { x, _ in [level(x)] }
            case "planes":
                TIFFFile(width: width, height: height, photometric: 2, bits: 16, isPlanar: true, tile: 32)
                    .encoded { x, _ in [level(x), level(x), level(x)] }
            case "HEIC":
                try HEIFFile.deep(PixelSize(width: width, height: height), nil) { x, _ in
                    UInt16(level(x) * 1023 / 65_535)
                }
            default:
                try jpegXL(isLossless: name == "lossless") { x in [level(x), level(x), level(x)] }
            }
        }

        @Test(arguments: [("TIFF", 0.1), ("planes", 0.1), ("HEIC", 0.4), ("lossless", 0.1), ("XYB", 0.5)])
        func `a slow gradient has the average of its bits everywhere`(name: String, tolerance: Double) throws {
            for width in [Self.width, 600] {
                let bitmap = try Self.file(name).decoded(ResizeTarget(width: width))
                try #require(bitmap.width == width)
                for block in 1..<width / 8 - 1 {
                    let columns = (0..<8).map { 8 * block + $0 }
                    let levels = columns.flatMap { x in (0..<8).map { Int(bitmap.pixel(x, $0).green) } }
                    let exact = Double(Self.level((2 * 8 * block + 8) * Self.width / width / 2)) / 257
                    #expect(abs(Double(levels.reduce(0, +)) / 64 - exact) < tolerance, "\(width): \(block)")
                    #expect(levels.allSatisfy { abs(Double($0) - exact) < 1 + tolerance })
                }
            }
        }

        @Test(arguments: [true, false], [UInt32(16), 18])
        func `JPEG XL of a high dynamic range is mapped`(isLossless: Bool, transfer: UInt32) throws {
            let file = try Self.jpegXL(isLossless: isLossless, (9, transfer)) { x in
                [Int](repeating: x * 65_535 / (Self.width - 1), count: 3)
            }
            #expect(DecoderRegistry.standard.colors(of: file) == (transfer == 16 ? "BT.2020 PQ" : "BT.2020 HLG"))
            let ramp = try file.decoded()
            let levels = (0..<Self.width).map { Int(ramp.pixel($0, 8).green) }
            #expect(Set(levels).count > 200 && levels[0] <= 1 && levels[Self.width - 1] >= 250)
            #expect(zip(levels, levels.dropFirst(8)).allSatisfy { $1 >= $0 - 1 })
            // Half of the signal is about 92 cd/m² in PQ and 51 in HLG: far from paper white.
            #expect((100...190).contains(levels[Self.width / 2]), "\(levels[Self.width / 2])")
        }

        @Test(arguments: [nil, (9, 16), (11, 13)] as [(UInt32, UInt32)?])
        func `premultiplied JPEG XL of 16 bits looks as straight one`(codePoints: (UInt32, UInt32)?) throws {
            func decoded(isPremultiplied: Bool) throws -> Bitmap {
                var file = JPEGXLFile(width: Self.width, height: Self.height)
                (file.bits, file.isLossless, file.codePoints, file.hasAlpha) = (16, true, codePoints, true)
                let row = (0..<Self.width).flatMap { x -> [UInt8] in
                    let alpha = 20_000 + 30 * x
                    let color = [30 * x, 40_000, 20_000].map { isPremultiplied ? $0 * alpha / 65_535 : $0 }
                    return (color + [alpha]).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
                }
                let data = try file.encoded([.init((0..<Self.height).flatMap { _ in row })])
                return try (isPremultiplied ? Self.associatingAlpha(data) : data).decoded()
            }
            let (straight, premultiplied) = try (decoded(isPremultiplied: false), decoded(isPremultiplied: true))
            #expect(straight.hasAlpha && straight.worstDistance(to: premultiplied) <= 1)
        }

        /// Returns a codestream of colors multiplied by alpha, by its header, which libjxl 0.7 does not write.
        private static func associatingAlpha(_ file: Data) throws -> Data {
            let start = try #require(file.range(of: Data([0xFF, 0x0A]))).lowerBound
            func isSet(_ bit: Int) -> Bool { file[start + bit / 8] >> (bit % 8) & 1 == 1 }
            // Behind the size of 30 bits and the channel's own bits. Fields in between are there if the bit 47 is set.
            let bit = isSet(47) ? 82 : 76
            try #require(!isSet(46) && !isSet(bit))
            var changed = file
            changed[start + bit / 8] |= 1 << (bit % 8)
            return changed
        }

        @Test func `alpha of 8 bits is that of a HEIC of 10 bits`() throws {
            let size = PixelSize(width: 192, height: 128)
            func image(_ file: Data) -> GainMapItems.Image {
                GainMapItems.Image(file, width: size.width, height: size.height)
            }
            let base = image(try HEIFFile.deep(size, nil) { _, _ in 800 })
            let alpha = image(try HEIFFile.encodedGray(Drawings.plain(size.width, size.height, (200, 200, 200, 255))))
            var file = GainMapItems(base: base, map: alpha, iso: nil)
            file.auxiliaries = [(alpha, "urn:mpeg:hevc:2015:auxid:1")]
            let pixel = try file.data.decoded().pixel(96, 64)
            #expect(abs(Int(pixel.alpha) - 200) <= 2)
            #expect(abs(Int(pixel.green) - 800 * 200 / 1023) <= 3)
        }

        @Test(arguments: [false, true])
        func `gray HEIC of 10 bits decodes, with alpha of 10 bits, too`(hasAlpha: Bool) throws {
            let size = PixelSize(width: 192, height: 128)
            func image(_ gray: UInt8) throws -> GainMapItems.Image {
                let drawn = try Drawings.plain(size.width, size.height, (gray, gray, gray, 255))
                return GainMapItems.Image(
                    try HEIFFile.encodedGray(drawn, bits: 10), width: size.width, height: size.height)
            }
            var file = GainMapItems(base: try image(100), map: try image(60), iso: nil)
            if hasAlpha { file.auxiliaries = [(try image(200), "urn:mpeg:hevc:2015:auxid:1")] }
            let pixel = try file.data.decoded().pixel(96, 64)
            let alpha = hasAlpha ? 200 : 255
            #expect(abs(Int(pixel.alpha) - alpha) <= 2 && abs(Int(pixel.green) - 100 * alpha / 255) <= 2)
        }

        /// A TIFF of a high dynamic range, and the alpha of a pixel with 16 bits. Extra samples: 1 for premultiplied alpha, 2 for straight.
        private static func tiff(
            _ transfer: UInt8, isPlanar: Bool, tile: Int?, extra: [Int], _ color: (Int) -> [Int]
        ) -> Data {
            var file = TIFFFile(width: width, height: height, photometric: 2, bits: 16, extra: extra)
            (file.isPlanar, file.tile) = (isPlanar, tile)
            file.profile = ICCFile.coded(primaries: 9, transfer: transfer)
            return file.encoded { x, y in
                guard let kind = extra.first else { return color(x) }
                let alpha = alpha(y)
                return (kind == 1 ? color(x).map { ($0 * alpha + 32_767) / 65_535 } : color(x)) + [alpha]
            }
        }

        private static func alpha(_ y: Int) -> Int { y < 8 ? 65_535 : 30_000 }

        @Test(
            arguments: [UInt8(16), 18],
            [(false, nil, []), (false, 32, [2]), (true, nil, []), (true, 32, [1]), (false, nil, [1])]
                as [(Bool, Int?, [Int])])
        func `TIFF of a high dynamic range is mapped`(transfer: UInt8, layout: (Bool, Int?, [Int])) throws {
            let color = { (x: Int) in [x * 65_535 / (Self.width - 1), 40_000 - 20 * x, 9000 + 10 * x] }
            let exact = try Self.jpegXL(isLossless: true, (9, UInt32(transfer)), color)
            let file = Self.tiff(transfer, isPlanar: layout.0, tile: layout.1, extra: layout.2, color)
            for width in [Self.width, 400] {
                let (own, expected) = try (
                    file.decoded(ResizeTarget(width: width)), exact.decoded(ResizeTarget(width: width))
                )
                #expect(own.hasAlpha == !layout.2.isEmpty)
                let height = own.height
                for x in 0..<width {
                    let (one, two) = (own.pixel(x, height / 4), expected.pixel(x, height / 4))
                    let distances = [(one.red, two.red), (one.green, two.green), (one.blue, two.blue)]
                        .map { abs(Int($0) - Int($1)) }
                    #expect(distances.allSatisfy { $0 <= 1 } && one.alpha == 255, "\(width): \(x)")
                    guard own.hasAlpha else { continue }
                    let veil = own.pixel(x, height - 1)
                    let share = Double(veil.alpha) / 255
                    #expect(abs(share - Double(Self.alpha(15)) / 65_535) < 0.05)
                    for (value, full) in [(veil.red, two.red), (veil.green, two.green), (veil.blue, two.blue)] {
                        #expect(abs(Double(value) - Double(full) * share) < 2, "\(width): \(x)")
                    }
                }
            }
        }

        @Test(arguments: [true, false])
        func `JPEG XL keeps the colors of Display P3`(isLossless: Bool) throws {
            let file = try Self.jpegXL(isLossless: isLossless, (11, 13)) { x in [60_000, 8000 + 10 * x, 8000] }
            #expect(DecoderRegistry.standard.colors(of: file) == "Display P3")
            let wide = try DecoderRegistry.standard.decode(file, gamut: .displayP3)
            #expect(wide.gamut == .displayP3)
            let (pixel, exact) = (wide.pixel(600, 8), [60_000, 14_000, 8000].map { $0 / 257 })
            for (value, exact) in zip([pixel.red, pixel.green, pixel.blue], exact) {
                #expect(abs(Int(value) - exact) <= (isLossless ? 1 : 6))
            }
            #expect(try file.decoded().gamut == .sRGB)
        }
    }
#endif
