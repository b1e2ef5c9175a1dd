/// Turns by quarters.
public struct Rotate: ImageStep, Hashable, Codable {
    /// Clockwise, 0 to 3.
    public let quarterTurns: Int

    /// Creates a step that turns the image.
    ///
    /// - Parameter quarterTurns: clockwise; a negative number turns the other way, and four change nothing.
    public init(quarterTurns: Int) {
        self.quarterTurns = quarterTurns & 3
    }

    /// Reads the value, clamped as when it is made.
    public init(from decoder: any Decoder) throws {
        self.init(quarterTurns: try decoder.singleValueContainer().decode(Int.self))
    }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(quarterTurns)
    }

    public var key: String { "rotate(\(quarterTurns))" }

    public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        try bitmap.oriented([1, 6, 3, 8][quarterTurns])
    }
}

extension ImageStep where Self == Rotate {
    /// Turns clockwise by so many quarters.
    public static func rotate(quarterTurns: Int) -> Rotate { Rotate(quarterTurns: quarterTurns) }
}
