/// An image whose file stores it row by row, without a codec: BMP, the bitmaps in icons, TGA and PNM.
///
/// A value refers to the bytes of the file, which must stay in memory.
protocol RowFile {
    var size: PixelSize { get }
    /// Whether a pixel may be transparent. After `begin()`, `false` if the file has a channel for alpha that is 0 throughout.
    var hasAlpha: Bool { get }
    var samplesPerPixel: Double { get }
    var bitsPerSample: Int { get }

    /// Reads the header.
    ///
    /// - Throws: `damaged` if its numbers are invalid, `unsupported` for a variant that is not read.
    init(_ file: ByteReader) throws(CodecError)

    /// Prepares for the first row.
    ///
    /// - Throws: `damaged` if the file is cut short. Where only the pixels themselves show that, `read(into:)` throws it.
    mutating func begin() throws(CodecError)

    /// Fills the buffer with the next row from the top, as premultiplied BGRA.
    mutating func read(into row: UnsafeMutableBufferPointer<UInt32>) throws(CodecError)
}

/// Rows of pixels that all take the same number of bytes, one after the other.
struct PackedRows {
    let size: PixelSize
    private(set) var pixels: PackedPixels
    private let file: ByteReader
    private let start: Int
    /// The bytes from the start of one row to that of the next.
    private let stride: Int
    private let isUpward: Bool

    /// - Parameters:
    ///   - start: The offset of the first row in the file.
    ///   - alignment: The number of bytes of which each row takes a multiple.
    ///   - isUpward: Whether the first row is the lowest one.
    init(
        _ file: ByteReader, of size: PixelSize, _ pixels: PackedPixels, from start: Int, alignment: Int = 1,
        isUpward: Bool = false
    ) {
        (self.file, self.size, self.pixels, self.start, self.isUpward) = (file, size, pixels, start, isUpward)
        // The sides have at most 31 bits, or are numbers of a text, which ends at as many.
        stride = (pixels.bytes(of: size.width) + alignment - 1) / alignment * alignment
    }

    /// The offset after the last row, or `nil` if the file ends before it.
    var end: Int? {
        let (bytes, overflow) = stride.multipliedReportingOverflow(by: size.height)
        guard !overflow, start <= file.count, bytes <= file.count - start else { return nil }
        return start + bytes
    }

    /// Returns the bytes of a row, counted from the top, or `nil` if the file ends before them.
    func bytes(of y: Int) -> UnsafeRawBufferPointer? {
        file.bytes(at: start + (isUpward ? size.height - 1 - y : y) * stride, count: pixels.bytes(of: size.width))
    }

    /// Unpacks a row, counted from the top. The file must have an ``end``.
    func read(_ y: Int, into row: UnsafeMutableBufferPointer<UInt32>) {
        guard let bytes = bytes(of: y) else { return }
        pixels.unpack(bytes, into: row)
    }

    /// The same rows without their alpha.
    var opaque: PackedRows {
        var rows = self
        rows.pixels = pixels.opaque
        return rows
    }

    /// Whether all alpha is 0, which means that the program that wrote the file knew no alpha.
    var isClear: Bool {
        (0..<size.height).allSatisfy { y in bytes(of: y).map { pixels.isClear($0) } ?? true }
    }
}

/// Where a row of run lengths begins.
struct RowPlace {
    /// The offset in the file of the run that the row begins with, or `nil` if the runs skip the row.
    var offset: Int?
    /// The number of pixels before it in the row or, if the run begins in the row above, of those that belong there.
    var skipped = 0
}
