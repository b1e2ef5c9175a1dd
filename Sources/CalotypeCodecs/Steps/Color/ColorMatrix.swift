/// A linear transform of colors: each channel of the result is a weighted sum of all channels.
///
/// The transform applies directly to premultiplied pixels, because it multiplies offsets by alpha, too.
struct ColorMatrix {
    /// The contributions of blue, green, red and full opacity to (blue, green, red, alpha), in 4096ths.
    private let columns: (SIMD4<Int32>, SIMD4<Int32>, SIMD4<Int32>, SIMD4<Int32>)

    /// Creates a transform that multiplies every channel by `factor` and adds `offset`, where 1 is full intensity.
    init(factor: Double, offset: Double = 0) {
        let share = Self.fixed(factor), added = Self.fixed(offset)
        columns = (
            SIMD4(share, 0, 0, 0), SIMD4(0, share, 0, 0), SIMD4(0, 0, share, 0), SIMD4(added, added, added, 4096)
        )
    }

    /// Creates a change of saturation: 0 results in grayscale by luminance (ITU-R BT.709), 1 changes nothing, and
    /// larger values make colors stronger.
    init(saturation: Double) {
        // Each row of the matrix adds up to one, so that gray remains unchanged.
        let blue = Self.fixed(0.0722 * (1 - saturation)), red = Self.fixed(0.2126 * (1 - saturation))
        let own = Self.fixed(saturation)
        let green = 4096 - own - blue - red
        columns = (
            SIMD4(blue + own, blue, blue, 0), SIMD4(green, green + own, green, 0), SIMD4(red, red, red + own, 0),
            SIMD4(0, 0, 0, 4096)
        )
    }

    /// Creates a transform that blends each pixel with `color`, multiplied by the pixel's luminance.
    init(tint color: ImageColor, amount: Double) {
        let channels = SIMD4(Double(color.blue), Double(color.green), Double(color.red), 0) / 255 * amount
        func column(_ luminance: Double, _ own: Int) -> SIMD4<Int32> {
            var shares = channels * luminance
            shares[own] += 1 - amount
            return SIMD4(Self.fixed(shares.x), Self.fixed(shares.y), Self.fixed(shares.z), 0)
        }
        columns = (column(0.0722, 0), column(0.7152, 1), column(0.2126, 2), SIMD4(0, 0, 0, 4096))
    }

    private static func fixed(_ number: Double) -> Int32 { Int32((number * 4096).rounded()) }

    func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        try bitmap.redrawn { input, inputStride, output, outputStride in
            for y in 0..<bitmap.height {
                let from = UnsafeRawPointer(input + y * inputStride).assumingMemoryBound(to: SIMD4<UInt8>.self)
                let to = UnsafeMutableRawPointer(output + y * outputStride).assumingMemoryBound(to: SIMD4<UInt8>.self)
                for x in 0..<bitmap.width { to[x] = change(SIMD4<Int32>(truncatingIfNeeded: from[x])) }
            }
        }
    }

    @inline(__always)
    private func change(_ pixel: SIMD4<Int32>) -> SIMD4<UInt8> {
        let colors = columns.0 &* pixel.x &+ columns.1 &* pixel.y &+ columns.2 &* pixel.z
        let sum = (colors &+ columns.3 &* pixel.w &+ 2048) &>> 12
        return SIMD4<UInt8>(truncatingIfNeeded: sum.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: pixel.w)))
    }
}
