/// Keeps the largest circle around the middle, with smooth edges; what lies outside becomes transparent.
public struct Circle: ImageStep, Hashable, Codable {
    /// The part that is kept of an image that is not square. Values may be added.
    public struct Canvas: RawRepresentable, Hashable, Sendable, Codable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The square around the circle.
        public static let square = Canvas(rawValue: "square")
        /// All of it: the size stays, the sides become transparent.
        public static let full = Canvas(rawValue: "full")
    }

    /// The size of the result's canvas.
    public let canvas: Canvas

    /// Creates a step that keeps the inscribed circle.
    public init(canvas: Canvas = .square) {
        self.canvas = canvas
    }

    public var key: String { "circle(\(canvas.rawValue))" }

    public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        let picture = canvas == .full ? bitmap : try Square().apply(to: bitmap)
        return try picture.clipped(to: RoundedShape(circleIn: picture.size))
    }
}
