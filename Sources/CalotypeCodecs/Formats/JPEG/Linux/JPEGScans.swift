import CJPEG

/// The scans of a progressive JPEG, decoded as its bytes arrive. Holds the coefficients of the whole image.
final class JPEGScans {
    private let jpeg: UnsafeMutablePointer<calotype_jpeg>
    private let scale: JPEGScale
    private let isCMYK: Bool

    init(scale: JPEGScale, isCMYK: Bool) throws(CodecError) {
        guard let jpeg = calotype_jpeg_new() else { throw CodecError(.tooLarge, "no memory for a JPEG decoder") }
        self.jpeg = jpeg
        self.scale = scale
        self.isCMYK = isCMYK
    }

    deinit { calotype_jpeg_free(jpeg) }

    /// Whether the complete scans contain only the average of each block.
    var isCoarse: Bool { jpeg.pointee.highest_coefficient == 0 }

    /// Continues decoding with all bytes received so far, and scales the rows as they are drawn.
    ///
    /// - Parameters:
    ///   - stored: The size of the whole image.
    ///   - size: The size of the bitmap.
    /// - Returns: The image, or `nil` before the end of the first scan.
    func image(
        _ bytes: UnsafeRawBufferPointer, of stored: PixelSize, scaledTo size: PixelSize, by filter: ResizeFilter
    ) throws(CodecError) -> Bitmap? {
        let scans = calotype_jpeg_read(
            jpeg, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, UInt32(scale.eighths), isCMYK)
        guard scans != 0 else { return nil }
        let extent = scale.extent(of: stored)
        return try Bitmap(size, hasAlpha: false) { (pixels, stride) throws(CodecError) in
            guard size != extent.size else {
                try begin(scans, extent.size)
                return try drawAll(into: pixels, stride: stride)
            }
            let scaling = ImageScaling(from: extent, to: size, filter: filter)
            let scaler = try JPEGRowScaler(scaling, isCMYK: isCMYK, into: pixels, stride: stride)
            // Last: only a failure of libjpeg may keep a drawing from its end.
            try begin(scans, extent.size)
            while case let count = try draw(into: scaler.rows, stride: scaler.stride), count > 0 { scaler.add(count) }
            scaler.finish()
        }
    }

    private func begin(_ scans: Int32, _ size: PixelSize) throws(CodecError) {
        guard scans > 0, calotype_jpeg_begin_drawing(jpeg, scans, size.width, size.height) else { throw Self.damaged }
    }

    private func drawAll(into pixels: UnsafeMutableRawBufferPointer, stride: Int) throws(CodecError) {
        guard var row = pixels.baseAddress else { return }
        while case let count = try draw(into: row, stride: stride), count > 0 { row += count * stride }
    }

    /// Draws the next rows, and returns their number, or 0 at the end.
    private func draw(into pixels: UnsafeMutableRawPointer, stride: Int) throws(CodecError) -> Int {
        let count = calotype_jpeg_draw(jpeg, pixels.assumingMemoryBound(to: UInt8.self), stride)
        guard count >= 0 else { throw Self.damaged }
        return Int(count)
    }

    private static var damaged: CodecError { CodecError(.damaged, "JPEG is damaged: its scans make no image") }
}
