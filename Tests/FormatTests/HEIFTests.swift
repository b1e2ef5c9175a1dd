#if HEIF && JPEGXL && SVG && TIFF
    import CHEIF
    import CalotypeCodecs
    import Foundation
    import Testing

    @Suite struct HEIFTests {
        @Test func `what was written comes back as it looked, with its transparency`() throws {
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

    /// Files from libheif.
    enum HEIFFile {
        static func encoded(_ bitmap: Bitmap) throws -> Data {
            let context = try #require(heif_context_alloc())
            defer { heif_context_free(context) }
            var encoder: OpaquePointer?
            try #require(
                heif_context_get_encoder_for_format(context, heif_compression_HEVC, &encoder).code == heif_error_Ok)
            defer { heif_encoder_release(encoder) }
            heif_encoder_set_lossy_quality(encoder, 95)
            var image: OpaquePointer?
            let chroma = bitmap.hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB
            try #require(
                heif_image_create(Int32(bitmap.width), Int32(bitmap.height), heif_colorspace_RGB, chroma, &image).code
                    == heif_error_Ok)
            defer { heif_image_release(image) }
            try #require(
                heif_image_add_plane(
                    image, heif_channel_interleaved, Int32(bitmap.width), Int32(bitmap.height), 8
                ).code == heif_error_Ok)
            var stride: Int32 = 0
            let target = try #require(heif_image_get_plane(image, heif_channel_interleaved, &stride))
            let channels = bitmap.hasAlpha ? 4 : 3
            let bytes = bitmap.straightRGBA(hasAlpha: bitmap.hasAlpha)
            for y in 0..<bitmap.height {
                for x in 0..<bitmap.width * channels {
                    target[y * Int(stride) + x] = bytes[y * bitmap.width * channels + x]
                }
            }
            return try written(image, encoder, context)
        }

        /// Returns a gray ramp of 1,024 steps with 10 bits, in BT.2020 with this curve.
        static func ramp(transfer: heif_transfer_characteristics) throws -> Data {
            let context = try #require(heif_context_alloc())
            defer { heif_context_free(context) }
            var encoder: OpaquePointer?
            try #require(
                heif_context_get_encoder_for_format(context, heif_compression_HEVC, &encoder).code == heif_error_Ok)
            defer { heif_encoder_release(encoder) }
            heif_encoder_set_lossy_quality(encoder, 100)
            var image: OpaquePointer?
            try #require(
                heif_image_create(1024, 16, heif_colorspace_RGB, heif_chroma_interleaved_RRGGBB_LE, &image).code
                    == heif_error_Ok)
            defer { heif_image_release(image) }
            try #require(heif_image_add_plane(image, heif_channel_interleaved, 1024, 16, 10).code == heif_error_Ok)
            var stride: Int32 = 0
            let target = UnsafeMutableRawPointer(
                try #require(heif_image_get_plane(image, heif_channel_interleaved, &stride)))
            for y in 0..<16 {
                for place in 0..<3 * 1024 {
                    target.storeBytes(of: UInt16(place / 3), toByteOffset: y * Int(stride) + 2 * place, as: UInt16.self)
                }
            }
            let colors = try #require(heif_nclx_color_profile_alloc())
            defer { heif_nclx_color_profile_free(colors) }
            colors.pointee.color_primaries = heif_color_primaries_ITU_R_BT_2020_2_and_2100_0
            colors.pointee.transfer_characteristics = transfer
            colors.pointee.matrix_coefficients = heif_matrix_coefficients_ITU_R_BT_2020_2_non_constant_luminance
            colors.pointee.full_range_flag = 1
            try #require(heif_image_set_nclx_color_profile(image, colors).code == heif_error_Ok)
            return try written(image, encoder, context)
        }

        private static func written(
            _ image: OpaquePointer?, _ encoder: OpaquePointer?, _ context: OpaquePointer
        ) throws -> Data {
            let options = try #require(heif_encoding_options_alloc())
            defer { heif_encoding_options_free(options) }
            options.pointee.macOS_compatibility_workaround_no_nclx_profile = 0
            var handle: OpaquePointer?
            try #require(heif_context_encode_image(context, image, encoder, options, &handle).code == heif_error_Ok)
            defer { heif_image_handle_release(handle) }
            let output = Output()
            var writer = heif_writer(
                writer_api_version: 1,
                write: { _, bytes, count, user in
                    if let bytes, let user {
                        Unmanaged<Output>.fromOpaque(user).takeUnretainedValue().data
                            .append(bytes.assumingMemoryBound(to: UInt8.self), count: count)
                    }
                    return heif_error(code: heif_error_Ok, subcode: heif_suberror_Unspecified, message: nil)
                })
            let status = heif_context_write(context, &writer, Unmanaged.passUnretained(output).toOpaque())
            try #require(status.code == heif_error_Ok)
            return output.data
        }

        private final class Output {
            var data = Data()
        }
    }
#endif
