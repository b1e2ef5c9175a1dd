#if HEIF && JPEGXL && SVG && TIFF
    import CHEIF
    import CalotypeCodecs
    import Foundation
    import Testing

    /// Files from libheif.
    enum HEIFFile {
        static func encoded(
            _ bitmap: Bitmap, _ format: heif_compression_format = heif_compression_HEVC
        ) throws -> Data {
            let chroma = bitmap.hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB
            return try encoded(bitmap.size, chroma, bits: 8, format) { target, stride in
                let channels = bitmap.hasAlpha ? 4 : 3
                let bytes = bitmap.straightRGBA(hasAlpha: bitmap.hasAlpha)
                for y in 0..<bitmap.height {
                    for x in 0..<bitmap.width * channels {
                        target.storeBytes(
                            of: bytes[y * bitmap.width * channels + x], toByteOffset: y * stride + x, as: UInt8.self)
                    }
                }
            }
        }

        /// Returns a file with the green of a bitmap as luma alone.
        ///
        /// - Parameter bits: The bits of a sample, 8 or 10. The default is 8.
        static func encodedGray(_ bitmap: Bitmap, bits: Int32 = 8) throws -> Data {
            let context = try #require(heif_context_alloc())
            defer { heif_context_free(context) }
            var (encoder, image): (OpaquePointer?, OpaquePointer?)
            try #require(
                heif_context_get_encoder_for_format(context, heif_compression_HEVC, &encoder).code == heif_error_Ok)
            defer { heif_encoder_release(encoder) }
            heif_encoder_set_lossy_quality(encoder, 95)
            let (width, height) = (Int32(bitmap.width), Int32(bitmap.height))
            try #require(
                heif_image_create(width, height, heif_colorspace_monochrome, heif_chroma_monochrome, &image).code
                    == heif_error_Ok)
            defer { heif_image_release(image) }
            try #require(heif_image_add_plane(image, heif_channel_Y, width, height, bits).code == heif_error_Ok)
            var stride: Int32 = 0
            let plane = try #require(heif_image_get_plane(image, heif_channel_Y, &stride))
            for y in 0..<bitmap.height {
                for x in 0..<bitmap.width {
                    let (row, value) = (UnsafeMutableRawPointer(plane + y * Int(stride)), bitmap.pixel(x, y).green)
                    if bits > 8 {
                        row.storeBytes(of: UInt16(value) << (bits - 8), toByteOffset: 2 * x, as: UInt16.self)
                    } else {
                        row.storeBytes(of: value, toByteOffset: x, as: UInt8.self)
                    }
                }
            }
            return try written(image, encoder, context)
        }

        /// Returns a gray ramp of 1,024 steps with 10 bits, in BT.2020 with this curve.
        static func ramp(transfer: heif_transfer_characteristics) throws -> Data {
            try deep(PixelSize(width: 1024, height: 16), transfer) { x, _ in UInt16(x) }
        }

        /// Returns a gray image with 10 bits, in BT.2020 with this curve, or in sRGB.
        ///
        /// - Parameter level: Returns the value of a pixel. The lowest 10 bits count.
        static func deep(
            _ size: PixelSize, _ transfer: heif_transfer_characteristics?, _ level: (Int, Int) -> UInt16
        ) throws -> Data {
            try encoded(
                size, heif_chroma_interleaved_RRGGBB_LE, bits: 10, quality: 100, transfer: transfer
            ) { target, stride in
                for y in 0..<size.height {
                    for place in 0..<3 * size.width {
                        let value = level(place / 3, y) & 1023
                        target.storeBytes(of: value, toByteOffset: y * stride + 2 * place, as: UInt16.self)
                    }
                }
            }
        }

        /// Returns whether libheif itself opens the file.
        static func isRead(_ file: Data) -> Bool {
            let context = heif_context_alloc()
            defer { heif_context_free(context) }
            return file.withUnsafeBytes {
                heif_context_read_from_memory(context, $0.baseAddress, $0.count, nil).code == heif_error_Ok
            }
        }

        /// Returns the primary image as libheif itself decodes it, with 8 bits, turned and cropped.
        static func decodedWhole(_ file: Data) throws -> Bitmap {
            let context = try #require(heif_context_alloc())
            defer { heif_context_free(context) }
            let status = file.withUnsafeBytes {
                heif_context_read_from_memory(context, $0.baseAddress, $0.count, nil)
            }
            try #require(status.code == heif_error_Ok)
            var (handle, image): (OpaquePointer?, OpaquePointer?)
            try #require(heif_context_get_primary_image_handle(context, &handle).code == heif_error_Ok)
            defer { heif_image_handle_release(handle) }
            let decoding = heif_decode_image(
                handle, &image, heif_colorspace_RGB, heif_chroma_interleaved_RGBA, nil)
            try #require(decoding.code == heif_error_Ok)
            defer { heif_image_release(image) }
            var stride: Int32 = 0
            let pixels = try #require(heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride))
            let hasAlpha = heif_image_handle_has_alpha_channel(handle) != 0
            let width = Int(heif_image_get_width(image, heif_channel_interleaved))
            let height = Int(heif_image_get_height(image, heif_channel_interleaved))
            return try Drawings.drawn(width, height, hasAlpha: hasAlpha) { x, y in
                let pixel = pixels + y * Int(stride) + 4 * x
                return (pixel[0], pixel[1], pixel[2], pixel[3])
            }
        }

        private static func encoded(
            _ size: PixelSize, _ chroma: heif_chroma, bits: Int32,
            _ format: heif_compression_format = heif_compression_HEVC, quality: Int32 = 95,
            transfer: heif_transfer_characteristics? = nil,
            draw: (_ target: UnsafeMutableRawPointer, _ stride: Int) -> Void
        ) throws -> Data {
            let context = try #require(heif_context_alloc())
            defer { heif_context_free(context) }
            var encoder: OpaquePointer?
            try #require(heif_context_get_encoder_for_format(context, format, &encoder).code == heif_error_Ok)
            defer { heif_encoder_release(encoder) }
            heif_encoder_set_lossy_quality(encoder, quality)
            var image: OpaquePointer?
            let (width, height) = (Int32(size.width), Int32(size.height))
            try #require(
                heif_image_create(width, height, heif_colorspace_RGB, chroma, &image).code == heif_error_Ok)
            defer { heif_image_release(image) }
            try #require(
                heif_image_add_plane(image, heif_channel_interleaved, width, height, bits).code == heif_error_Ok)
            var stride: Int32 = 0
            draw(try #require(heif_image_get_plane(image, heif_channel_interleaved, &stride)), Int(stride))
            if let transfer { try set(transfer, of: image) }
            return try written(image, encoder, context)
        }

        /// Sets the colors to those of BT.2020 with this curve.
        private static func set(_ transfer: heif_transfer_characteristics, of image: OpaquePointer?) throws {
            let colors = try #require(heif_nclx_color_profile_alloc())
            defer { heif_nclx_color_profile_free(colors) }
            colors.pointee.color_primaries = heif_color_primaries_ITU_R_BT_2020_2_and_2100_0
            colors.pointee.transfer_characteristics = transfer
            colors.pointee.matrix_coefficients = heif_matrix_coefficients_ITU_R_BT_2020_2_non_constant_luminance
            colors.pointee.full_range_flag = 1
            try #require(heif_image_set_nclx_color_profile(image, colors).code == heif_error_Ok)
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
