#if JPEGXL
    import CJPEGXL
    import Foundation

    struct JPEGXLReader: ~Copyable {
        private let decoder: OpaquePointer

        /// - Parameter file: The file. It must stay at its address for the lifetime of the reader.
        init(_ file: UnsafeRawBufferPointer) throws(CodecError) {
            guard let decoder = JxlDecoderCreate(nil) else {
                throw CodecError(.tooLarge, "no memory for a JPEG XL decoder")
            }
            let start = file.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard JxlDecoderSetInput(decoder, start, file.count) == JXL_DEC_SUCCESS else {
                JxlDecoderDestroy(decoder)
                throw Self.damaged
            }
            JxlDecoderCloseInput(decoder)
            self.decoder = decoder
        }

        deinit { JxlDecoderDestroy(decoder) }

        /// Reads the header without decoding pixels. For an animation, skips through all frames to count them.
        func header() throws(CodecError) -> ImageHeader {
            try subscribe(JXL_DEC_BASIC_INFO, JXL_DEC_FRAME)
            try advance(to: JXL_DEC_BASIC_INFO)
            let info = try basicInfo()
            var header = Self.header(info)
            // Look for frames only in an animation: a still image contains only pixels after this point.
            if info.have_animation != 0 { (header.frameCount, header.duration) = try frames(info.animation) }
            return header
        }

        private func frames(_ animation: JxlAnimationHeader) throws(CodecError) -> (count: Int, duration: Duration) {
            var (count, duration) = (0, Duration.zero)
            while true {
                let event = JxlDecoderProcessInput(decoder)
                if event == JXL_DEC_FRAME {
                    count += 1
                    duration += try frameDuration(animation)
                } else if event == JXL_DEC_SUCCESS {
                    return (max(count, 1), duration)
                } else {
                    // An incomplete frame does not count; without a complete first frame, the file is damaged.
                    guard count > 1 else { throw Self.damaged }
                    return (count - 1, duration)
                }
            }
        }

        /// Decodes the first frame to premultiplied BGRA, and returns the conversion of its colors to sRGB.
        func decodeFirstFrame(_ header: ImageHeader) throws(CodecError) -> (Bitmap, ColorConversion?) {
            try subscribe(JXL_DEC_BASIC_INFO, JXL_DEC_COLOR_ENCODING, JXL_DEC_FULL_IMAGE)
            JxlDecoderSetUnpremultiplyAlpha(decoder, 1)
            try advance(to: JXL_DEC_BASIC_INFO)
            let info = try basicInfo()
            guard Self.header(info).stored == header.stored else { throw Self.damaged }
            try advance(to: JXL_DEC_COLOR_ENCODING)
            let colors = conversion(info)
            try advance(to: JXL_DEC_NEED_IMAGE_OUT_BUFFER)
            let bitmap = try Bitmap(header.stored, hasAlpha: header.hasAlpha) { (pixels, stride) throws(CodecError) in
                var format = JxlPixelFormat(
                    num_channels: 4, data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN, align: 0)
                try check(JxlDecoderSetImageOutBuffer(decoder, &format, pixels.baseAddress, pixels.count))
                try advance(to: JXL_DEC_FULL_IMAGE)
                PixelRows(pixels, size: header.stored, stride: stride).forEachRow { $0.premultiplyRGBA() }
            }
            return (bitmap, colors)
        }

        /// Returns the JPEG that the file was made of.
        ///
        /// - Throws: `unsupported` if it was made of none.
        func jpeg(atMost limit: Int) throws(CodecError) -> Data {
            try subscribe(JXL_DEC_JPEG_RECONSTRUCTION, JXL_DEC_FULL_IMAGE)
            guard JxlDecoderProcessInput(decoder) == JXL_DEC_JPEG_RECONSTRUCTION else {
                throw CodecError(.unsupported, "JPEG XL that was no JPEG before")
            }
            var jpeg = Data(count: limit)
            let left: Int? = jpeg.withUnsafeMutableBytes { bytes in
                let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
                guard JxlDecoderSetJPEGBuffer(decoder, start, bytes.count) == JXL_DEC_SUCCESS,
                    JxlDecoderProcessInput(decoder) == JXL_DEC_FULL_IMAGE
                else { return nil }
                return JxlDecoderReleaseJPEGBuffer(decoder)
            }
            guard let left else { throw Self.damaged }
            return jpeg.prefix(limit - left)
        }

        private func subscribe(_ events: JxlDecoderStatus...) throws(CodecError) {
            let mask = events.reduce(0) { $0 | Int32(bitPattern: $1.rawValue) }
            try check(JxlDecoderSubscribeEvents(decoder, mask))
        }

        private func advance(to event: JxlDecoderStatus) throws(CodecError) {
            guard JxlDecoderProcessInput(decoder) == event else { throw Self.damaged }
        }

        private func check(_ status: JxlDecoderStatus) throws(CodecError) {
            if status != JXL_DEC_SUCCESS { throw Self.damaged }
        }

        private static let damaged = CodecError(.damaged, "JPEG XL is damaged or cut short")

        private func basicInfo() throws(CodecError) -> JxlBasicInfo {
            var info = JxlBasicInfo()
            try check(JxlDecoderGetBasicInfo(decoder, &info))
            return info
        }

        /// Converts libjxl's header. Its size and the decoded pixels are already upright.
        private static func header(_ info: JxlBasicInfo) -> ImageHeader {
            ImageHeader(
                format: .jpegXL, width: Int(info.xsize), height: Int(info.ysize), hasAlpha: info.alpha_bits > 0,
                samplesPerPixel: Double(info.num_color_channels) + Double(info.num_extra_channels),
                bitsPerSample: Int(info.bits_per_sample))
        }

        private func frameDuration(_ animation: JxlAnimationHeader) throws(CodecError) -> Duration {
            var frame = JxlFrameHeader()
            try check(JxlDecoderGetFrameHeader(decoder, &frame))
            let ticks = Double(frame.duration) * 1000 * Double(animation.tps_denominator)
            let milliseconds = ticks / Double(max(animation.tps_numerator, 1))
            return ImageHeader.shownDuration(milliseconds: milliseconds < 1e9 ? Int(milliseconds) : 1_000_000_000)
        }

        /// Returns the conversion to sRGB. Returns `nil` if libjxl itself converts the pixels, as for XYB images, or if
        /// the pixels are treated as sRGB: the profile is sRGB, does not suit them, is unreadable, or exceeds 16 MiB.
        private func conversion(_ info: JxlBasicInfo) -> ColorConversion? {
            let isGray = info.num_color_channels == 1
            if info.uses_original_profile == 0 {
                var encoding = JxlColorEncoding()
                JxlColorEncodingSetToSRGB(&encoding, isGray ? 1 : 0)
                if JxlDecoderSetPreferredColorProfile(decoder, &encoding) == JXL_DEC_SUCCESS { return nil }
            }
            var size = 0
            guard calotype_jxl_profile_size(decoder, &size) == JXL_DEC_SUCCESS, size <= 16 << 20 else { return nil }
            var profile = [UInt8](repeating: 0, count: size)
            let status = calotype_jxl_profile(decoder, &profile, size)
            return status == JXL_DEC_SUCCESS ? .rgb(ColorProfile(profile), isGray: isGray) : nil
        }
    }
#endif
