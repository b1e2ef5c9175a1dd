extension ImageSteps {
    /// A Gaussian blur. Averages only pixels within the image, so that the edges do not darken.
    public struct Blur: ImageStep, Hashable, Codable {
        /// The standard deviation in pixels, at most 1,000. 0 changes nothing. A point spreads about three times as
        /// far.
        public let sigma: Double

        /// Creates a step that blurs with a Gaussian of this standard deviation, in pixels. Values up to 0.1, and NaN,
        /// count as 0.
        public init(sigma: Double) { self.sigma = sigma > 0.1 ? min(sigma, 1000) : 0 }

        /// Decodes a step, and limits `sigma` like the initializer.
        public init(from decoder: any Decoder) throws { self.init(sigma: try Double(from: decoder)) }

        public func encode(to encoder: any Encoder) throws { try sigma.encode(to: encoder) }

        public var key: String { "blur(\(sigma))" }

        public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
            guard sigma > 0 else { return bitmap }
            return try bitmap.scaled(ImageScaling(blurring: bitmap.size, deviation: sigma))
                .declaring(gainMap: bitmap.gainMap?.blurred(sigma, on: bitmap.size))
        }
    }
}

extension ImageStep where Self == ImageSteps.Blur {
    /// Blurs with a Gaussian of this standard deviation, in pixels.
    public static func blur(sigma: Double) -> Self { Self(sigma: sigma) }
}
