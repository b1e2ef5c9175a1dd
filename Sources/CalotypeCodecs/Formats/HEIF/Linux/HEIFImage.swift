#if HEIF
    import CHEIF

    /// An image of a HEIF file: its properties, as libheif reads them.
    struct HEIFImage: ~Copyable {
        private let handle: OpaquePointer
        /// The brightest light in cd/m², if the file states it.
        private let peak: Double?

        /// - Parameter handle: The handle, which the image releases. It keeps the content of the file's context alive.
        init(_ handle: OpaquePointer, peak: Double? = nil) { (self.handle, self.peak) = (handle, peak) }

        deinit { heif_image_handle_release(handle) }

        /// The size in pixels after rotation and cropping.
        var size: PixelSize {
            PixelSize(
                width: Int(heif_image_handle_get_width(handle)), height: Int(heif_image_handle_get_height(handle)))
        }

        /// The longer side in pixels before rotation and cropping.
        var longestStoredSide: Int {
            Int(max(heif_image_handle_get_ispe_width(handle), heif_image_handle_get_ispe_height(handle)))
        }

        var hasAlpha: Bool { heif_image_handle_has_alpha_channel(handle) != 0 }

        var bitsPerSample: Int { max(8, Int(heif_image_handle_get_luma_bits_per_pixel(handle))) }

        private var isPremultiplied: Bool { heif_image_handle_is_premultiplied_alpha(handle) != 0 }

        // MARK: - Colors

        var colorName: String? {
            rawProfile?.name ?? codePoints?.name
        }

        /// Whether the image has a profile or code points.
        var hasColors: Bool { rawProfile != nil || codePoints != nil }

        /// The conversion to sRGB, or `nil` if the pixels are sRGB or of an unknown color space.
        var colors: ColorConversion? {
            if let profile = rawProfile { return .rgb(profile, isGray: false) }
            return codePoints.flatMap { .rgb($0, peak: peak) }
        }

        /// Returns the conversion of samples of more than 8 bits, or `nil` if libheif rounds them: if the file has premultiplied
        /// them.
        func samples(_ header: ImageHeader, within gamut: ColorGamut) -> DeepSamples? {
            header.hasAlpha && isPremultiplied
                ? nil : DeepSamples(bits: header.bitsPerSample, colors, within: gamut)
        }

        private var rawProfile: ColorProfile? {
            let size = heif_image_handle_get_raw_color_profile_size(handle)
            guard size > 0, size <= 16 << 20 else { return nil }
            var profile = [UInt8](repeating: 0, count: size)
            let status = heif_image_handle_get_raw_color_profile(handle, &profile)
            return status.code == heif_error_Ok ? ColorProfile(profile) : nil
        }

        private var codePoints: CodePoints? {
            var points: UnsafeMutablePointer<heif_color_profile_nclx>?
            guard heif_image_handle_get_nclx_color_profile(handle, &points).code == heif_error_Ok, let points else {
                return nil
            }
            defer { heif_nclx_color_profile_free(points) }
            return CodePoints(
                primaries: Int(points.pointee.color_primaries.rawValue),
                transfer: Int(points.pointee.transfer_characteristics.rawValue))
        }

        // MARK: - Thumbnails

        /// The numbers of the image's thumbnails: of the first ones, if there are many.
        var thumbnails: [UInt32] {
            let limit = min(Int(heif_image_handle_get_number_of_thumbnails(handle)), 16)
            var items = [heif_item_id](repeating: 0, count: limit)
            let count = heif_image_handle_get_list_of_thumbnail_IDs(handle, &items, Int32(limit))
            return Array(items.prefix(Int(count)))
        }

        func thumbnail(_ item: UInt32) -> HEIFImage? {
            var thumbnail: OpaquePointer?
            guard heif_image_handle_get_thumbnail(handle, item, &thumbnail).code == heif_error_Ok else { return nil }
            return thumbnail.map { HEIFImage($0) }
        }

        // MARK: - Pixels

        /// Whether libheif decodes to planes of red, green and blue, and would then copy them to interleave their samples.
        /// Since version 1.19, it interleaves them while it converts.
        static let decodesToPlanes = heif_get_version_number() < 0x0113_0000

        /// Decodes the image. ``HEIFReader/decode(_:as:_:isStrict:)`` limits its size first.
        func decode(
            as expected: ImageHeader, _ samples: DeepSamples?, isStrict: Bool
        ) throws(CodecError) -> HEIFPixels {
            guard let options = heif_decoding_options_alloc() else {
                throw CodecError(.tooLarge, "no memory to decode this HEIC")
            }
            defer { heif_decoding_options_free(options) }
            options.pointee.convert_hdr_to_8bit = samples == nil ? 1 : 0
            options.pointee.strict_decoding = isStrict ? 1 : 0
            var decoded: OpaquePointer?
            let interleaved =
                samples == nil ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RRGGBBAA_LE
            let chroma = hasAlpha || !Self.decodesToPlanes ? interleaved : heif_chroma_444
            let status = ClearedAllocations.during {
                heif_decode_image(handle, &decoded, heif_colorspace_RGB, chroma, options)
            }
            try CodecError.check(status)
            guard let decoded else { throw CodecError(.damaged, "HEIC is damaged: no pixels came out") }
            return try HEIFPixels(decoded, expected, samples, isPremultiplied: isPremultiplied)
        }
    }
#endif
