/// Mirrors the image.
public struct Flip: ImageStep, Hashable, Codable {
    /// The sides that a flip exchanges. Values may be added; an unknown name changes nothing.
    public struct Direction: RawRepresentable, Hashable, Sendable, Codable {
        /// The name of the direction, as keys have it.
        public let rawValue: String

        /// Creates a direction by its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Left and right.
        public static let horizontal = Direction(rawValue: "horizontal")
        /// Top and bottom.
        public static let vertical = Direction(rawValue: "vertical")
    }

    /// The sides that are exchanged.
    public let direction: Direction

    /// Creates a step that mirrors the image.
    public init(_ direction: Direction) {
        self.direction = direction
    }

    public var key: String { "flip(\(direction.rawValue))" }

    public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        switch direction {
        case .horizontal: try bitmap.oriented(2)
        case .vertical: try bitmap.oriented(4)
        default: bitmap
        }
    }
}
