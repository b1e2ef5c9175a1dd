/// Cuts out a window, without scaling: at most `size`, less where the picture is smaller.
public struct Crop: ImageStep, Hashable, Codable {
    /// The size of the result, in pixels.
    public let size: PixelSize
    /// Where in the image the window lies.
    public let gravity: Gravity

    /// - Parameter size: pixels; sides below 1 count as 1.
    public init(_ size: PixelSize, gravity: Gravity = .center) {
        self.size = PixelSize(width: max(size.width, 1), height: max(size.height, 1))
        self.gravity = gravity
    }

    private enum CodingKeys: CodingKey { case size, gravity }

    /// Reads the value, clamped as when it is made.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode(PixelSize.self, forKey: .size),
            gravity: try container.decode(Gravity.self, forKey: .gravity))
    }

    public var key: String { "crop(\(size.width)x\(size.height)\(gravity.keySuffix))" }

    public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        try bitmap.cropped(to: size, gravity: gravity)
    }
}
