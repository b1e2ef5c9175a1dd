/// Cuts the image to a square of its shorter side, without scaling.
public struct Square: ImageStep, Hashable, Codable {
    /// The part of the longer side that is kept.
    public let gravity: Gravity

    /// Creates a step that cuts out a square. The default is its center.
    public init(gravity: Gravity = .center) {
        self.gravity = gravity
    }

    public var key: String { "square\(gravity.keySuffix)" }

    public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        let side = min(bitmap.width, bitmap.height)
        return try bitmap.cropped(to: PixelSize(width: side, height: side), gravity: gravity)
    }
}
