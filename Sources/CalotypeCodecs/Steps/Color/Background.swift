extension ImageSteps {
    /// Fills the background of transparent pixels with a color.
    public struct Background: ImageStep, Hashable, Codable {
        /// The color behind the image.
        public let color: ImageColor

        /// Creates a step that draws the image over `color`.
        public init(_ color: ImageColor) { self.color = color }

        public var key: String { "background(\(color))" }

        public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
            guard bitmap.hasAlpha, color.alpha > 0 else { return bitmap }
            let behind = color.converted(to: bitmap.gamut).premultipliedPixel
            return try bitmap.mapped(hasAlpha: color.alpha < 255) { pixel, _, _ in pixel.over(behind) }
                .declaring(gainMap: bitmap.gainMap)
        }
    }
}

extension ImageStep where Self == ImageSteps.Background {
    /// Fills the background of transparent pixels with a color.
    public static func background(_ color: ImageColor) -> Self { Self(color) }
}
