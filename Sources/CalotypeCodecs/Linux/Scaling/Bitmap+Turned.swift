import CYuv

extension Bitmap {
    /// By an EXIF orientation of 2 to 8.
    func turned(_ exif: Int) throws(CodecError) -> Bitmap {
        // What libyuv counts in 32 bits: bytes of a row.
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

    /// Turns clockwise, after the rows were put upside down if `flipped`.
    private func rotated(_ mode: RotationModeEnum, flipped: Bool = false) throws(CodecError) -> Bitmap {
        let lies = mode == kRotate90 || mode == kRotate270
        return try redrawn(width: lies ? height : width, height: lies ? width : height) {
            (input, inputStride, output, outputStride) throws(CodecError) in
            // libyuv: a negative height stands for rows from bottom to top.
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
