#if JPEGXL
    import CJPEGXL
    import Foundation

    struct JPEGXLReader: ~Copyable {
        let decoder: OpaquePointer

        /// Creates a reader without input.
        init() throws(CodecError) { decoder = try Self.create() }

        /// - Parameter file: The whole file. It must stay at its address for the lifetime of the reader.
        init(_ file: UnsafeRawBufferPointer) throws(CodecError) {
            let decoder = try Self.create()
            let start = file.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard JxlDecoderSetInput(decoder, start, file.count) == JXL_DEC_SUCCESS else {
                JxlDecoderDestroy(decoder)
                throw Self.damaged
            }
            JxlDecoderCloseInput(decoder)
            self.decoder = decoder
        }

        private static func create() throws(CodecError) -> OpaquePointer {
            guard let decoder = JxlDecoderCreate(nil) else {
                throw CodecError(.tooLarge, "no memory for a JPEG XL decoder")
            }
            return decoder
        }

        deinit { JxlDecoderDestroy(decoder) }

        /// Has the reader continue in these bytes, which must stay at their address until ``release()``.
        func feed(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
            let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            try check(JxlDecoderSetInput(decoder, start, bytes.count))
        }

        /// Takes the bytes back. Returns the number of bytes at their end with which the next ones must begin.
        func release() -> Int { JxlDecoderReleaseInput(decoder) }

        /// Reads the header without decoding pixels. Does not count the frames of an animation.
        func header() throws(CodecError) -> ImageHeader {
            try subscribe([JXL_DEC_BASIC_INFO, JXL_DEC_FRAME])
            try advance(to: JXL_DEC_BASIC_INFO)
            let info = try basicInfo()
            var header = Self.header(info)
            // Look for frames only in an animation: a still image contains only pixels after this point.
            if info.have_animation != 0, try hasSecondFrame() { header.frameCount = nil }
            return header
        }

        private func hasSecondFrame() throws(CodecError) -> Bool {
            try advance(to: JXL_DEC_FRAME)
            switch JxlDecoderProcessInput(decoder) {
            case JXL_DEC_FRAME: return true
            case JXL_DEC_SUCCESS: return false
            default: throw Self.damaged
            }
        }

        /// Returns the JPEG that the file was made of.
        ///
        /// - Throws: `unsupported` if it was made of none.
        func jpeg(atMost limit: Int) throws(CodecError) -> Data {
            try subscribe([JXL_DEC_JPEG_RECONSTRUCTION, JXL_DEC_FULL_IMAGE])
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

        func subscribe(_ events: [JxlDecoderStatus]) throws(CodecError) {
            let mask = events.reduce(0) { $0 | Int32(bitPattern: $1.rawValue) }
            try check(JxlDecoderSubscribeEvents(decoder, mask))
        }

        func advance(to event: JxlDecoderStatus) throws(CodecError) {
            guard JxlDecoderProcessInput(decoder) == event else { throw Self.damaged }
        }

        func check(_ status: JxlDecoderStatus) throws(CodecError) {
            if status != JXL_DEC_SUCCESS { throw Self.damaged }
        }

        static let damaged = CodecError(.damaged, "JPEG XL is damaged or cut short")

        /// - Throws: `unsupported` for inks: libjxl would leave out the black.
        func basicInfo() throws(CodecError) -> JxlBasicInfo {
            var info = JxlBasicInfo()
            try check(JxlDecoderGetBasicInfo(decoder, &info))
            for index in 0..<Int(info.num_extra_channels) {
                var channel = JxlExtraChannelInfo()
                try check(JxlDecoderGetExtraChannelInfo(decoder, index, &channel))
                guard channel.type != JXL_CHANNEL_BLACK else {
                    throw CodecError(.unsupported, "JPEG XL in inks (CMYK) is not supported")
                }
            }
            return info
        }

        /// Converts libjxl's header. Its size and the decoded pixels are already upright.
        static func header(_ info: JxlBasicInfo) -> ImageHeader {
            ImageHeader(
                format: .jpegXL, width: Int(info.xsize), height: Int(info.ysize), hasAlpha: info.alpha_bits > 0,
                samplesPerPixel: Double(info.num_color_channels) + Double(info.num_extra_channels),
                bitsPerSample: Int(info.bits_per_sample))
        }

        /// Returns the conversion to sRGB. Returns `nil` if libjxl itself converts the pixels, as for XYB images, or if
        /// the pixels are treated as sRGB: the profile is sRGB, does not suit them, is unreadable, or exceeds 16 MiB.
        ///
        /// - Parameter gamut: The widest gamut that the result may have.
        func conversion(_ info: JxlBasicInfo, within gamut: ColorGamut) -> ColorConversion? {
            let isGray = info.num_color_channels == 1
            let profile = profile
            let conversion = ColorConversion.rgb(profile, isGray: isGray)
            if var colors = profile.flatMap(Self.highRange(of:))?.colors {
                // PQ's own limit is what encoders write that know no other.
                let peak = SourcePeak.valid(Double(info.intensity_target))
                colors.peak = peak.flatMap { $0 < 10_000 ? $0 : nil } ?? colors.peak
                return .coded(colors)
            }
            guard info.uses_original_profile == 0, conversion != nil else { return conversion }
            let wide = isGray ? .sRGB : gamut
            return prefer(wide, isGray: isGray) ? .rgb(wide.colors) : conversion
        }

        /// Returns the code points of a profile of libjxl, if they are of a high dynamic range. Before version 0.8, only the description
        /// that it gives its profiles tells.
        private static func highRange(of profile: ColorProfile) -> CodePoints? {
            if let stated = profile.highRange { return stated }
            let parts = profile.name?.split(separator: "_").map(String.init) ?? []
            guard parts.count == 5, parts[0] == "RGB", parts[1] == "D65",
                let primaries = ["SRG": 1, "202": 9, "DCI": 12][parts[2]],
                let transfer = ["PeQ": 16, "HLG": 18][parts[4]]
            else { return nil }
            return CodePoints(primaries: primaries, transfer: transfer)
        }

        func colorName() throws(CodecError) -> String? {
            try subscribe([JXL_DEC_BASIC_INFO, JXL_DEC_COLOR_ENCODING])
            try advance(to: JXL_DEC_BASIC_INFO)
            try advance(to: JXL_DEC_COLOR_ENCODING)
            guard let profile else { return nil }
            if profile.isSRGB { return "sRGB" }
            return profile.matches(.displayP3) ? "Display P3" : Self.highRange(of: profile)?.name ?? profile.name
        }

        /// The profile of the pixels as libjxl makes them.
        private var profile: ColorProfile? {
            var size = 0
            guard calotype_jxl_profile_size(decoder, &size) == JXL_DEC_SUCCESS, size <= 16 << 20 else { return nil }
            var profile = [UInt8](repeating: 0, count: size)
            let status = calotype_jxl_profile(decoder, &profile, size)
            return status == JXL_DEC_SUCCESS ? ColorProfile(profile) : nil
        }

        /// Has libjxl convert the pixels of an XYB image to a gamut. Returns `false` if it cannot.
        private func prefer(_ gamut: ColorGamut, isGray: Bool) -> Bool {
            var encoding = JxlColorEncoding()
            JxlColorEncodingSetToSRGB(&encoding, isGray ? 1 : 0)
            if gamut == .displayP3 { encoding.primaries = JXL_PRIMARIES_P3 }
            return JxlDecoderSetPreferredColorProfile(decoder, &encoding) == JXL_DEC_SUCCESS
        }
    }
#endif
