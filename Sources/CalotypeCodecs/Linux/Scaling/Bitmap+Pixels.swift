import CYuv

extension Bitmap {
    /// The alignment of rows in bytes: one pixel, so that rows are contiguous. libyuv, GTK and Cairo need no more.
    static let rowAlignment = 4

    /// Creates a bitmap. `fill` must write all of its pixels, which are initially undefined.
    init(
        _ size: PixelSize, hasAlpha: Bool,
        fill: (_ pixels: UnsafeMutableRawBufferPointer, _ stride: Int) throws(CodecError) -> Void
    ) throws(CodecError) {
        try self.init(width: size.width, height: size.height, hasAlpha: hasAlpha, fill: fill)
    }

    /// Returns the image turned by an EXIF orientation from 2 to 8.
    func turned(_ exif: Int) throws(CodecError) -> Bitmap {
        // libyuv stores the length of a row, in bytes, as a 32-bit number.
        guard max(width, height) < 1 << 29 else { throw CodecError(.tooLarge, "\(width) × \(height) pixels") }
        return switch exif {
        case 2: try rotated(kRotate180, flipped: true)
        case 3: try rotated(kRotate180)
        case 4: try rotated(kRotate0, flipped: true)
        case 5: try rotated(kRotate90, flipped: true)
        case 6: try rotated(kRotate90)
        case 7: try rotated(kRotate270, flipped: true)
        case 8: try rotated(kRotate270)
        default: self
        }
    }

    /// Rotates clockwise, after flipping the rows vertically if `flipped`.
    private func rotated(_ mode: RotationModeEnum, flipped: Bool = false) throws(CodecError) -> Bitmap {
        let lies = mode == kRotate90 || mode == kRotate270
        return try redrawn(width: lies ? height : width, height: lies ? width : height) {
            (input, inputStride, output, outputStride) throws(CodecError) in
            // For libyuv, a negative height means rows from bottom to top.
            let status = ARGBRotate(
                input, Int32(inputStride), output, Int32(outputStride), Int32(width), Int32(flipped ? -height : height),
                mode)
            guard status == 0 else { throw CodecError(.unsupported, "could not turn \(width) × \(height) pixels") }
        }
    }
}

extension UnsafeMutableBufferPointer<UInt32> {
    /// Converts between RGBA and BGRA.
    func swapRedAndBlue() {
        for x in indices {
            let pixel = self[x]
            self[x] = pixel & 0xFF00_FF00 | (pixel & 0xFF) << 16 | pixel >> 16 & 0xFF
        }
    }
}
