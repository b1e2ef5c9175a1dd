extension Bitmap {
    /// The average color of all pixels, weighted by opacity.
    public var averageColor: ImageColor {
        var sum = SIMD4<UInt64>.zero
        withUnsafeBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let pixel = bytes.load(fromByteOffset: y * stride + 4 * x, as: SIMD4<UInt8>.self)
                    sum &+= SIMD4(truncatingIfNeeded: pixel)
                }
            }
        }
        guard sum.w > 0 else { return .clear }
        func level(_ channel: UInt64) -> UInt8 { UInt8(min((255 * channel + sum.w / 2) / sum.w, 255)) }
        let count = UInt64(width * height)
        return ImageColor(
            red: level(sum.z), green: level(sum.y), blue: level(sum.x), alpha: UInt8((sum.w + count / 2) / count))
    }
}
