extension ImageSteps {
    /// A step that rotates the image by quarter turns.
    public struct Rotate: ImageStep, Hashable, Codable {
        /// The number of clockwise quarter turns, from 0 to 3.
        public let quarterTurns: Int

        /// Creates a step that rotates clockwise by a number of quarter turns, modulo 4. Negative numbers turn
        /// counterclockwise.
        public init(quarterTurns: Int) { self.quarterTurns = quarterTurns & 3 }

        /// Decodes a step, and takes the number of quarter turns modulo 4.
        public init(from decoder: any Decoder) throws { self.init(quarterTurns: try Int(from: decoder)) }

        public func encode(to encoder: any Encoder) throws { try quarterTurns.encode(to: encoder) }

        public var key: String { "rotate(\(quarterTurns))" }

        public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
            try bitmap.oriented([1, 6, 3, 8][quarterTurns])
        }
    }
}

extension ImageStep where Self == ImageSteps.Rotate {
    /// Rotates clockwise by this number of quarter turns.
    public static func rotate(quarterTurns: Int) -> Self { Self(quarterTurns: quarterTurns) }
}
