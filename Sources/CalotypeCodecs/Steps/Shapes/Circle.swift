extension ImageSteps {
    /// A step that clips the image to the largest centered circle, with smooth edges. Pixels outside become transparent.
    public struct Circle: ImageStep, Hashable, Codable {
        /// Whether the result keeps the size of the image. If `false` (the default), it is cropped to the square around the
        /// circle.
        public let keepsSize: Bool

        /// Creates a step that clips to the inscribed circle.
        public init(keepsSize: Bool = false) { self.keepsSize = keepsSize }

        public var key: String { "circle(\(keepsSize ? "full" : "square"))" }

        public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
            let image = keepsSize ? bitmap : try Crop(square: .center).apply(to: bitmap)
            return try image.clipped(to: RoundedShape(circleIn: image.size))
        }
    }
}

extension ImageStep where Self == ImageSteps.Circle {
    /// Crops to the central square and clips it to a circle.
    public static var circle: Self { Self() }

    /// Clips to a circle. With `keepsSize`, keeps the canvas as large as the image, as `Circle` of AWebImage does.
    public static func circle(keepsSize: Bool) -> Self { Self(keepsSize: keepsSize) }
}
