#if HEIF && JPEGXL && SVG && TIFF
    import CHEIF
    import CalotypeCodecs
    import Foundation
    import Testing

    @Suite struct HEIFTests {
        @Test func `the written file comes back as it looked, with its transparency`() throws {
            for drawn in [try Drawings.gradient(96, 64), try Drawings.veil(80, 64)] {
                let file = try HEIFFile.encoded(drawn)
                let header = try DecoderRegistry.standard.header(of: file)
                #expect(header.format == .heic && header.uprightSize == drawn.size && header.hasAlpha == drawn.hasAlpha)
                let decoded = try file.decoded()
                #expect(decoded.size == drawn.size && decoded.worstDistance(to: drawn) <= 24)
            }
        }

        @Test func `10 bits in PQ are mapped before they are rounded to 8`() throws {
            let bitmap = try HEIFFile.ramp(transfer: heif_transfer_characteristic_ITU_R_BT_2100_0_PQ).decoded()
            let levels = (0..<bitmap.width).map { Int(bitmap.pixel($0, 8).green) }
            #expect(Set(levels).count > 190, "\(Set(levels).count)")
            #expect(levels[0] <= 1 && levels[1023] == 255 && !bitmap.hasAlpha)
        }

        @Test func `a thumbnail has the size asked for`() throws {
            let file = try HEIFFile.encoded(Drawings.gradient(300, 200))
            #expect(try file.decoded(ResizeTarget(width: 30)).size == PixelSize(width: 30, height: 20))
        }

        @Test func `a file that is cut short or flipped is a typed error or an image of its size`() throws {
            try Damage.check(HEIFFile.encoded(Drawings.noise(64, 64)))
        }

        @Test func `an item that says it is longer than the file, or lies beyond it, is an error`() throws {
            let file = try HEIFFile.encoded(Drawings.gradient(64, 64))
            let place = try #require(file.range(of: Data("iloc".utf8))).upperBound
            var errors = 0
            for offset in 8..<40 {
                var broken = file
                for byte in 0..<4 where place + offset + byte < file.count { broken[place + offset + byte] = 0x7F }
                do {
                    _ = try broken.decoded()
                } catch {
                    #expect([.damaged, .unsupported, .tooLarge].contains(error.code), "\(error)")
                    errors += 1
                }
            }
            #expect(errors > 8)
        }

        @Test(arguments: ["dimg", "auxl"])
        func `an image that is made of itself is damage`(type: String) throws {
            let file = try Self.adding([Self.box(type, Self.bytes([1, 1, 1]))])
            let error = #expect(throws: CodecError.self) { try DecoderRegistry.standard.header(of: file) }
            #expect(error?.code == .damaged && error?.message.contains("made of itself") == true)
        }

        @Test func `two images that are made of each other are damage`() throws {
            let file = try Self.adding([
                Self.box("dimg", Self.bytes([1, 1, 2])), Self.box("dimg", Self.bytes([2, 1, 1])),
            ])
            let error = #expect(throws: CodecError.self) { try DecoderRegistry.standard.header(of: file) }
            #expect(error?.code == .damaged)
        }

        @Test func `overlays of overlays that make millions of decodes are too large`() throws {
            // Each of seven levels shows the one below it 16 times.
            let references = (1..<8).map { level in
                Self.box("dimg", Self.bytes([UInt16(level), 16] + [UInt16](repeating: UInt16(level + 1), count: 16)))
            }
            let error = #expect(throws: CodecError.self) {
                try DecoderRegistry.standard.header(of: Self.adding(references))
            }
            #expect(error?.code == .tooLarge)
        }

        /// Returns a file with these references.
        private static func adding(_ references: [Data]) throws -> Data {
            let list = box("iref", Data([0, 0, 0, 0]) + references.joined())
            return box("ftyp", Data("heic\0\0\0\0mif1heic".utf8)) + box("meta", Data([0, 0, 0, 0]) + list)
        }

        private static func box(_ type: String, _ content: Data) -> Data {
            let size = UInt32(8 + content.count)
            return Data([UInt8(size >> 24), UInt8(size >> 16 & 255), UInt8(size >> 8 & 255), UInt8(size & 255)])
                + Data(type.utf8) + content
        }

        private static func bytes(_ numbers: [UInt16]) -> Data {
            Data(numbers.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] })
        }

        @Test func `limits hold before a pixel is decoded`() throws {
            var limits = DecodeLimits()
            limits.maxPixels = 1000
            let file = try HEIFFile.encoded(Drawings.gradient(64, 64))
            let error = #expect(throws: CodecError.self) { try file.decoded(limits: limits) }
            #expect(error?.code == .tooLarge)
        }

        @Test func `requests ask for it`() {
            #expect(DecoderRegistry.standard.acceptField.contains("image/heic"))
        }
    }
#endif
