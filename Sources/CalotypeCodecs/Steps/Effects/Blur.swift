/// A Gaussian blur. What lies beyond the edge does not count, so that edges do not darken.
public struct Blur: ImageStep, Hashable, Codable {
    /// The standard deviation, in pixels: about a third of how far a dot spreads. At most 1,000.
    public let sigma: Double

    /// Creates a step that blurs.
    ///
    /// - Parameter sigma: 0.1 and below, and what is not a number, changes nothing.
    public init(sigma: Double) {
        self.sigma = sigma > 0.1 ? min(sigma, 1000) : 0
    }

    /// Reads the value, clamped as when it is made.
    public init(from decoder: any Decoder) throws {
        self.init(sigma: try decoder.singleValueContainer().decode(Double.self))
    }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(sigma)
    }

    public var key: String { "blur(\(sigma))" }

    public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        sigma == 0 ? bitmap : try bitmap.scaled(ImageScaling(blurring: bitmap.size, deviation: sigma))
    }
}

extension ImageStep where Self == Blur {
    /// A Gaussian blur of this deviation, in pixels.
    public static func blur(sigma: Double) -> Blur { Blur(sigma: sigma) }
}
