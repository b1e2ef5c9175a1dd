/// Shrinks until the shorter side has this length, its ratio kept. A picture that is smaller already stays as it is.
public struct ResizeShortSide: ImageStep, Hashable {
    /// Pixels; the result is rounded to whole ones. Less than 1 or not a number counts as 1.
    public let length: Double

    public init(_ length: Double) {
        self.length = length > 1 ? length : 1
    }

    public var key: String { "short-side(\(length))" }

    public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        let short = Double(min(bitmap.width, bitmap.height))
        return length < short ? try bitmap.scaled(to: bitmap.size.scaled(by: length / short)) : bitmap
    }
}
