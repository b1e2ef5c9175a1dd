extension ImageSteps {
    /// An unsharp mask: adds the detail that a blur would remove.
    public struct Sharpen: ImageStep, Hashable, Codable {
        /// The standard deviation of the blur in pixels, at most 100. Values up to 0.1, and NaN, change nothing. The
        /// default is 1.
        public let sigma: Double
        /// The factor of the added detail, at most 10. Values up to 0, and NaN, change nothing. The default is 0.5.
        public let amount: Double

        /// Creates a step that sharpens.
        public init(sigma: Double = 1, amount: Double = 0.5) {
            self.sigma = sigma > 0.1 ? min(sigma, 100) : 0
            self.amount = amount > 0 ? min(amount, 10) : 0
        }

        /// Decodes a step, and limits `sigma` and `amount` like the initializer.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                sigma: try container.decode(Double.self, forKey: .sigma),
                amount: try container.decode(Double.self, forKey: .amount))
        }

        public var key: String { "sharpen(\(sigma),\(amount))" }

        public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
            guard sigma > 0, amount > 0 else { return bitmap }
            let soft = try Blur(sigma: sigma).apply(to: bitmap.declaring(gainMap: nil))
            let share = Int32((amount * 256).rounded())
            let sharp = try bitmap.redrawn { input, inputStride, output, outputStride in
                soft.withUnsafeBytes { blurredPixels in
                    for y in 0..<bitmap.height {
                        for x in 0..<bitmap.width {
                            let place = y * inputStride + 4 * x
                            let pixel = Self.pixel(UnsafeRawPointer(input), place)
                            let blurred = Self.pixel(blurredPixels.baseAddress, y * soft.stride + 4 * x)
                            let detail = Self.detail(of: pixel, blurred) &* share
                            let sum = (pixel &* 256 &+ detail &+ 128) &>> 8
                            // Alpha is unchanged. In premultiplied pixels, no color channel may exceed it.
                            var result = sum.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: pixel.w))
                            result.w = pixel.w
                            UnsafeMutableRawPointer(output).storeBytes(
                                of: SIMD4<UInt8>(truncatingIfNeeded: result), toByteOffset: y * outputStride + 4 * x,
                                as: SIMD4<UInt8>.self)
                        }
                    }
                }
            }
            return sharp.declaring(gainMap: bitmap.gainMap)
        }

        /// Returns the difference to the blurred color, not to its opacity: beside a transparent area, the blurred
        /// pixel is darker only because it is less opaque.
        @inline(__always)
        private static func detail(of pixel: SIMD4<Int32>, _ blurred: SIMD4<Int32>) -> SIMD4<Int32> {
            if blurred.w == pixel.w { return pixel &- blurred }
            let difference = pixel &* blurred.w &- blurred &* pixel.w
            return difference / SIMD4(repeating: max(blurred.w, pixel.w))
        }

        @inline(__always)
        private static func pixel(_ bytes: UnsafeRawPointer?, _ offset: Int) -> SIMD4<Int32> {
            guard let bytes else { return .zero }
            return SIMD4<Int32>(truncatingIfNeeded: bytes.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt8>.self))
        }
    }
}

extension ImageStep where Self == ImageSteps.Sharpen {
    /// Sharpens with an unsharp mask.
    public static func sharpen(sigma: Double = 1, amount: Double = 0.5) -> Self {
        Self(sigma: sigma, amount: amount)
    }
}
