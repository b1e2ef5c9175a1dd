#if TIFF
    import CTIFF

    struct TIFFReader: ~Copyable {
        private let file: UnsafeMutablePointer<CalotypeTIFF>
        private let tiff: OpaquePointer

        /// - Parameters:
        ///   - bytes: The file. It must stay at its address for the lifetime of the reader.
        ///   - largestBlock: The limit on each allocation by libtiff, in bytes.
        init(_ bytes: UnsafeRawBufferPointer, largestBlock: Int) throws(CodecError) {
            let file = UnsafeMutablePointer<CalotypeTIFF>.allocate(capacity: 1)
            var start = CalotypeTIFF()
            start.bytes = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            start.count = UInt64(bytes.count)
            file.initialize(to: start)
            guard let tiff = calotype_tiff_open(file, Int64(largestBlock)) else {
                defer { file.deallocate() }
                throw Self.failure(.damaged, file)
            }
            (self.file, self.tiff) = (file, tiff)
        }

        deinit {
            TIFFClose(tiff)
            file.deallocate()
        }

        private func layout() throws(CodecError) -> CalotypeTIFFHeader {
            var header = CalotypeTIFFHeader()
            let status = calotype_tiff_header(tiff, file, &header)
            guard status == 1 else { throw Self.failure(status == 0 ? .damaged : .unsupported, file) }
            return header
        }

        func header() throws(CodecError) -> ImageHeader {
            let header = try layout()
            let orientation = Int(header.orientation)
            return ImageHeader(
                format: ImageFormat(rawValue: "tiff"), width: Int(header.width), height: Int(header.height),
                orientation: (1...8).contains(orientation) ? orientation : 1, hasAlpha: header.alpha != 0,
                samplesPerPixel: Double(header.samples), bitsPerSample: Int(header.bits))
        }

        func profile() throws(CodecError) -> ColorProfile? { Self.profile(try layout()) }

        private static func profile(_ header: CalotypeTIFFHeader) -> ColorProfile? {
            ColorProfile(Array(UnsafeRawBufferPointer(start: header.profile, count: Int(header.profile_size))))
        }

        /// Returns the conversion to sRGB. libtiff converts CMYK that is not plain to RGB, for which no profile is made.
        private func colors() throws(CodecError) -> ColorConversion? {
            let header = try layout()
            let (profile, photometric) = (Self.profile(header), Int32(header.photometric))
            if header.is_plain != 0, photometric == PHOTOMETRIC_SEPARATED { return .cmyk(profile) }
            let isGray = photometric == PHOTOMETRIC_MINISBLACK || photometric == PHOTOMETRIC_MINISWHITE
            return .rgb(profile, isGray: isGray)
        }

        /// Whether the samples keep 16 bits: those of gray and RGB.
        private static func isDeep(_ layout: CalotypeTIFFHeader) -> Bool {
            layout.is_plain != 0 && layout.bits == 16
                && ![PHOTOMETRIC_SEPARATED, PHOTOMETRIC_PALETTE].contains(Int32(layout.photometric))
        }

        func image(_ header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
            let layout = try layout()
            let finish = DecodePostprocessing(size: size, orientation: header.orientation, colors: try colors())
            guard Self.isDeep(layout), let samples = DeepSamples(bits: 16, finish.colors, within: size.gamut) else {
                return try bitmap(header, layout, finish)
            }
            let deep = try DeepPixels(header.stored)
            let blocks = try TIFFSamples(layout, largestBlock: FormatMemory.largestTIFFBlock(for: header))
            guard blocks.read(tiff, into: deep) else { throw Self.failure(.damaged, file) }
            return try finish.bitmap(
                of: deep, samples, hasAlpha: header.hasAlpha, isPremultiplied: blocks.isPremultiplied)
        }

        /// Decodes an image of 8 bits, or one that is rounded to them.
        private func bitmap(
            _ header: ImageHeader, _ layout: CalotypeTIFFHeader, _ finish: DecodePostprocessing
        ) throws(CodecError) -> Bitmap {
            let memory = try WorkMemory(bytes: header.stored.bitmapBytes)
            let pixels = memory.start.assumingMemoryBound(to: UInt32.self)
            if layout.is_plain != 0 {
                let samples = try TIFFSamples(layout, largestBlock: FormatMemory.largestTIFFBlock(for: header))
                guard samples.read(tiff, into: pixels) else { throw Self.failure(.damaged, file) }
            } else {
                guard calotype_tiff_pixels(tiff, pixels) != 0 else { throw Self.failure(.damaged, file) }
                UnsafeMutableBufferPointer(start: pixels, count: header.width * header.height).swapRedAndBlue()
            }
            var next = UnsafePointer(pixels)
            return try finish.bitmap(rowsOf: header.stored, hasAlpha: header.hasAlpha) {
                (row: UnsafeMutableBufferPointer<UInt32>) in
                UnsafeMutableRawBufferPointer(row).copyMemory(
                    from: UnsafeRawBufferPointer(start: next, count: 4 * header.width))
                next += header.width
            }
        }

        private static func failure(_ code: CodecError.Code, _ file: UnsafePointer<CalotypeTIFF>) -> CodecError {
            let message = String(cString: calotype_tiff_message(file))
            // libtiff has no codes, and words each lack of memory in its own way.
            if message.lowercased().contains("memory") || message.hasPrefix("No space for") {
                return CodecError(.tooLarge, "no memory to decode this TIFF: \(message)")
            }
            let problem = code == .damaged ? "is damaged" : "in this variant is not supported"
            return CodecError(code, "TIFF \(problem)\(message.isEmpty ? "" : ": \(message)")")
        }
    }
#endif
