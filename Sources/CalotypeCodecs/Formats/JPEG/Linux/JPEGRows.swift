import CJPEG

/// The rows of a JPEG file, decoded from top to bottom, a few at a time.
///
/// An error of libjpeg always ends the decode, whatever warnings preceded it. No row is left unwritten.
struct JPEGRows: ~Copyable {
    /// The maximum number of rows that `next` decodes.
    static let atOnce = Int(CALOTYPE_JPEG_ROWS)

    private let decoder: LibjpegDecoder
    private let isCMYK: Bool

    /// Reads the header of a file and, if there are several scans, all of them.
    ///
    /// - Parameters:
    ///   - bytes: The file, which must stay valid until the last row.
    ///   - size: The size of the image at this scale.
    ///   - acceptsLosses: Whether to decode an image of which libjpeg reports lost pixels. If `false`, they are an error.
    init(
        _ bytes: UnsafeRawBufferPointer, size: PixelSize, scale: JPEGScale, isCMYK: Bool, acceptsLosses: Bool = false
    ) throws(CodecError) {
        let decoder = try LibjpegDecoder()
        let isOpen = calotype_jpeg_open(
            decoder.jpeg, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, UInt32(scale.eighths), isCMYK,
            acceptsLosses, size.width, size.height)
        guard isOpen else { throw decoder.failure }
        self.decoder = decoder
        self.isCMYK = isCMYK
    }

    /// Whether libjpeg has reported lost pixels so far.
    var hasLosses: Bool { decoder.jpeg.pointee.losses > 0 }

    /// Decodes the next rows, four bytes per pixel: BGRA, or CMYK as stored. After the last row, reads the rest of the
    /// file.
    ///
    /// - Parameter pixels: Memory for `atOnce` rows, or for all rows that are left.
    /// - Returns: The number of rows, or 0 at the end of the file. Do not call this again after that.
    mutating func next(into pixels: UnsafeMutableRawPointer, stride: Int) throws(CodecError) -> Int {
        let count = calotype_jpeg_rows(decoder.jpeg, pixels.assumingMemoryBound(to: UInt8.self), stride)
        guard count >= 0 else { throw decoder.failure }
        return Int(count)
    }

    /// Decodes the image and scales it as its rows arrive: only a few rows are in memory at a time.
    ///
    /// - Parameters:
    ///   - extent: The extent of the image within the rows.
    ///   - size: The size of the bitmap.
    mutating func bitmap(
        of extent: ImageExtent, scaledTo size: PixelSize, by filter: ResizeFilter
    ) throws(CodecError) -> Bitmap {
        try Bitmap(size, hasAlpha: false) { (pixels, stride) throws(CodecError) in
            guard size != extent.size else { return try readAll(into: pixels, stride: stride) }
            let scaling = ImageScaling(from: extent, to: size, filter: filter)
            let scaler = try JPEGRowScaler(scaling, isCMYK: isCMYK, into: pixels, stride: stride)
            while case let count = try next(into: scaler.rows, stride: scaler.stride), count > 0 { scaler.add(count) }
            scaler.finish()
        }
    }

    /// Decodes all rows into the pixels of a bitmap.
    mutating func readAll(into pixels: UnsafeMutableRawBufferPointer, stride: Int) throws(CodecError) {
        guard var row = pixels.baseAddress else { return }
        while case let count = try next(into: row, stride: stride), count > 0 { row += count * stride }
    }
}

/// The filter of decoded rows, and the memory for those that libjpeg decodes at once.
struct JPEGRowScaler: ~Copyable {
    /// The bytes from one row to the next.
    let stride: Int
    private let memory: WorkMemory
    private let scaler: RowScaler

    /// - Parameter pixels: The pixels of the result. They must stay valid until `finish`.
    init(
        _ scaling: ImageScaling, isCMYK: Bool, into pixels: UnsafeMutableRawBufferPointer, stride: Int
    ) throws(CodecError) {
        guard let result = pixels.bindMemory(to: UInt8.self).baseAddress else {
            throw CodecError(.tooLarge, "no memory for the pixels of a JPEG")
        }
        let scaler = try RowScaler(scaling, of: isCMYK ? .fourColors : .opaque, into: result, stride: stride)
        let rowBytes = 4 * scaling.columns.count
        let memory = try WorkMemory(bytes: JPEGRows.atOnce * rowBytes)
        (self.stride, self.scaler) = (rowBytes, scaler)
        self.memory = memory
    }

    /// The memory for `JPEGRows.atOnce` rows.
    var rows: UnsafeMutableRawPointer { memory.start }

    /// Filters the first `count` rows in memory.
    func add(_ count: Int) { scaler.add(memory.bytes, count: count, stride: stride) }

    func finish() { scaler.finish() }
}

private struct LibjpegDecoder: ~Copyable {
    let jpeg: UnsafeMutablePointer<calotype_jpeg>

    init() throws(CodecError) {
        guard let jpeg = calotype_jpeg_new() else { throw CodecError(.tooLarge, "no memory for a JPEG decoder") }
        self.jpeg = jpeg
    }

    deinit { calotype_jpeg_free(jpeg) }

    var failure: CodecError {
        let reason = String(cString: calotype_jpeg_reason(jpeg))
        if calotype_jpeg_has_no_memory(jpeg) { return CodecError(.tooLarge, "no memory to decode this JPEG") }
        return CodecError(.damaged, "JPEG is damaged: \(reason.isEmpty ? "libjpeg does not decode it" : reason)")
    }
}
