import CalotypeCodecs

/// One BGRA pixel, premultiplied, as four bytes in the order of memory.
struct Pixel: Hashable, CustomStringConvertible {
    var blue, green, red, alpha: UInt8

    init(_ blue: UInt8, _ green: UInt8, _ red: UInt8, _ alpha: UInt8 = 255) {
        (self.blue, self.green, self.red, self.alpha) = (blue, green, red, alpha)
    }

    static func gray(_ level: UInt8) -> Pixel { Pixel(level, level, level) }
    static let clear = Pixel(0, 0, 0, 0)
    static let white = Pixel.gray(255)

    var description: String { "(\(blue) \(green) \(red) \(alpha))" }
}

extension Bitmap {
    /// Draws each pixel by its position.
    static func drawn(
        _ width: Int, _ height: Int, hasAlpha: Bool = false, _ pixel: (_ x: Int, _ y: Int) -> Pixel
    ) throws(CodecError) -> Bitmap {
        try Bitmap(width: width, height: height, hasAlpha: hasAlpha) { bytes, stride in
            for y in 0..<height {
                for x in 0..<width {
                    bytes.storeBytes(of: pixel(x, y), toByteOffset: y * stride + x * 4, as: Pixel.self)
                }
            }
        }
    }

    /// Draws a different pixel at every position, up to 256 × 256.
    static func numbered(_ width: Int, _ height: Int) throws(CodecError) -> Bitmap {
        try drawn(width, height) { x, y in Pixel(UInt8(x & 255), UInt8(y & 255), UInt8((x ^ y) & 255)) }
    }

    subscript(x: Int, y: Int) -> Pixel {
        withUnsafeBytes { $0.loadUnaligned(fromByteOffset: y * stride + x * 4, as: Pixel.self) }
    }

    /// The pixels, row by row.
    var pixels: [[Pixel]] {
        (0..<height).map { y in (0..<width).map { x in self[x, y] } }
    }

    var distinctPixels: Set<Pixel> { Set(pixels.joined()) }
}
