extension ImageSteps {
    /// A step that divides the image into squares and fills each with its average color, starting at the top left.
    public struct Pixelate: ImageStep, Hashable, Codable {
        /// The side of a square in pixels, at most 65,535. 1 changes nothing.
        public let side: Int

        /// Creates a step that pixelates with squares of this side in pixels, clamped to 1…65,535.
        public init(_ side: Int) { self.side = min(max(side, 1), 65_535) }

        /// Decodes a step, and clamps `side` to 1…65,535.
        public init(from decoder: any Decoder) throws { self.init(try Int(from: decoder)) }

        public func encode(to encoder: any Encoder) throws { try side.encode(to: encoder) }

        public var key: String { "pixelate(\(side))" }

        public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
            guard side > 1 else { return bitmap }
            func squares(_ count: Int) -> [Range<Int>] {
                stride(from: 0, to: count, by: side).map { $0..<min($0 + side, count) }
            }
            let pixelated = try bitmap.averaged(columns: squares(bitmap.width), rows: squares(bitmap.height))
            return pixelated.declaring(gainMap: try bitmap.gainMap?.pixelated(side, on: bitmap.size))
        }
    }
}

extension ImageStep where Self == ImageSteps.Pixelate {
    /// Pixelates with squares of this side, in pixels.
    public static func pixelate(_ side: Int) -> Self { Self(side) }
}

extension Bitmap {
    /// Returns the image in rectangles of one color, the mean of their pixels. They have at most 65,535 pixels a side.
    func averaged(columns: [Range<Int>], rows: [Range<Int>]) throws(CodecError) -> Bitmap {
        try redrawn { input, inputStride, output, outputStride in
            for row in rows {
                for column in columns {
                    let average = Self.average(input, inputStride, column, row)
                    for y in row {
                        let start = UnsafeMutableRawPointer(output + y * outputStride + 4 * column.lowerBound)
                        start.assumingMemoryBound(to: SIMD4<UInt8>.self).update(
                            repeating: average, count: column.count)
                    }
                }
            }
        }
    }

    private static func average(
        _ pixels: UnsafePointer<UInt8>, _ stride: Int, _ columns: Range<Int>, _ rows: Range<Int>
    ) -> SIMD4<UInt8> {
        var sum = SIMD4<UInt64>.zero
        for y in rows {
            let row = UnsafeRawPointer(pixels + y * stride).assumingMemoryBound(to: SIMD4<UInt8>.self)
            // The sum of a row fits into 32 bits.
            sum &+= SIMD4<UInt64>(
                truncatingIfNeeded: columns.reduce(SIMD4<UInt32>.zero) { $0 &+ SIMD4(truncatingIfNeeded: row[$1]) })
        }
        let count = UInt64(columns.count * rows.count)
        return SIMD4<UInt8>(truncatingIfNeeded: (sum &+ count / 2) / SIMD4(repeating: count))
    }
}
