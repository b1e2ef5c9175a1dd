/// Keeps the largest circle around the middle, with smooth edges; the pixels outside become transparent.
public struct Circle: ImageStep, Hashable, Codable {
    /// A Boolean value indicating whether the result has the size of the image. If `false`, it is the square around the
    /// circle.
    public let keepsSize: Bool

    /// Creates a step that keeps the inscribed circle.
    public init(keepsSize: Bool = false) {
        self.keepsSize = keepsSize
    }

    public var key: String { "circle(\(keepsSize ? "full" : "square"))" }

    public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        let image = keepsSize ? bitmap : try Crop(square: .center).apply(to: bitmap)
        return try image.clipped(to: RoundedShape(circleIn: image.size))
    }
}
