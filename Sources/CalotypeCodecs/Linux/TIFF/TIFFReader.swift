#if GdkPixbuf
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

        func header() throws(CodecError) -> ImageHeader {
            var header = CalotypeTIFFHeader()
            let status = calotype_tiff_header(tiff, file, &header)
            guard status == 1 else { throw Self.failure(status == 0 ? .damaged : .unsupported, file) }
            let orientation = Int(header.orientation)
            return ImageHeader(
                format: ImageFormat(rawValue: "tiff"), width: Int(header.width), height: Int(header.height),
                orientation: (1...8).contains(orientation) ? orientation : 1, hasAlpha: header.has_alpha != 0,
                samplesPerPixel: Double(header.samples), bitsPerSample: Int(header.bits))
        }

        /// Returns the maximum size of a strip or tile in bytes. libtiff keeps one at a time.
        static func largestBlock(for header: ImageHeader) -> Int { 2 * header.stored.bitmapBytes + 4 << 20 }

        /// Decodes and scales the image in its stored orientation.
        func pixels(
            _ header: ImageHeader, scaledTo size: PixelSize, by filter: ResizeFilter
        ) throws(CodecError) -> Bitmap {
            let memory = try WorkMemory(bytes: header.stored.bitmapBytes)
            let pixels = memory.start.assumingMemoryBound(to: UInt32.self)
            guard calotype_tiff_pixels(tiff, pixels) != 0 else { throw Self.failure(.damaged, file) }
            var next = UnsafePointer(pixels)
            return try Bitmap(rowsOf: header.stored, scaledTo: size, by: filter, hasAlpha: header.hasAlpha) { row in
                row.setPremultiplied(next)
                next += header.width
            }
        }

        private static func failure(_ code: CodecError.Code, _ file: UnsafePointer<CalotypeTIFF>) -> CodecError {
            let message = String(cString: calotype_tiff_message(file))
            let problem = code == .damaged ? "is damaged" : "in this variant is not supported"
            return CodecError(code, "TIFF \(problem)\(message.isEmpty ? "" : ": \(message)")")
        }
    }

    extension UnsafeMutableBufferPointer<UInt32> {
        /// Converts premultiplied RGBA to BGRA. Limits each color to its alpha, which damaged files may exceed.
        fileprivate func setPremultiplied(_ source: UnsafePointer<UInt32>) {
            for x in indices {
                let pixel = source[x]
                let alpha = pixel >> 24
                let red = Swift.min(pixel & 0xFF, alpha), green = Swift.min(pixel >> 8 & 0xFF, alpha)
                self[x] = alpha << 24 | red << 16 | green << 8 | Swift.min(pixel >> 16 & 0xFF, alpha)
            }
        }
    }
#endif
