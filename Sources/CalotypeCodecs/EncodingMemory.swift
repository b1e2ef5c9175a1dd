/// An encoder whose memory is known.
protocol MeasuredEncoder: ImageEncoder {
    /// The peak memory of the encoder in hundredths of the bitmap's memory, the bitmap included.
    var memoryInHundredths: Int { get }
    /// Returns the memory in bytes that an image of this size needs beside the memory in proportion to its bitmap.
    func tableBytes(for size: PixelSize) -> Int
    /// Whether the encoder copies a transparent bitmap.
    var copiesTransparency: Bool { get }
}

extension MeasuredEncoder {
    func tableBytes(for size: PixelSize) -> Int { 0 }
    var copiesTransparency: Bool { false }
}

extension EncodingFormat {
    /// Returns the peak memory of encoding an image of this size in bytes, including its bitmap.
    ///
    /// For an encoder that a program has made, twice the bitmap's memory.
    package func peakBytes(of size: PixelSize, hasAlpha: Bool) -> Int {
        let bitmap = size.bitmapMemory
        guard let measured = encoder as? any MeasuredEncoder else { return 2 * bitmap }
        let hundredths = measured.memoryInHundredths + (measured.copiesTransparency && hasAlpha ? 100 : 0)
        return bitmap / 100 * hundredths + hundredths + measured.tableBytes(for: size)
    }
}

extension PixelSize {
    /// The memory of a bitmap of this size with aligned rows, in bytes. At most 2^48, so that sums do not overflow.
    package var bitmapMemory: Int {
        let rows = PixelSize(width: min(max(width, 0), 1 << 40) + Bitmap.rowAlignment / 4 - 1, height: height)
        return min(rows.bitmapBytes, 1 << 48)
    }
}
