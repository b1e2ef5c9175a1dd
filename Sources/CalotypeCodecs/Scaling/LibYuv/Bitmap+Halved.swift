import CYuv

extension Bitmap {
    /// Averages each two by two pixels. Both sides are even.
    func halved() throws(CodecError) -> Bitmap {
        try redrawn(width: width / 2, height: height / 2) {
            (input, inputStride, output, outputStride) throws(CodecError) in
            let status = ARGBScale(
                input, Int32(inputStride), Int32(width), Int32(height),
                output, Int32(outputStride), Int32(width / 2), Int32(height / 2), kFilterBox)
            guard status == 0 else { throw CodecError(.unsupported, "could not halve \(width) × \(height) pixels") }
        }
    }
}
