// The rounding of 16 bits to 8, which leaves bands in a slow gradient: there, whether a value is rounded up depends on its
// place, by a matrix of 8 × 8 thresholds (Bayer, 1973).

/// The rounding of an image's rows in order.
struct DeepRounding: ~Copyable {
    private let rows: PixelRows
    /// The row above the next one.
    private let above: DeepPixels
    private var number = 0

    init(to rows: PixelRows) throws(CodecError) {
        above = try DeepPixels(width: rows.width)
        self.rows = rows
    }

    /// Rounds the next row, of premultiplied RGBA, to premultiplied BGRA. Dithers where the image is smooth.
    mutating func add(_ source: DeepRow) {
        let row = rows.row(number)
        let thresholds = DeepDithering.thresholds[number & 7]
        let (above, last) = (number > 0 ? above.row(0) : source, row.count - 1)
        for x in row.indices {
            let pixel = source[x]
            let isSmooth =
                pixel.w == .max && pixel.isNear(source[max(x - 1, 0)]) && pixel.isNear(source[min(x + 1, last)])
                && pixel.isNear(above[x])
            row[x] = pixel.bgra(SIMD4(repeating: isSmooth ? thresholds[x & 7] : DeepDithering.half))
        }
        _ = self.above.row(0).update(from: source)
        number += 1
    }
}

extension DeepRow {
    /// Rounds premultiplied RGBA to premultiplied BGRA, each value to nearest.
    func round(to row: UnsafeMutableBufferPointer<UInt32>) {
        for x in row.indices { row[x] = self[x].bgra(SIMD4(repeating: DeepDithering.half)) }
    }
}

private enum DeepDithering {
    /// The addend to 255 times a value by which the division by 65,535 rounds to nearest.
    static let half: UInt32 = 32_767

    /// The largest difference between neighbors in a smooth part: an eighth of a step of 8 bits. In a steeper gradient no band is
    /// wider than the matrix.
    static let smooth: UInt16 = 257 / 8

    /// The rows of the matrix: addends in place of `half`. A value of 8 bits stays as it is.
    static let thresholds: [SIMD8<UInt32>] = (0..<8).map { y in
        var row = SIMD8<UInt32>()
        for x in 0..<8 { row[x] = (2 * rank(x, y) + 1) * 65_535 / 128 }
        return row
    }

    /// Returns the place of a pixel in the order in which the pixels of the matrix become brighter, from 0 to 63.
    private static func rank(_ x: Int, _ y: Int) -> UInt32 {
        (0..<3).reduce(0) { rank, bit in
            let (right, low) = (x >> bit & 1, y >> bit & 1)
            return rank << 2 | UInt32((right ^ low) << 1 | low)
        }
    }
}

extension SIMD4<UInt16> {
    @inline(__always)
    fileprivate func isNear(_ other: Self) -> Bool {
        let limit = SIMD4(repeating: DeepDithering.smooth)
        return all((pointwiseMax(self, other) &- pointwiseMin(self, other)) .<= limit)
    }

    @inline(__always)
    fileprivate func bgra(_ added: SIMD4<UInt32>) -> UInt32 {
        let value = (SIMD4<UInt32>(truncatingIfNeeded: self) &* 255 &+ added) / 65_535
        return value.w << 24 | value.x << 16 | value.y << 8 | value.z
    }
}
