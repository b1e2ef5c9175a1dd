extension EncodingFormat {
    /// Returns the peak memory of encoding an image of this size in bytes, including its bitmap but not the file.
    package func peakBytes(of size: PixelSize, hasAlpha: Bool) -> Int {
        let bitmap = size.bitmapMemory
        guard let hundredths = Self.hundredths[imageFormat] else { return 2 * bitmap }
        // JPEG draws a transparent image on white first, in a copy.
        return bitmap / 100 * hundredths + hundredths + (imageFormat == .jpeg && hasAlpha ? bitmap : 0)
    }

    /// The peak memory of each encoder in hundredths of the bitmap's memory, the bitmap included, as measured with
    /// photographs of 1 to 12 megapixels.
    private static let hundredths: [ImageFormat: Int] = [.jpeg: 110, .png: 140, .webp: 260, .avif: 600]
}

extension PixelSize {
    /// The memory of a bitmap of this size with aligned rows, in bytes. At most 2^48, so that sums do not overflow.
    package var bitmapMemory: Int {
        let rows = PixelSize(width: min(max(width, 0), 1 << 40) + Bitmap.rowAlignment / 4 - 1, height: height)
        return min(rows.bitmapBytes, 1 << 48)
    }
}
