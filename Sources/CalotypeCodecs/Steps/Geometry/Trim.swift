extension ImageSteps {
    /// A step that removes a border of one color. An image of a single color stays unchanged.
    public struct Trim: ImageStep, Hashable, Codable {
        /// The color of the border. If `nil` (the default), the color of the top left pixel.
        public let color: ImageColor?
        /// The maximum difference between a channel of a border pixel and that channel of the border color, from 0 to
        /// 255. The default is 10.
        public let tolerance: Int

        /// Creates a step that removes a border. Clamps `tolerance` to 0…255.
        public init(_ color: ImageColor? = nil, tolerance: Int = 10) {
            (self.color, self.tolerance) = (color, min(max(tolerance, 0), 255))
        }

        /// Decodes a step, and clamps `tolerance` to 0…255.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                try container.decodeIfPresent(ImageColor.self, forKey: .color),
                tolerance: try container.decode(Int.self, forKey: .tolerance))
        }

        public var key: String { "trim(\(color.map { "\($0)," } ?? "")\(tolerance))" }

        public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
            guard let content = contentRect(of: bitmap) else { return bitmap }
            return try bitmap.cropped(to: content)
        }

        /// Returns the bounding box of all pixels that differ from the border color, or `nil` if no pixel differs.
        package func contentRect(of bitmap: Bitmap) -> PixelRect? {
            bitmap.withUnsafeBytes { bytes in
                let border = color?.converted(to: bitmap.gamut).premultiplied ?? bytes.loadUnaligned(as: UInt32.self)
                let rows = BorderRows(bytes, width: bitmap.width, stride: bitmap.stride, border, tolerance)
                guard let top = (0..<bitmap.height).first(where: { rows.contentRange($0) != nil }),
                    let bottom = (top..<bitmap.height).last(where: { rows.contentRange($0) != nil })
                else { return nil }
                var (left, right) = (bitmap.width, 0)
                for y in top...bottom {
                    guard let range = rows.contentRange(y) else { continue }
                    (left, right) = (min(left, range.lowerBound), max(right, range.upperBound))
                }
                return PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
            }
        }
    }
}

extension ImageStep where Self == ImageSteps.Trim {
    /// Removes a border with the color of the top left pixel.
    public static var trim: Self { Self() }
}

/// The rows of an image, compared with the border color.
private struct BorderRows {
    let bytes: UnsafeRawBufferPointer
    let width: Int
    let stride: Int
    let border: SIMD4<Int16>
    let tolerance: SIMD4<Int16>

    init(_ bytes: UnsafeRawBufferPointer, width: Int, stride: Int, _ border: UInt32, _ tolerance: Int) {
        (self.bytes, self.width, self.stride) = (bytes, width, stride)
        self.border = SIMD4<Int16>(truncatingIfNeeded: unsafeBitCast(border, to: SIMD4<UInt8>.self))
        self.tolerance = SIMD4(repeating: Int16(tolerance))
    }

    /// Returns the range from the first to the last pixel of a row that differs from the border color, or `nil` if no
    /// pixel differs.
    func contentRange(_ y: Int) -> ClosedRange<Int>? {
        guard let first = (0..<width).first(where: { differs($0, y) }),
            let last = (first..<width).last(where: { differs($0, y) })
        else { return nil }
        return first...last
    }

    private func differs(_ x: Int, _ y: Int) -> Bool {
        let pixel = bytes.loadUnaligned(fromByteOffset: y * stride + 4 * x, as: SIMD4<UInt8>.self)
        let distance = SIMD4<Int16>(truncatingIfNeeded: pixel) &- border
        return any(distance .> tolerance) || any(distance .< (SIMD4.zero &- tolerance))
    }
}
