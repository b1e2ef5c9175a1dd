extension ImageSteps {
    /// A step that mirrors the image.
    public struct Flip: ImageStep, Hashable, Codable {
        private enum Direction: String, Codable { case horizontal, vertical }

        private let direction: Direction

        /// Swaps left and right.
        public static let horizontal = Flip(direction: .horizontal)
        /// Swaps top and bottom.
        public static let vertical = Flip(direction: .vertical)

        public var key: String { "flip(\(direction.rawValue))" }

        public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
            switch direction {
            case .horizontal: try bitmap.oriented(2)
            case .vertical: try bitmap.oriented(4)
            }
        }
    }
}

extension ImageStep where Self == ImageSteps.Flip {
    /// Swaps left and right, or top and bottom.
    public static func flip(_ direction: Self) -> Self { direction }
}
