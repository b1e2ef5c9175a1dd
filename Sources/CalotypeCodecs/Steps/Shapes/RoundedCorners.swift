/// Makes the corners transparent outside a quarter circle, with smooth edges.
public struct RoundedCorners: ImageStep, Hashable, Codable {
    /// Pixels, fractions count. At most half the shorter side takes effect.
    public let radius: Double

    /// - Parameter radius: below 0 or not a number counts as 0, which changes nothing.
    public init(radius: Double = 3) {
        self.radius = radius > 0 ? radius : 0
    }

    /// Reads the value, clamped as when it is made.
    public init(from decoder: any Decoder) throws {
        self.init(radius: try decoder.singleValueContainer().decode(Double.self))
    }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(radius)
    }

    public var key: String { "round(\(radius))" }

    public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        guard radius > 0 else { return bitmap }
        return try bitmap.clipped(to: RoundedShape(filling: bitmap.size, radius: radius))
    }
}

extension ImageStep where Self == RoundedCorners {
    /// AWebImage's Round: rounded corners, of 3 pixels unless told otherwise.
    public static func round(radius: Double = 3) -> RoundedCorners { RoundedCorners(radius: radius) }
}
