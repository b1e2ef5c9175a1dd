#if HEIF
    import CHEIF

    /// The primary image of a HEIF file, read by libheif.
    struct HEIFReader: ~Copyable {
        private let context: OpaquePointer
        private let image: OpaquePointer

        /// - Parameter file: The file. It must stay at its address for the lifetime of the reader.
        init(_ file: UnsafeRawBufferPointer) throws(CodecError) {
            try ItemLists.check(ByteReader(file), of: "HEIC", limit: 1 << 13)
            try HEIFReferences.check(ByteReader(file))
            guard let context = heif_context_alloc() else {
                throw CodecError(.tooLarge, "no memory for a HEIC decoder")
            }
            // Decode tiles sequentially on this thread.
            heif_context_set_max_decoding_threads(context, 0)
            heif_context_set_maximum_image_size_limit(context, 65_535)
            do throws(CodecError) {
                image = try Self.primaryImage(of: file, context)
            } catch {
                heif_context_free(context)
                throw error
            }
            self.context = context
        }

        private static func primaryImage(
            of file: UnsafeRawBufferPointer, _ context: OpaquePointer
        ) throws(CodecError) -> OpaquePointer {
            var image: OpaquePointer?
            try check(heif_context_read_from_memory_without_copy(context, file.baseAddress, file.count, nil))
            try check(heif_context_get_primary_image_handle(context, &image))
            guard let image else { throw CodecError(.damaged, "HEIC without an image") }
            return image
        }

        deinit {
            heif_image_handle_release(image)
            heif_context_free(context)
        }

        /// The header. libheif itself applies rotation and cropping to both the size and the pixels.
        var header: ImageHeader {
            ImageHeader(
                format: .heic, width: Int(heif_image_handle_get_width(image)),
                height: Int(heif_image_handle_get_height(image)),
                hasAlpha: heif_image_handle_has_alpha_channel(image) != 0,
                bitsPerSample: max(8, Int(heif_image_handle_get_luma_bits_per_pixel(image))))
        }

        var colorName: String? {
            rawProfile?.name ?? codePoints.flatMap { CodedColors.name(primaries: $0, transfer: $1) }
        }

        private var rawProfile: ColorProfile? {
            let size = heif_image_handle_get_raw_color_profile_size(image)
            guard size > 0, size <= 16 << 20 else { return nil }
            var profile = [UInt8](repeating: 0, count: size)
            let status = heif_image_handle_get_raw_color_profile(image, &profile)
            return status.code == heif_error_Ok ? ColorProfile(profile) : nil
        }

        private var codePoints: (primaries: Int, transfer: Int)? {
            var points: UnsafeMutablePointer<heif_color_profile_nclx>?
            guard heif_image_handle_get_nclx_color_profile(image, &points).code == heif_error_Ok, let points else {
                return nil
            }
            defer { heif_nclx_color_profile_free(points) }
            return (Int(points.pointee.color_primaries.rawValue), Int(points.pointee.transfer_characteristics.rawValue))
        }

        /// The conversion to sRGB, or `nil` if the pixels are sRGB or of an unknown color space.
        var colors: ColorConversion? {
            if let profile = rawProfile { return .rgb(profile, isGray: false) }
            return codePoints.flatMap { .rgb(primaries: $0, transfer: $1) }
        }

        private var isPremultiplied: Bool { heif_image_handle_is_premultiplied_alpha(image) != 0 }

        /// Returns the mapping to sRGB that precedes the rounding to 8 bits, or `nil` if `colors` is the conversion of the
        /// pixels, as it is for premultiplied ones.
        func toneMapping(_ header: ImageHeader) -> ToneMapping? {
            isPremultiplied ? nil : colors?.toneMapping(bits: header.bitsPerSample)
        }

        /// Decodes to premultiplied BGRA, and scales row by row.
        ///
        /// - Parameter mapping: The mapping of samples with more than 8 bits to sRGB, or `nil` to round them as they are.
        func decode(
            _ header: ImageHeader, scaledTo target: DecodeSize, _ mapping: ToneMapping?
        ) throws(CodecError) -> Bitmap {
            guard let options = heif_decoding_options_alloc() else {
                throw CodecError(.tooLarge, "no memory to decode this HEIC")
            }
            defer { heif_decoding_options_free(options) }
            options.pointee.convert_hdr_to_8bit = mapping == nil ? 1 : 0
            options.pointee.strict_decoding = 1
            // A grid item contains a second size, which may exceed the one already checked. Limit width and height to
            // the longest checked side plus a margin, but to no less than 1024: a tile may be larger than the image.
            let stored = max(heif_image_handle_get_ispe_width(image), heif_image_handle_get_ispe_height(image))
            let side = max(header.width, header.height, Int(stored)) + 64
            heif_context_set_maximum_image_size_limit(context, Int32(clamping: max(side, 1024)))
            var decoded: OpaquePointer?
            let status = ClearedAllocations.during {
                heif_decode_image(
                    image, &decoded, heif_colorspace_RGB,
                    mapping == nil ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RRGGBBAA_LE, options)
            }
            try Self.check(status)
            guard let decoded else { throw CodecError(.damaged, "HEIC is damaged: no pixels came out") }
            defer { heif_image_release(decoded) }
            var rowBytes: Int32 = 0
            let size = PixelSize(
                width: Int(heif_image_get_width(decoded, heif_channel_interleaved)),
                height: Int(heif_image_get_height(decoded, heif_channel_interleaved)))
            guard size == header.stored,
                let source = heif_image_get_plane_readonly(decoded, heif_channel_interleaved, &rowBytes)
            else {
                throw CodecError(.damaged, "HEIC is damaged: \(size) pixels came out, \(header.stored) were announced")
            }
            let wide = try wideRow(mapping, of: decoded, header)
            let samples = UnsafeMutableBufferPointer(
                start: wide.start.assumingMemoryBound(to: SIMD4<UInt16>.self), count: header.width)
            let isPremultiplied = self.isPremultiplied
            var next = source
            return try Bitmap(
                rowsOf: size, scaledTo: header.stored(target.result), by: target.filter, hasAlpha: header.hasAlpha
            ) { row in
                let pixels = UnsafeRawBufferPointer(start: next, count: (mapping == nil ? 4 : 8) * size.width)
                if let mapping {
                    UnsafeMutableRawBufferPointer(samples).copyMemory(from: pixels)
                    mapping.map(samples, to: row)
                } else {
                    UnsafeMutableRawBufferPointer(row).copyMemory(from: pixels)
                    if isPremultiplied { row.setLimitedRGBA() } else { row.premultiplyRGBA() }
                }
                next += Int(rowBytes)
            }
        }

        /// Returns memory for a row of samples with more than 8 bits; for none without a mapping of them.
        private func wideRow(
            _ mapping: ToneMapping?, of image: OpaquePointer, _ header: ImageHeader
        ) throws(CodecError) -> WorkMemory {
            guard mapping != nil else { return try WorkMemory(bytes: 0) }
            let bits = Int(heif_image_get_bits_per_pixel_range(image, heif_channel_interleaved))
            guard bits == header.bitsPerSample else {
                throw CodecError(
                    .damaged, "HEIC is damaged: \(bits) bits came out, \(header.bitsPerSample) were announced")
            }
            return try WorkMemory(bytes: 8 * header.width)
        }

        private static func check(_ error: heif_error) throws(CodecError) {
            guard error.code != heif_error_Ok else { return }
            // Replace the line feeds in some of libheif's messages.
            let message =
                error.message.map { String(cString: $0).split(separator: "\n").joined(separator: " ") }
                ?? "no reason given"
            switch error.code {
            case heif_error_Unsupported_feature, heif_error_Unsupported_filetype, heif_error_Plugin_loading_error:
                throw CodecError(.unsupported, "HEIC: \(message)")
            case heif_error_Memory_allocation_error: throw CodecError(.tooLarge, "HEIC: \(message)")
            default: throw CodecError(.damaged, "HEIC is damaged: \(message)")
            }
        }
    }

    extension UnsafeMutableBufferPointer<UInt32> {
        /// Converts premultiplied RGBA to BGRA. Limits each color to its alpha, which damaged files may exceed.
        fileprivate func setLimitedRGBA() {
            for x in indices {
                let pixel = self[x]
                let alpha = pixel >> 24
                let red = Swift.min(pixel & 0xFF, alpha), green = Swift.min(pixel >> 8 & 0xFF, alpha)
                self[x] = alpha << 24 | red << 16 | green << 8 | Swift.min(pixel >> 16 & 0xFF, alpha)
            }
        }
    }
#endif
