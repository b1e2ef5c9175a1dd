#if HEIF && JPEGXL && SVG && GdkPixbuf
    import CJPEGXL
    import CalotypeCodecs
    import Foundation
    import Testing

    @Suite struct JPEGXLTests {
        @Test(arguments: [false, true])
        func `what was written comes back as it looked`(isLossless: Bool) throws {
            for drawn in [try Drawings.gradient(97, 61), try Drawings.veil(80, 50)] {
                let file = try JPEGXLFile(isLossless: isLossless).encoded([drawn])
                let header = try DecoderRegistry.standard.header(of: file)
                #expect(header.format == .jpegXL && header.uprightSize == drawn.size && header.frameCount == 1)
                #expect(header.hasAlpha == drawn.hasAlpha && header.bitsPerSample == 8)
                let decoded = try file.decoded()
                #expect(decoded.size == drawn.size && decoded.worstDistance(to: drawn) <= (isLossless ? 1 : 24))
            }
        }

        @Test(arguments: 1...8)
        func `it comes upright, whatever its orientation`(orientation: Int) throws {
            let drawn = try Drawings.quarters(40, 24)
            let file = try JPEGXLFile(isLossless: true, orientation: orientation).encoded([drawn])
            let expected = try drawn.upright(from: orientation)
            #expect(try DecoderRegistry.standard.header(of: file).uprightSize == expected.size)
            #expect(try file.decoded().worstDistance(to: expected) == 0)
        }

        @Test func `a thumbnail has the size asked for`() throws {
            let file = try JPEGXLFile().encoded([Drawings.gradient(300, 200)])
            #expect(try file.decoded(ResizeTarget(width: 30)).size == PixelSize(width: 30, height: 20))
        }

        @Test func `colors of another space come out in sRGB`() throws {
            let gray = try Drawings.plain(16, 16, (128, 128, 128, 255))
            // Half of the linear light is 188 in sRGB.
            let file = try JPEGXLFile(isLossless: true, isLinear: true).encoded([gray])
            #expect(abs(Int(try file.decoded().pixel(8, 8).red) - 188) <= 2)
        }

        @Test func `an animation shows its first frame, and its header counts frames and time`() throws {
            let frames = [try Drawings.quarters(40, 24), try Drawings.gradient(40, 24), try Drawings.gradient(40, 24)]
            let file = try JPEGXLFile(isLossless: true, milliseconds: 250).encoded(frames)
            let header = try DecoderRegistry.standard.header(of: file)
            #expect(header.frameCount == 3 && header.duration == .milliseconds(750))
            #expect(try file.decoded().worstDistance(to: frames[0]) == 0)
        }

        @Test func `a file that is cut short or flipped is a typed error or an image of its size`() throws {
            try Damage.check(JPEGXLFile().encoded([Drawings.noise(48, 40)]))
        }

        @Test func `limits hold before a pixel is decoded`() throws {
            var limits = DecodeLimits()
            limits.maxPixels = 1000
            let file = try JPEGXLFile().encoded([Drawings.gradient(64, 64)])
            let error = #expect(throws: CodecError.self) { try file.decoded(limits: limits) }
            #expect(error?.code == .tooLarge)
        }

        @Test func `requests ask for it`() {
            #expect(DecoderRegistry.standard.acceptField.contains("image/jxl"))
        }
    }

    /// Files from libjxl.
    struct JPEGXLFile {
        var isLossless = false
        var orientation = 1
        var isLinear = false
        /// The duration of each frame of an animation.
        var milliseconds: UInt32?

        func encoded(_ bitmaps: [Bitmap]) throws -> Data {
            let encoder = try #require(JxlEncoderCreate(nil))
            defer { JxlEncoderDestroy(encoder) }
            var info = JxlBasicInfo()
            JxlEncoderInitBasicInfo(&info)
            let hasAlpha = bitmaps[0].hasAlpha
            (info.xsize, info.ysize) = (UInt32(bitmaps[0].width), UInt32(bitmaps[0].height))
            (info.bits_per_sample, info.alpha_bits) = (8, hasAlpha ? 8 : 0)
            info.num_extra_channels = hasAlpha ? 1 : 0
            info.uses_original_profile = isLossless ? 1 : 0
            info.orientation = JxlOrientation(UInt32(orientation))
            if milliseconds != nil {
                info.have_animation = 1
                (info.animation.tps_numerator, info.animation.tps_denominator) = (1000, 1)
            }
            try #require(JxlEncoderSetBasicInfo(encoder, &info) == JXL_ENC_SUCCESS)
            var colors = JxlColorEncoding()
            if isLinear { JxlColorEncodingSetToLinearSRGB(&colors, 0) } else { JxlColorEncodingSetToSRGB(&colors, 0) }
            try #require(JxlEncoderSetColorEncoding(encoder, &colors) == JXL_ENC_SUCCESS)
            for bitmap in bitmaps { try add(bitmap, to: encoder) }
            JxlEncoderCloseInput(encoder)
            var file = Data(count: 1 << 20)
            let written = file.withUnsafeMutableBytes { bytes in
                var next = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
                var left = bytes.count
                return JxlEncoderProcessOutput(encoder, &next, &left) == JXL_ENC_SUCCESS ? bytes.count - left : 0
            }
            try #require(written > 0)
            return file.prefix(written)
        }

        private func add(_ bitmap: Bitmap, to encoder: OpaquePointer) throws {
            let settings = try #require(JxlEncoderFrameSettingsCreate(encoder, nil))
            if isLossless { JxlEncoderSetFrameLossless(settings, 1) }
            if let milliseconds {
                var frame = JxlFrameHeader()
                JxlEncoderInitFrameHeader(&frame)
                frame.duration = milliseconds
                JxlEncoderSetFrameHeader(settings, &frame)
            }
            var format = JxlPixelFormat(
                num_channels: bitmap.hasAlpha ? 4 : 3, data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN,
                align: 0)
            let bytes = bitmap.straightRGBA(hasAlpha: bitmap.hasAlpha)
            try #require(JxlEncoderAddImageFrame(settings, &format, bytes, bytes.count) == JXL_ENC_SUCCESS)
        }
    }
#endif
