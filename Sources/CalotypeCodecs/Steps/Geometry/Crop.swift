extension ImageSteps {
    /// A step that crops the image without scaling.
    public struct Crop: ImageStep, Hashable, Codable {
        /// The size of the crop in pixels, or `nil` for a square as long as the image's shorter side.
        public let size: PixelSize?
        /// The position of the crop in the image.
        public let gravity: Gravity

        /// Creates a step that crops to `size`, or to the image's sides if they are shorter. Sides below 1 count as 1.
        ///
        /// - Parameter gravity: The part of the image to keep. The default is the center.
        public init(_ size: PixelSize, gravity: Gravity = .center) {
            self.size = PixelSize(width: max(size.width, 1), height: max(size.height, 1))
            self.gravity = gravity
        }

        /// Creates a step that crops to a square as long as the image's shorter side.
        ///
        /// - Parameter gravity: The part of the longer side to keep.
        public init(square gravity: Gravity) {
            size = nil
            self.gravity = gravity
        }

        /// Decodes a step, and raises sides below 1 to 1.
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
}

extension ImageStep where Self == ImageSteps.Crop {
    /// Crops to at most this size, without scaling.
    public static func crop(to size: PixelSize, gravity: Gravity = .center) -> Self {
        Self(size, gravity: gravity)
    }

    /// Crops to the central square whose side is the image's shorter side, as `Square` of AWebImage does.
    public static var square: Self { Self(square: .center) }

    /// Crops to a square whose side is the image's shorter side, placed by the gravity.
    public static func square(gravity: Gravity) -> Self { Self(square: gravity) }
}
