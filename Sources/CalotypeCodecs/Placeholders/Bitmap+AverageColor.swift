extension Bitmap {
    /// The average color of all pixels, weighted by opacity.
    public var averageColor: ImageColor { averageColor(ignoringTransparent: false) }

    /// Returns the average color, weighted by opacity.
    ///
    /// - Parameter ignoresTransparent: Whether the average opacity is that of the pixels that are not fully transparent.
    package func averageColor(ignoringTransparent ignoresTransparent: Bool) -> ImageColor {
        var (sum, seen) = (SIMD4<UInt64>.zero, UInt64(0))
        withUnsafeBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let pixel = bytes.load(fromByteOffset: y * stride + 4 * x, as: SIMD4<UInt8>.self)
                    sum &+= SIMD4(truncatingIfNeeded: pixel)
                    seen &+= pixel.w > 0 ? 1 : 0
                }
            }
        }
        guard sum.w > 0 else { return .clear }
        func level(_ channel: UInt64) -> UInt8 { UInt8(min((255 * channel + sum.w / 2) / sum.w, 255)) }
        let count = ignoresTransparent ? seen : UInt64(width * height)
        return ImageColor(
            red: level(sum.z), green: level(sum.y), blue: level(sum.x), alpha: UInt8((sum.w + count / 2) / count))
    }
}
