/// Shrinks until the shorter side has this length, its ratio kept. A smaller image stays as it is.
public struct ResizeShortSide: ImageStep, Hashable, Codable {
    /// Pixels; the result is rounded to whole ones. Less than 1 or not a number counts as 1.
    public let length: Double
    /// The filter that shrinks. The default is `automatic`.
    public let filter: ResizeFilter

    /// Creates a step that brings the shorter side to a number of pixels.
    public init(_ length: Double, filter: ResizeFilter = .automatic) {
        self.length = length > 1 ? length : 1
        self.filter = filter
    }

    private enum CodingKeys: CodingKey { case length, filter }

    /// Reads the value, clamped as when it is made.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode(Double.self, forKey: .length),
            filter: try container.decode(ResizeFilter.self, forKey: .filter))
    }

    public var key: String { "short-side(\(length)\(filter == .automatic ? "" : ",filter \(filter.rawValue)"))" }

    public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        let short = Double(min(bitmap.width, bitmap.height))
        guard length < short else { return bitmap }
        return try bitmap.scaled(to: bitmap.size.scaled(by: length / short), filter: filter)
    }
}
