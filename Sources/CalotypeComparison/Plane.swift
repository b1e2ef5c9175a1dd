package import CalotypeCodecs

/// One channel of an image in double precision, for quality metrics.
package struct Plane: Sendable {
    package let width: Int
    package let height: Int
    package var values: [Double]

    package init(width: Int, height: Int, values: [Double]) {
        (self.width, self.height, self.values) = (width, height, values)
    }

    /// Computes the luma of pixels over white (ITU-R BT.601) in `rows`, by default in all rows.
    package init(_ bitmap: Bitmap, rows: Range<Int>? = nil) {
        let rows = rows ?? 0..<bitmap.height
        var values: [Double] = []
        values.reserveCapacity(bitmap.width * rows.count)
        bitmap.withUnsafeBytes { bytes in
            for y in rows {
                for x in 0..<bitmap.width {
                    let pixel = y * bitmap.stride + 4 * x
                    let luma = Self.luma(red: bytes[pixel + 2], green: bytes[pixel + 1], blue: bytes[pixel])
                    values.append(luma + Double(255 - bytes[pixel + 3]))
                }
            }
        }
        self.init(width: bitmap.width, height: rows.count, values: values)
    }

    package static func luma(red: UInt8, green: UInt8, blue: UInt8) -> Double {
        0.299 * Double(red) + 0.587 * Double(green) + 0.114 * Double(blue)
    }

    package var transposed: Plane {
        var result = [Double](repeating: 0, count: values.count)
        // Transpose in tiles that fit into the processor's cache.
        let side = 32
        for top in stride(from: 0, to: height, by: side) {
            for left in stride(from: 0, to: width, by: side) {
                for y in top..<min(top + side, height) {
                    for x in left..<min(left + side, width) { result[x * height + y] = values[y * width + x] }
                }
            }
        }
        return Plane(width: height, height: width, values: result)
    }
}
