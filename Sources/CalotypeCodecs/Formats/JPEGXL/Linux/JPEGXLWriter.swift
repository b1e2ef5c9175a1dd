#if JPEGXL
    import CJPEGXL
    import Foundation

    /// libjxl's encoder of one file.
    struct JPEGXLWriter: ~Copyable {
        private let encoder: OpaquePointer

        init() throws(CodecError) {
            guard let encoder = JxlEncoderCreate(nil) else {
                throw CodecError(.encodingFailed, "no memory for a JPEG XL encoder")
            }
            self.encoder = encoder
        }

        deinit { JxlEncoderDestroy(encoder) }

        /// Declares size, channels and colors of the image.
        func start(_ bitmap: Bitmap, isLossless: Bool) throws(CodecError) {
            var info = JxlBasicInfo()
            JxlEncoderInitBasicInfo(&info)
            (info.xsize, info.ysize) = (UInt32(clamping: bitmap.width), UInt32(clamping: bitmap.height))
            (info.bits_per_sample, info.num_color_channels) = (8, 3)
            (info.alpha_bits, info.num_extra_channels) = bitmap.hasAlpha ? (8, 1) : (0, 0)
            info.uses_original_profile = isLossless ? JXL_TRUE : JXL_FALSE
            try check(JxlEncoderSetBasicInfo(encoder, &info), "an image of \(bitmap.size) pixels")
            var colors = JxlColorEncoding()
            JxlColorEncodingSetToSRGB(&colors, JXL_FALSE)
            if bitmap.gamut == .displayP3 { colors.primaries = JXL_PRIMARIES_P3 }
            try check(JxlEncoderSetColorEncoding(encoder, &colors), "the colors")
        }

        /// Adds an EXIF block. Readers ignore its orientation: JPEG XL has its own.
        func add(_ exif: EXIFBlock) throws(CodecError) {
            try check(JxlEncoderUseBoxes(encoder), "the metadata")
            // The box begins with the place of the block in it (ISO/IEC 18181-2, section 9.5).
            let content = Data(count: 4) + exif.bytes
            let status = content.reading { bytes in
                JxlEncoderAddBox(
                    encoder, "Exif", bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, JXL_FALSE)
            }
            JxlEncoderCloseBoxes(encoder)
            try check(status, "the metadata")
        }

        /// Adds the pixels.
        ///
        /// - Parameter distance: The difference that is allowed; 0 for a lossless image.
        func add(_ bitmap: Bitmap, distance: Float, effort: Int) throws(CodecError) {
            let settings = try settings()
            try check(
                JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, numericCast(effort)),
                "an effort of \(effort)")
            try check(
                distance > 0
                    ? JxlEncoderSetFrameDistance(settings, distance) : JxlEncoderSetFrameLossless(settings, JXL_TRUE),
                "a distance of \(distance)")
            let channels = bitmap.hasAlpha ? 4 : 3
            var format = JxlPixelFormat(
                num_channels: UInt32(channels), data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN, align: 0)
            let pixels = straightPixels(of: bitmap, channels: channels)
            try check(JxlEncoderAddImageFrame(settings, &format, pixels, pixels.count), "the pixels")
        }

        /// Adds a JPEG as it is, so that a reader can make the same bytes again.
        func add(jpeg: Data) throws(CodecError) {
            try check(JxlEncoderStoreJPEGMetadata(encoder, JXL_TRUE), "the JPEG")
            let settings = try settings()
            let status = jpeg.reading { bytes in
                JxlEncoderAddJPEGFrame(
                    settings, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
            }
            guard status == JXL_ENC_SUCCESS else {
                throw CodecError(.unsupported, "JPEG XL cannot store this JPEG: it is damaged or of a rare kind")
            }
        }

        private func settings() throws(CodecError) -> OpaquePointer {
            guard let settings = JxlEncoderFrameSettingsCreate(encoder, nil) else {
                throw CodecError(.encodingFailed, "no memory for a JPEG XL encoder")
            }
            return settings
        }

        /// Returns red, green, blue and, for four channels, alpha of each pixel, not premultiplied.
        private func straightPixels(of bitmap: Bitmap, channels: Int) -> [UInt8] {
            let straight = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: bitmap.width)
            defer { straight.deallocate() }
            return [UInt8](unsafeUninitializedCapacity: bitmap.width * bitmap.height * channels) { bytes, count in
                bitmap.withUnsafeBytes { pixels in
                    for y in 0..<bitmap.height {
                        UnsafeRawBufferPointer(rebasing: pixels[(y * bitmap.stride)...].prefix(4 * bitmap.width))
                            .assumingMemoryBound(to: UInt32.self).unpremultiply(into: straight)
                        for pixel in straight {
                            bytes[count] = UInt8(truncatingIfNeeded: pixel >> 16)
                            bytes[count + 1] = UInt8(truncatingIfNeeded: pixel >> 8)
                            bytes[count + 2] = UInt8(truncatingIfNeeded: pixel)
                            if channels == 4 { bytes[count + 3] = UInt8(truncatingIfNeeded: pixel >> 24) }
                            count += channels
                        }
                    }
                }
            }
        }

        /// Returns the whole file.
        func finish() throws(CodecError) -> Data {
            JxlEncoderCloseInput(encoder)
            var file = Data(count: 1 << 16)
            var written = 0
            while true {
                let (status, count) = file.withUnsafeMutableBytes { bytes in
                    var next = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self).advanced(by: written)
                    var left = bytes.count - written
                    return (JxlEncoderProcessOutput(encoder, &next, &left), bytes.count - written - left)
                }
                written += count
                guard status == JXL_ENC_NEED_MORE_OUTPUT else {
                    try check(status, "the file")
                    return file.prefix(written)
                }
                file.count *= 2
            }
        }

        private func check(_ status: JxlEncoderStatus, _ what: String) throws(CodecError) {
            guard status != JXL_ENC_SUCCESS else { return }
            throw CodecError(
                .encodingFailed, "JPEG XL: libjxl refuses \(what) (error \(JxlEncoderGetError(encoder).rawValue))")
        }
    }
#endif
