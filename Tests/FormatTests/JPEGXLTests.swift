#if HEIF && JPEGXL && SVG && TIFF
    import CalotypeCodecs
    import Foundation
    import TestSupport
    import Testing

    @Suite struct JPEGXLTests {
        @Test(arguments: [false, true])
        func `what was written comes back as it looked`(isLossless: Bool) throws {
            for drawn in [try Drawings.gradient(97, 61), try Drawings.veil(80, 50)] {
                let file = try JPEGXLFile.encoded([drawn]) { $0.isLossless = isLossless }
                let header = try DecoderRegistry.standard.header(of: file)
                #expect(header.format == .jpegXL && header.uprightSize == drawn.size && header.frameCount == 1)
                #expect(header.hasAlpha == drawn.hasAlpha && header.bitsPerSample == 8)
                let decoded = try file.decoded()
                #expect(decoded.size == drawn.size && decoded.worstDistance(to: drawn) <= (isLossless ? 1 : 24))
            }
        }

        @Test func `a lossless file has the same pixels, at every small size`() throws {
            for side in 1...40 {
                for drawn in [try Drawings.noise(side, 41 - side), try Drawings.veil(side, 3)] {
                    let decoded = try drawn.encoded(as: .jpegXLLossless).decoded()
                    #expect(decoded.size == drawn.size && decoded.hasAlpha == drawn.hasAlpha)
                    #expect(decoded.worstDistance(to: drawn) == 0, "\(drawn.size)")
                }
            }
        }

        @Test func `a higher quality looks more alike and takes more bytes, and limits hold`() throws {
            let drawn = try Drawings.noise(120, 80)
            let files = try [0, 20, 50, 80, 100].map { try drawn.encoded(as: .jpegXL(quality: $0)) }
            #expect(zip(files, files.dropFirst()).allSatisfy { $0.count < $1.count })
            let distances = try files.map { try $0.decoded().worstDistance(to: drawn) }
            #expect(distances[4] < distances[2] && distances[2] < distances[0], "\(distances)")
            #expect(try drawn.encoded(as: .jpegXL(quality: -5)) == files[0])
            #expect(try drawn.encoded(as: .jpegXL(quality: 500)) == files[4])
            let efforts = try [1, 4, 9].map { try drawn.encoded(as: .jpegXL(effort: $0)) }
            #expect(Set(efforts).count == 3)
            #expect(try drawn.encoded(as: .jpegXL(effort: 0)) == efforts[0])
            #expect(try drawn.encoded(as: .jpegXL(effort: 10)) == efforts[2])
        }

        @Test func `a file keeps the credits of its source, and nothing else`() throws {
            let drawn = try Drawings.gradient(40, 30).declaring(
                credits: ImageCredits(artist: Array("Ada".utf8), copyright: Array("2026".utf8)))
            let file = try EncodingFormat.jpegXL(keepsCredits: true).file(of: drawn)
            #expect(file.range(of: Data("Exif".utf8)) != nil && file.range(of: Data("Ada".utf8)) != nil)
            #expect(try file.decoded().worstDistance(to: drawn) < 24)
            #expect(try EncodingFormat.jpegXL().file(of: drawn).range(of: Data("Ada".utf8)) == nil)
        }

        @Test func `a JPEG is stored in fewer bytes, looks the same, and comes back byte for byte`() throws {
            let drawn = try Drawings.gradient(300, 200).declaring(
                credits: ImageCredits(artist: Array("Ada".utf8), copyright: Array("2026".utf8)))
            let formats: [EncodingFormat] = [
                .jpeg(), .jpeg(quality: 95), .jpeg(quality: 30, keepsCredits: true), .jpeg(isProgressive: true),
                .jpeg(isProgressive: false, keepsColors: true, hasProfile: true),
            ]
            for decoders in [DecoderRegistry.standard, DecoderRegistry.standard.isolated(by: .off)] {
                for format in formats {
                    let jpeg = try format.file(of: drawn)
                    let stored = try decoders.transcoded(jpeg)
                    #expect(try decoders.header(of: stored).format == .jpegXL && stored.count < jpeg.count)
                    #expect(try decoders.transcoded(stored) == jpeg)
                    #expect(try decoders.decode(stored).worstDistance(to: jpeg.decoded()) < 12)
                }
            }
        }

        @Test func `only a JPEG, and what was one, has another form without loss`() throws {
            let drawn = try Drawings.gradient(30, 20)
            for format in [EncodingFormat.png, .webp(), .jpegXL(), .jpegXLLossless] {
                let error = #expect(throws: CodecError.self) {
                    try DecoderRegistry.standard.transcoded(drawn.encoded(as: format))
                }
                #expect(error?.code == .unsupported)
            }
            var limits = DecodeLimits()
            limits.maxPixels = 599
            let jpeg = try drawn.encoded(as: .jpeg())
            let error = #expect(throws: CodecError.self) {
                try DecoderRegistry.standard.transcoded(jpeg, limits: limits)
            }
            #expect(error?.code == .tooLarge)
        }

        @Test func `a damaged JPEG is a typed error, or comes back with its damage`() throws {
            let jpeg = try Drawings.noise(48, 40).encoded(as: .jpeg())
            for broken in Damage.shortened(jpeg) + Damage.flipped(jpeg, 100) { try check(broken) }
            let stored = try Damage.decoders.transcoded(jpeg)
            for broken in Damage.shortened(stored) + Damage.flipped(stored, 100) {
                do throws(CodecError) {
                    _ = try Damage.decoders.transcoded(broken)
                } catch {
                    #expect(Self.codes.contains(error.code), "\(error)")
                }
            }
        }

        private static let codes: [CodecError.Code] = [.damaged, .unsupported, .tooLarge, .notAnImage, .encodingFailed]

        private func check(_ jpeg: Data) throws {
            let stored: Data
            do throws(CodecError) {
                stored = try Damage.decoders.transcoded(jpeg)
            } catch {
                return #expect(Self.codes.contains(error.code), "\(error)")
            }
            #expect(try Damage.decoders.transcoded(stored) == jpeg)
        }

        @Test(arguments: 1...8)
        func `it comes upright, whatever its orientation`(orientation: Int) throws {
            let drawn = try Drawings.quarters(40, 24)
            let file = try JPEGXLFile.encoded([drawn]) { ($0.isLossless, $0.orientation) = (true, orientation) }
            let expected = try drawn.upright(from: orientation)
            #expect(try DecoderRegistry.standard.header(of: file).uprightSize == expected.size)
            #expect(try file.decoded().worstDistance(to: expected) == 0)
        }

        @Test func `inks are not supported, because their black would be left out`() throws {
            let file = try JPEGXLFile.encoded([Drawings.gradient(30, 20)]) { $0.hasBlack = true }
            let error = #expect(throws: CodecError.self) { try file.decoded() }
            #expect(error?.code == .unsupported)
        }

        @Test func `a thumbnail has the size asked for`() throws {
            let file = try JPEGXLFile.encoded([Drawings.gradient(300, 200)])
            #expect(try file.decoded(ResizeTarget(width: 30)).size == PixelSize(width: 30, height: 20))
        }

        @Test func `colors of another space come out in sRGB`() throws {
            let gray = try Drawings.plain(16, 16, (128, 128, 128, 255))
            // Half of the linear light is 188 in sRGB.
            let file = try JPEGXLFile.encoded([gray]) { ($0.isLossless, $0.isLinear) = (true, true) }
            #expect(abs(Int(try file.decoded().pixel(8, 8).red) - 188) <= 2)
        }

        @Test func `a file that is cut short or flipped is a typed error or an image of its size`() throws {
            try Damage.check(JPEGXLFile.encoded([Drawings.noise(48, 40)]))
        }

        @Test func `limits hold before a pixel is decoded`() throws {
            var limits = DecodeLimits()
            limits.maxPixels = 1000
            let file = try JPEGXLFile.encoded([Drawings.gradient(64, 64)])
            let error = #expect(throws: CodecError.self) { try file.decoded(limits: limits) }
            #expect(error?.code == .tooLarge)
        }

        @Test func `requests ask for it`() {
            #expect(DecoderRegistry.standard.acceptField.contains("image/jxl"))
        }
    }

    extension JPEGXLFile {
        /// Creates a file of the size and transparency of its first bitmap.
        static func encoded(
            _ bitmaps: [Bitmap], _ change: (inout JPEGXLFile) -> Void = { _ in }
        ) throws -> Data {
            var file = JPEGXLFile(width: bitmaps[0].width, height: bitmaps[0].height)
            file.hasAlpha = bitmaps[0].hasAlpha
            change(&file)
            return try file.encoded(bitmaps.map { Frame($0.straightRGBA(hasAlpha: file.hasAlpha)) })
        }
    }
#endif
