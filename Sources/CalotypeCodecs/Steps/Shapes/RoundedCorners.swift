extension ImageSteps {
    /// A step that rounds the corners with smooth edges. Pixels outside become transparent.
    public struct RoundedCorners: ImageStep, Hashable, Codable {
        /// The radius in pixels, possibly fractional, at most half the shorter side.
        public let radius: Double

        /// - Parameter radius: The radius in pixels. Values below 0, and NaN, count as 0 (no change). The default is 3.
        public init(radius: Double = 3) { self.radius = radius > 0 ? radius : 0 }

        /// Decodes a step, and raises a negative radius to 0.
        public init(from decoder: any Decoder) throws { self.init(radius: try Double(from: decoder)) }

        public func encode(to encoder: any Encoder) throws { try radius.encode(to: encoder) }

        public var key: String { "round(\(radius))" }

        public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
            guard radius > 0 else { return bitmap }
            return try bitmap.clipped(to: RoundedShape(filling: bitmap.size, radius: radius))
        }
    }
}

extension ImageStep where Self == ImageSteps.RoundedCorners {
    /// Rounds the corners, as `Round` of AWebImage does, by default with a radius of 3 pixels.
    public static func round(radius: Double = 3) -> Self { Self(radius: radius) }

    /// Rounds the corners with a radius of whole pixels.
    public static func round(radius: Int) -> Self { Self(radius: Double(radius)) }
}
