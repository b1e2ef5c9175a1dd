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

    /// Continues decoding with all bytes received so far.
    ///
    /// - Returns: The image, or `nil` before the end of the first scan.
    func image(_ bytes: UnsafeRawBufferPointer, of stored: PixelSize) throws(CodecError) -> Bitmap? {
        let scans = calotype_jpeg_read(
            jpeg, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, UInt32(scale.eighths), isCMYK)
        guard scans != 0 else { return nil }
        let size = scale.size(of: stored)
        return try Bitmap(size, hasAlpha: false) { (pixels, stride) throws(CodecError) in
            let target = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard scans > 0, calotype_jpeg_draw(jpeg, scans, target, size.width, size.height, stride) else {
                throw CodecError(.damaged, "JPEG is damaged: its scans make no image")
            }
        }
    }
}
