import CalotypeComparison

extension Plane {
    /// Computes the luma of libvips' pixels: one or two bands are gray, three or more are colors.
    init(_ pixels: Vips.Pixels, width: Int, height: Int) throws {
        guard pixels.bytes.count == width * height * pixels.bands else { throw BenchError("libvips gave another size") }
        let bytes = pixels.bytes
        let values = stride(from: 0, to: bytes.count, by: pixels.bands).map { pixel in
            pixels.bands < 3
                ? Double(bytes[pixel])
                : Self.luma(red: bytes[pixel], green: bytes[pixel + 1], blue: bytes[pixel + 2])
        }
        self.init(width: width, height: height, values: values)
    }
}
