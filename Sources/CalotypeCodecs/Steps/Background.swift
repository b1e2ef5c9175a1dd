/// Puts a color behind the transparent parts of the image.
public struct Background: ImageStep, Hashable, Codable {
    public let color: ImageColor

    public init(_ color: ImageColor) {
        self.color = color
    }

    public var key: String { "background(\(color))" }

    public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        guard bitmap.hasAlpha, color.alpha > 0 else { return bitmap }
        let behind = color.premultipliedPixel
        return try bitmap.mapped(hasAlpha: color.alpha < 255) { pixel, _, _ in pixel.over(behind) }
    }
}
