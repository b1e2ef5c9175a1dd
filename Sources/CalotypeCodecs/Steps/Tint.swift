/// Colors the image in shades of one color: its luminance times the color. Black stays black, white becomes the color.
public struct Tint: ImageStep, Hashable, Codable {
    /// Its alpha does not count.
    public let color: ImageColor
    /// 0 (nothing changes) to 1. The default is 1.
    public let amount: Double

    /// Creates a step that colors the image.
    ///
    /// - Parameter amount: clamped to 0...1; what is not a number counts as 1.
    public init(_ color: ImageColor, amount: Double = 1) {
        self.color = color
        self.amount = amount.isNaN ? 1 : min(max(amount, 0), 1)
    }

    private enum CodingKeys: CodingKey { case color, amount }

    /// Reads the value, clamped as when it is made.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode(ImageColor.self, forKey: .color),
            amount: try container.decode(Double.self, forKey: .amount))
    }

    public var key: String { "tint(\(color),\(amount))" }

    public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        amount == 0 ? bitmap : try ColorMatrix(tint: color, amount: amount).apply(to: bitmap)
    }
}
