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
            return try bitmap.redrawn { input, inputStride, output, outputStride in
                for top in stride(from: 0, to: bitmap.height, by: side) {
                    for left in stride(from: 0, to: bitmap.width, by: side) {
                        let rows = top..<min(top + side, bitmap.height), columns = left..<min(left + side, bitmap.width)
                        let average = Self.average(input, inputStride, columns, rows)
                        for y in rows {
                            let row = UnsafeMutableRawPointer(output + y * outputStride + 4 * left)
                            row.assumingMemoryBound(to: SIMD4<UInt8>.self).update(
                                repeating: average, count: columns.count)
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
                // A row of a square has at most 65,535 pixels, whose sum fits into 32 bits.
                sum &+= SIMD4<UInt64>(
                    truncatingIfNeeded: columns.reduce(SIMD4<UInt32>.zero) { $0 &+ SIMD4(truncatingIfNeeded: row[$1]) })
            }
            let count = UInt64(columns.count * rows.count)
            return SIMD4<UInt8>(truncatingIfNeeded: (sum &+ count / 2) / SIMD4(repeating: count))
        }
    }
}

extension ImageStep where Self == ImageSteps.Pixelate {
    /// Pixelates with squares of this side, in pixels.
    public static func pixelate(_ side: Int) -> Self { Self(side) }
}
