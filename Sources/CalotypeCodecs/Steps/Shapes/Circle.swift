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

extension ImageStep where Self == Circle {
    /// The circle inside the square that the middle of the image is cut to.
    public static var circle: Circle { Circle() }

    /// AWebImage's Circle is `.circle(keepsSize: true)`: the circle on a canvas as large as the image.
    public static func circle(keepsSize: Bool) -> Circle { Circle(keepsSize: keepsSize) }
}
