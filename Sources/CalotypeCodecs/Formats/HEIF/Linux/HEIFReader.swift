#if HEIF
    import CHEIF

    /// A HEIF file, read by libheif, with its primary image.
    struct HEIFReader: ~Copyable {
        private let context: HEIFContext
        let primary: HEIFImage
        /// The file that libheif reads in place of the one given; empty if it reads that one.
        private let copy: WorkMemory
        /// The number of bytes in the copy.
        let copiedBytes: Int

        /// - Parameter file: The file. It must stay at its address for the lifetime of the reader.
        init(_ file: UnsafeRawBufferPointer) throws(CodecError) {
            let reader = ByteReader(file)
            try ItemLists.check(reader, of: "HEIC", limit: 1 << 13)
            let refused = try HEIFReferences(reader.boxes("meta", from: 0)).refusedTypes(in: file)
            let refusal: CodecError
            do throws(CodecError) {
                self = try HEIFReader(file, hiding: refused)
                return
            } catch {
                refusal = error
            }
            // The reason may be a gain map, without which the base decodes.
            guard let maps = HEIFItems(reader)?.typesOfGainMaps(hidingEntries: true), !maps.isEmpty else {
                throw refusal
            }
            do throws(CodecError) { self = try HEIFReader(file, hiding: refused + maps) } catch { throw refusal }
        }

        /// - Parameter types: The types of boxes that libheif must not see.
        private init(_ file: UnsafeRawBufferPointer, hiding types: [ByteReader]) throws(CodecError) {
            let copiedBytes = types.isEmpty ? 0 : file.count
            let copy = try WorkMemory(bytes: copiedBytes)
            let file = types.isEmpty ? file : file.copy(to: copy.start, hiding: types)
            try HEIFReferences.check(ByteReader(file))
            let context = try HEIFContext()
            let primary = try context.primaryImage(of: file)
            self.context = context
            self.primary = primary
            self.copy = copy
            self.copiedBytes = copiedBytes
        }

        /// The header. libheif itself applies rotation and cropping to both the size and the pixels.
        var header: ImageHeader {
            let size = primary.size
            return ImageHeader(
                format: .heic, width: size.width, height: size.height, hasAlpha: primary.hasAlpha,
                bitsPerSample: primary.bitsPerSample)
        }

        /// Decodes an image of the file.
        ///
        /// - Parameters:
        ///   - expected: The size and the bits of the image.
        ///   - samples: The conversion of samples of more than 8 bits, or `nil` if libheif rounds them.
        ///   - isStrict: Whether unknown code points of colors are an error.
        func decode(
            _ image: borrowing HEIFImage, as expected: ImageHeader, _ samples: DeepSamples?, isStrict: Bool = true
        ) throws(CodecError) -> HEIFPixels {
            // A grid item contains a second size, which may exceed the one already checked. Limit width and height to
            // the longest checked side plus a margin, but to no less than 1024: a tile may be larger than the image.
            let side = max(expected.width, expected.height, image.longestStoredSide) + 64
            context.limit(side: max(side, 1024))
            do throws(CodecError) {
                return try image.decode(as: expected, samples, isStrict: isStrict)
            } catch {
                // libheif interleaves no colors with an alpha of other bits than theirs, unless all become 8.
                guard samples != nil, expected.hasAlpha, error.code == .unsupported else { throw error }
                return try image.decode(as: expected, nil, isStrict: isStrict)
            }
        }
    }

    /// The owner of a context of libheif, which decodes tiles one after the other on the calling thread.
    private struct HEIFContext: ~Copyable {
        private let pointer: OpaquePointer

        init() throws(CodecError) {
            guard let pointer = heif_context_alloc() else {
                throw CodecError(.tooLarge, "no memory for a HEIC decoder")
            }
            heif_context_set_max_decoding_threads(pointer, 0)
            self.pointer = pointer
            limit(side: 65_535)
        }

        deinit { heif_context_free(pointer) }

        /// Sets the maximum width and height of images in pixels.
        func limit(side: Int) { heif_context_set_maximum_image_size_limit(pointer, Int32(clamping: side)) }

        func primaryImage(of file: UnsafeRawBufferPointer) throws(CodecError) -> HEIFImage {
            var image: OpaquePointer?
            try CodecError.check(heif_context_read_from_memory_without_copy(pointer, file.baseAddress, file.count, nil))
            try CodecError.check(heif_context_get_primary_image_handle(pointer, &image))
            guard let image else { throw CodecError(.damaged, "HEIC without an image") }
            return HEIFImage(image, peak: SourcePeak.ofItems(ByteReader(file)))
        }
    }

    extension CodecError {
        /// Throws the error for a status of libheif that is not a success.
        static func check(_ status: heif_error) throws(CodecError) {
            guard status.code != heif_error_Ok else { return }
            // Replace the line feeds in some of libheif's messages.
            let message =
                status.message.map { String(cString: $0).split(separator: "\n").joined(separator: " ") }
                ?? "no reason given"
            switch status.code {
            case heif_error_Unsupported_feature, heif_error_Unsupported_filetype, heif_error_Plugin_loading_error:
                throw CodecError(.unsupported, "HEIC: \(message)")
            case heif_error_Memory_allocation_error: throw CodecError(.tooLarge, "HEIC: \(message)")
            default: throw CodecError(.damaged, "HEIC is damaged: \(message)")
            }
        }
    }
#endif
