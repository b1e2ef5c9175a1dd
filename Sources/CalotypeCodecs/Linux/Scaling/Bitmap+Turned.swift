import CYuv

extension Bitmap {
    /// Returns the image turned by an EXIF orientation from 2 to 8.
    func turned(_ exif: Int) throws(CodecError) -> Bitmap {
        // libyuv stores the bytes of a row in 32 bits.
        guard max(width, height) < 1 << 29 else { throw CodecError(.tooLarge, "\(width) × \(height) pixels") }
        return switch exif {
        case 2: try mirrored()
        case 3: try rotated(kRotate180)
        case 4: try rotated(kRotate0, flipped: true)
        case 5: try rotated(kRotate90, flipped: true)
        case 6: try rotated(kRotate90)
        case 7: try rotated(kRotate270, flipped: true)
        case 8: try rotated(kRotate270)
        default: self
        }
    }

    private func mirrored() throws(CodecError) -> Bitmap {
        try redrawn { (input, inputStride, output, outputStride) throws(CodecError) in
            try check(
                ARGBMirror(input, Int32(inputStride), output, Int32(outputStride), Int32(width), Int32(height)))
        }
    }

    /// Rotates clockwise, after flipping the rows vertically if `flipped`.
    private func rotated(_ mode: RotationModeEnum, flipped: Bool = false) throws(CodecError) -> Bitmap {
        let lies = mode == kRotate90 || mode == kRotate270
        return try redrawn(width: lies ? height : width, height: lies ? width : height) {
            (input, inputStride, output, outputStride) throws(CodecError) in
            // For libyuv, a negative height means rows from bottom to top.
            try check(
                ARGBRotate(
                    input, Int32(inputStride), output, Int32(outputStride),
                    Int32(width), Int32(flipped ? -height : height), mode))
        }
    }

    private func check(_ status: Int32) throws(CodecError) {
        guard status == 0 else { throw CodecError(.unsupported, "could not turn \(width) × \(height) pixels") }
    }
}
