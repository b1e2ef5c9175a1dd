#if JPEGXL
    import CJPEGXL
    import Foundation

    extension JPEGXLReader {
        /// Starts before the first frame, and returns the conversion of the frames' colors to sRGB.
        ///
        /// - Parameters:
        ///   - gamut: The widest gamut that the result may have. The default is sRGB.
        ///   - events: The events besides those that decode frames.
        func start(
            _ header: ImageHeader, within gamut: ColorGamut = .sRGB, _ events: JxlDecoderStatus...
        ) throws(CodecError) -> ColorConversion? {
            try subscribe([JXL_DEC_BASIC_INFO, JXL_DEC_COLOR_ENCODING, JXL_DEC_FULL_IMAGE] + events)
            JxlDecoderSetUnpremultiplyAlpha(decoder, 1)
            try advance(to: JXL_DEC_BASIC_INFO)
            let info = try basicInfo()
            guard Self.header(info).stored == header.stored else { throw Self.damaged }
            try advance(to: JXL_DEC_COLOR_ENCODING)
            return conversion(info, within: gamut)
        }

        /// Decodes the next frame, with all layers below it, to premultiplied BGRA.
        func frame(_ header: ImageHeader) throws(CodecError) -> Bitmap {
            try advance(to: JXL_DEC_NEED_IMAGE_OUT_BUFFER)
            return try bitmap(header) { () throws(CodecError) in try advance(to: JXL_DEC_FULL_IMAGE) }
        }

        /// Returns the pixels that libjxl writes during `decode`.
        func bitmap(_ header: ImageHeader, _ decode: () throws(CodecError) -> Void) throws(CodecError) -> Bitmap {
            try Bitmap(header.stored, hasAlpha: header.hasAlpha) { (pixels, stride) throws(CodecError) in
                var format = JxlPixelFormat(
                    num_channels: 4, data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN, align: 0)
                try check(JxlDecoderSetImageOutBuffer(decoder, &format, pixels.baseAddress, pixels.count))
                try decode()
                PixelRows(pixels, size: header.stored, stride: stride).forEachRow { $0.premultiplyRGBA() }
            }
        }

        /// Decodes the samples of the next frame, with all layers below it, to straight RGBA with 16 bits.
        func deepFrame(_ header: ImageHeader) throws(CodecError) -> DeepPixels {
            try advance(to: JXL_DEC_NEED_IMAGE_OUT_BUFFER)
            let deep = try DeepPixels(header.stored)
            var format = JxlPixelFormat(
                num_channels: 4, data_type: JXL_TYPE_UINT16, endianness: JXL_NATIVE_ENDIAN, align: 0)
            try check(
                JxlDecoderSetImageOutBuffer(
                    decoder, &format, deep.row(0).baseAddress, DeepPixels.bytes(header.stored)))
            try advance(to: JXL_DEC_FULL_IMAGE)
            return deep
        }

        /// Whether the reader has failed because the file ends.
        var isCutShort: Bool { JxlDecoderProcessInput(decoder) == JXL_DEC_NEED_MORE_INPUT }

        /// Returns before the first frame of the file, which must be fed again. Remembers which frames depend on others.
        func rewind() { JxlDecoderRewind(decoder) }

        /// Goes past this many frames. Decodes those on which later ones may depend.
        func skip(_ frames: Int) { if frames > 0 { JxlDecoderSkipFrames(decoder, frames) } }

        /// Reads the durations of the frames without decoding pixels, and the number of times that they play.
        ///
        /// Reads up to `limit` frames, and stops at the first incomplete one. A last frame that is cut short counts,
        /// because libjxl looks for its end only when it decodes it.
        func frameIndex(limit: Int) throws(CodecError) -> (durations: [Duration], loopCount: Int?) {
            try subscribe([JXL_DEC_BASIC_INFO, JXL_DEC_FRAME])
            try advance(to: JXL_DEC_BASIC_INFO)
            let animation = try basicInfo().animation
            let loopCount = animation.num_loops == 0 ? nil : Int(animation.num_loops)
            var durations: [Duration] = []
            while durations.count < limit {
                let event = JxlDecoderProcessInput(decoder)
                if event == JXL_DEC_FRAME {
                    durations.append(try frameDuration(animation))
                } else if event == JXL_DEC_SUCCESS {
                    break
                } else {
                    // Without a complete first frame, the file is damaged.
                    guard durations.count > 1 else { throw Self.damaged }
                    durations.removeLast()
                    break
                }
            }
            return (durations, loopCount)
        }

        private func frameDuration(_ animation: JxlAnimationHeader) throws(CodecError) -> Duration {
            var frame = JxlFrameHeader()
            try check(JxlDecoderGetFrameHeader(decoder, &frame))
            let ticks = Double(frame.duration) * Double(animation.tps_denominator)
            // Limit to one day, which is longer than any real frame: a page of a document has 2^32 - 1 ticks.
            let seconds = min(ticks / Double(max(animation.tps_numerator, 1)), 86_400)
            return .nanoseconds(Int((seconds * 1e9).rounded()))
        }
    }
#endif
