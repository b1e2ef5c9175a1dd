#if JPEGXL
    import CJPEGXL
    package import Foundation

    /// A JPEG XL file that libjxl writes from the frames that a test draws.
    package struct JPEGXLFile {
        package struct Frame {
            /// Red, green, blue and, in a file with transparency, alpha of each pixel, not premultiplied.
            package var samples: [UInt8]
            /// The duration in ticks; 0 for a layer below the next frame.
            package var ticks: UInt32 = 100
            /// The place of a frame that covers a part of the canvas.
            package var crop: (x: Int32, y: Int32, width: UInt32, height: UInt32)?
            /// Whether transparent pixels let the canvas shine through.
            package var blends = false
            /// Whether the canvas is kept for later frames, which then cover it.
            package var isKept = false

            package init(_ samples: [UInt8]) { self.samples = samples }
        }

        package struct Failure: Error {
            let step: String
        }

        package var width: Int
        package var height: Int
        package var hasAlpha = false
        /// Whether there is a channel of black ink. It is empty, and the colors stay those of light.
        package var hasBlack = false
        package var isLossless = false
        package var orientation = 1
        package var isLinear = false
        /// The bits of a sample, 8 or 16: those of 16 take two bytes, in the machine's order.
        package var bits: UInt32 = 8
        /// The code points of primaries and curve (ITU-T H.273), unless the colors are sRGB or linear.
        package var codePoints: (primaries: UInt32, transfer: UInt32)?
        package var isAnimated = false
        package var ticksPerSecond: (numerator: UInt32, denominator: UInt32) = (1000, 1)
        /// The number of times that the animation plays; 0 repeats forever.
        package var loops: UInt32 = 0
        /// Whether details come in several passes, if libjxl ``writesPasses``.
        package var isProgressive = false
        package static var writesPasses: Bool { JxlEncoderVersion() >= 8000 }
        /// Whether the codestream lies in a box.
        package var isContained = false

        package init(width: Int, height: Int) {
            (self.width, self.height) = (width, height)
        }

        package func encoded(_ frames: [Frame]) throws(Failure) -> Data {
            guard let encoder = JxlEncoderCreate(nil) else { throw Failure(step: "create") }
            defer { JxlEncoderDestroy(encoder) }
            if isContained { try check(JxlEncoderUseContainer(encoder, 1), "container") }
            var info = info
            try check(JxlEncoderSetBasicInfo(encoder, &info), "info")
            if hasBlack {
                var black = JxlExtraChannelInfo()
                JxlEncoderInitExtraChannelInfo(JXL_CHANNEL_BLACK, &black)
                try check(JxlEncoderSetExtraChannelInfo(encoder, 0, &black), "black")
            }
            var colors = JxlColorEncoding()
            if isLinear { JxlColorEncodingSetToLinearSRGB(&colors, 0) } else { JxlColorEncodingSetToSRGB(&colors, 0) }
            if let codePoints {
                colors.primaries = JxlPrimaries(codePoints.primaries)
                colors.transfer_function = JxlTransferFunction(codePoints.transfer)
            }
            try check(JxlEncoderSetColorEncoding(encoder, &colors), "colors")
            for frame in frames { try add(frame, to: encoder) }
            JxlEncoderCloseInput(encoder)
            return try output(of: encoder)
        }

        private var info: JxlBasicInfo {
            var info = JxlBasicInfo()
            JxlEncoderInitBasicInfo(&info)
            (info.xsize, info.ysize) = (UInt32(width), UInt32(height))
            (info.bits_per_sample, info.alpha_bits) = (bits, hasAlpha ? bits : 0)
            info.num_extra_channels = hasAlpha || hasBlack ? 1 : 0
            info.uses_original_profile = isLossless ? 1 : 0
            info.orientation = JxlOrientation(UInt32(orientation))
            if isAnimated {
                info.have_animation = 1
                info.animation.tps_numerator = ticksPerSecond.numerator
                info.animation.tps_denominator = ticksPerSecond.denominator
                info.animation.num_loops = loops
            }
            return info
        }

        private func add(_ frame: Frame, to encoder: OpaquePointer) throws(Failure) {
            guard let settings = JxlEncoderFrameSettingsCreate(encoder, nil) else { throw Failure(step: "settings") }
            if isLossless { try check(JxlEncoderSetFrameLossless(settings, 1), "lossless") }
            if isProgressive {
                try check(
                    JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_PROGRESSIVE_AC, 1), "passes")
            }
            if isAnimated { try describe(frame, settings) }
            var format = JxlPixelFormat(
                num_channels: hasAlpha ? 4 : 3, data_type: bits == 8 ? JXL_TYPE_UINT8 : JXL_TYPE_UINT16,
                endianness: JXL_NATIVE_ENDIAN, align: 0)
            try check(JxlEncoderAddImageFrame(settings, &format, frame.samples, frame.samples.count), "pixels")
            guard hasBlack else { return }
            let ink = [UInt8](repeating: 0, count: width * height * (bits == 8 ? 1 : 2))
            try check(JxlEncoderSetExtraChannelBuffer(settings, &format, ink, ink.count, 0), "ink")
        }

        private func describe(_ frame: Frame, _ settings: OpaquePointer) throws(Failure) {
            var header = JxlFrameHeader()
            JxlEncoderInitFrameHeader(&header)
            header.duration = frame.ticks
            if let crop = frame.crop {
                header.layer_info.have_crop = 1
                (header.layer_info.crop_x0, header.layer_info.crop_y0) = (crop.x, crop.y)
                (header.layer_info.xsize, header.layer_info.ysize) = (crop.width, crop.height)
            }
            // Layers are kept in slot 1, on which those with a part of the canvas build.
            header.layer_info.blend_info.source = 1
            if frame.blends { header.layer_info.blend_info.blendmode = JXL_BLEND_BLEND }
            if frame.isKept { header.layer_info.save_as_reference = 1 }
            try check(JxlEncoderSetFrameHeader(settings, &header), "frame")
            if hasAlpha {
                try check(
                    JxlEncoderSetExtraChannelBlendInfo(settings, 0, &header.layer_info.blend_info), "transparency")
            }
        }

        private func output(of encoder: OpaquePointer) throws(Failure) -> Data {
            var file = Data()
            var part = [UInt8](repeating: 0, count: 1 << 20)
            while true {
                let count = part.count
                let (status, written) = part.withUnsafeMutableBufferPointer { bytes in
                    var (next, left) = (bytes.baseAddress, count)
                    return (JxlEncoderProcessOutput(encoder, &next, &left), count - left)
                }
                file += part.prefix(written)
                if status != JXL_ENC_NEED_MORE_OUTPUT {
                    try check(status, "file")
                    return file
                }
            }
        }

        private func check(_ status: JxlEncoderStatus, _ step: String) throws(Failure) {
            if status != JXL_ENC_SUCCESS { throw Failure(step: step) }
        }
    }

    extension JPEGXLFile {
        /// Returns an animation whose frames have one color each, given as 0xRRGGBB.
        package static func animation(
            width: Int, height: Int, colors: [Int], milliseconds: UInt32 = 100, loops: UInt32 = 0
        ) throws -> Data {
            var file = JPEGXLFile(width: width, height: height)
            (file.isLossless, file.isAnimated, file.loops) = (true, true, loops)
            return try file.encoded(
                colors.map { color in
                    let pixel = [16, 8, 0].map { UInt8(truncatingIfNeeded: color >> $0) }
                    var frame = Frame((0..<width * height).flatMap { _ in pixel })
                    frame.ticks = milliseconds
                    return frame
                })
        }
    }
#endif
