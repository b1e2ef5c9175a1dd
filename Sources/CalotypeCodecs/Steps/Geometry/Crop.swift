/// Cuts out a part of the image, without scaling.
public struct Crop: ImageStep, Hashable, Codable {
    /// The size of the part, in pixels; `nil` for a square of the shorter side.
    public let size: PixelSize?
    /// Where in the image the part lies.
    public let gravity: Gravity

    /// Creates a step that cuts out a window: at most `size`, less where the image is smaller.
    ///
    /// - Parameter size: In pixels; sides below 1 count as 1.
    public init(_ size: PixelSize, gravity: Gravity = .center) {
        self.size = PixelSize(width: max(size.width, 1), height: max(size.height, 1))
        self.gravity = gravity
    }

    /// Creates a step that cuts the longer side to the length of the shorter one.
    ///
    /// - Parameter gravity: The part of the longer side that is kept.
    public init(square gravity: Gravity) {
        size = nil
        self.gravity = gravity
    }

    private enum CodingKeys: CodingKey { case size, gravity }

    /// Reads the value, clamped as when it is made.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let gravity = try container.decode(Gravity.self, forKey: .gravity)
        let size = try container.decodeIfPresent(PixelSize.self, forKey: .size)
        self = size.map { Crop($0, gravity: gravity) } ?? Crop(square: gravity)
    }

    public var key: String {
        size.map { "crop(\($0.width)x\($0.height)\(gravity.keySuffix))" } ?? "square\(gravity.keySuffix)"
    }

    public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        let side = min(bitmap.width, bitmap.height)
        return try bitmap.cropped(to: size ?? PixelSize(width: side, height: side), gravity: gravity)
    }
}

extension ImageStep where Self == Crop {
    /// Cuts out a part of at most this size, without scaling.
    public static func crop(to size: PixelSize, gravity: Gravity = .center) -> Crop {
        Crop(size, gravity: gravity)
    }

    /// AWebImage's Square: the middle, cut to the length of the shorter side.
    public static var square: Crop { Crop(square: .center) }

    /// A square of the shorter side, where gravity says.
    public static func square(gravity: Gravity) -> Crop { Crop(square: gravity) }
}
