#if HEIF && JPEGXL && SVG && TIFF
    import CalotypeCodecs
    import Foundation
    import Testing

    @Suite struct TIFFTests {
        @Test func `every pixel is as it was written`() throws {
            let drawn = try Drawings.quarters(40, 24)
            let file = PlainTIFF.encoded(drawn)
            let header = try DecoderRegistry.standard.header(of: file)
            #expect(header.format.rawValue == "tiff" && header.uprightSize == PixelSize(width: 40, height: 24))
            #expect(try file.decoded().worstDistance(to: drawn) == 0)
            #expect(try file.decoded(ResizeTarget(width: 20)).size == PixelSize(width: 20, height: 12))
        }

        @Test(arguments: 1...8)
        func `a TIFF comes upright`(orientation: Int) throws {
            let drawn = try Drawings.quarters(40, 24)
            let expected = try drawn.upright(from: orientation)
            let file = PlainTIFF.encoded(drawn, orientation: orientation)
            #expect(try DecoderRegistry.standard.header(of: file).uprightSize == expected.size)
            #expect(try file.decoded().worstDistance(to: expected) == 0)
        }

        @Test func `a file that is cut short or flipped is a typed error or an image of its size`() throws {
            try Damage.check(PlainTIFF.encoded(try Drawings.quarters(40, 24)))
        }

        @Test func `limits hold before a pixel is decoded`() throws {
            var limits = DecodeLimits()
            limits.maxPixels = 900
            let file = PlainTIFF.encoded(try Drawings.quarters(40, 24))
            let error = #expect(throws: CodecError.self) { try file.decoded(limits: limits) }
            #expect(error?.code == .tooLarge)
        }

        @Test func `a header's numbers that overflow when they are multiplied are refused`() throws {
            var tiff = PlainTIFF.encoded(try Drawings.quarters(8, 8))
            let tags = tiff.count - 10 - 12 * 10
            for tag in 0..<2 {
                tiff.replaceSubrange(tags + 12 * tag + 8..<tags + 12 * tag + 12, with: [255, 255, 255, 255])
            }
            let error = #expect(throws: CodecError.self) { try tiff.decoded() }
            #expect([.tooLarge, .damaged].contains(error?.code), "\(error?.message ?? "")")
        }

        @Test func `alpha is multiplied once`() throws {
            let plain = try Drawings.drawn(4, 4, hasAlpha: true) { _, _ in (200, 100, 50, 128) }
            let decoded = try PlainTIFF.encoded(plain, hasAlpha: true).decoded()
            #expect(decoded.hasAlpha && decoded.worstDistance(to: plain) <= 1)
            let veil = try Drawings.veil(40, 24)
            #expect(try PlainTIFF.encoded(veil, hasAlpha: true).decoded().worstDistance(to: veil) <= 1)
        }

        @Test func `an opaque one says so in its header and in its pixels`() throws {
            let file = PlainTIFF.encoded(try Drawings.quarters(8, 8))
            #expect(try !DecoderRegistry.standard.header(of: file).hasAlpha && !file.decoded().hasAlpha)
        }

        @Test func `no color exceeds its alpha, though the file says that they are multiplied already`() throws {
            var file = PlainTIFF.encoded(
                try Drawings.drawn(4, 4, hasAlpha: true) { _, _ in (255, 255, 255, 8) }, hasAlpha: true)
            let extra = try #require(file.range(of: PlainTIFF.little((338, 2), (3, 2), (1, 4), (2, 4))))
            file[extra.lowerBound + 8] = 1
            #expect(try file.decoded().pixel(1, 1) == (8, 8, 8, 8))
        }

        @Test func `a BigTIFF is read as well, and is damaged where it is cut short`() throws {
            let veil = try Drawings.veil(40, 24)
            let file = PlainTIFF.encoded(veil, hasAlpha: true, isBig: true)
            #expect(try file.decoded().worstDistance(to: veil) <= 1)
            try Damage.check(file)
        }

        @Test func `a tile that is larger than any image of this size needs is refused before it gets memory`() throws {
            var file = PlainTIFF.encoded(try Drawings.quarters(8, 8))
            // The strip's tags become those of a tile of 60,000 × 60,000 pixels.
            for (old, new, value) in [(273, 324, 8), (278, 322, 60_000), (279, 325, 192), (274, 323, 60_000)] {
                let type = old == 274 ? 3 : 4
                let entry = try #require(file.range(of: PlainTIFF.little((old, 2), (type, 2), (1, 4))))
                let changed = PlainTIFF.little((new, 2), (4, 2), (1, 4), (value, 4))
                file.replaceSubrange(entry.lowerBound..<entry.lowerBound + 12, with: changed)
            }
            let error = #expect(throws: CodecError.self) { try file.decoded() }
            #expect([.damaged, .tooLarge].contains(error?.code), "\(error?.message ?? "")")
        }

        @Test func `pixels that libtiff does not know are unsupported`() throws {
            var file = PlainTIFF.encoded(try Drawings.quarters(8, 8))
            let bits = try #require(file.range(of: Data([8, 0, 8, 0, 8, 0]), options: .backwards))
            file.replaceSubrange(bits, with: [32, 0, 32, 0, 32, 0])
            let error = #expect(throws: CodecError.self) { try DecoderRegistry.standard.header(of: file) }
            #expect(error?.code == .unsupported)
        }
    }
#endif
