extension ImageSteps {
    /// A step that draws a frame along the inner edge of the image, whose size does not change. ``ImageSteps/Pad`` adds a
    /// border outside.
    public struct Border: ImageStep, Hashable, Codable {
        /// The width of the frame in pixels, possibly fractional.
        public let width: Double
        /// The color of the frame.
        public let color: ImageColor
        /// The radius of the outer corners in pixels, at most half the shorter side. Pixels outside the rounded corners
        /// become transparent. The default is 0.
        public let radius: Double

        /// Creates a step that draws a frame. A width or radius that is negative or NaN counts as 0.
        public init(width: Double, color: ImageColor, radius: Double = 0) {
            self.width = width > 0 ? width : 0
            self.color = color
            self.radius = radius > 0 ? radius : 0
        }

        /// Decodes a step, and raises a negative width or radius to 0.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                width: try container.decode(Double.self, forKey: .width),
                color: try container.decode(ImageColor.self, forKey: .color),
                radius: try container.decode(Double.self, forKey: .radius))
        }

        public var key: String { "border(\(width),\(color),\(radius))" }

        public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
            guard width > 0 || radius > 0 else { return bitmap }
            let outer = RoundedShape(filling: bitmap.size, radius: radius)
            let inner = outer.inset(by: width)
            let frame = color.converted(to: bitmap.gamut).premultipliedPixel
            let framed = try bitmap.mapped(hasAlpha: bitmap.hasAlpha || radius > 0) { pixel, x, y in
                let inside = inner?.coverage(x: x, y: y) ?? 0
                if inside == 255 { return pixel }
                let edge = outer.coverage(x: x, y: y) - min(outer.coverage(x: x, y: y), inside)
                return pixel.share(inside) &+ frame.over(pixel).share(edge)
            }
            return framed.declaring(gainMap: try bitmap.gainMap?.clipped(to: inner, on: bitmap.size))
        }
    }
}

extension ImageStep where Self == ImageSteps.Border {
    /// Draws a frame along the inside of the image's edge.
    public static func border(width: Double, color: ImageColor, radius: Double = 0) -> Self {
        Self(width: width, color: color, radius: radius)
    }

    /// Draws a frame of whole pixels along the inside of the image's edge.
    public static func border(width: Int, color: ImageColor, radius: Int = 0) -> Self {
        Self(width: Double(width), color: color, radius: Double(radius))
    }
}
