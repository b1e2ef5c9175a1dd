/// Scales to a target and, for `fill`, cuts off what sticks out.
public struct Resize: ImageStep, Hashable, Codable {
    /// The size and the way to it.
    public let target: ResizeTarget

    /// Creates a step that resizes.
    public init(_ target: ResizeTarget) {
        self.target = target
    }

    public var key: String { "resize(\(target.key))" }

    public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        let cut = try bitmap.cutToShape(for: target)
        return try cut.scaled(to: target.croppedSize(for: bitmap.size), filter: target.filter)
    }
}

extension Bitmap {
    /// For `fill`, the part of the picture that ends up in the result, so that nothing is scaled in vain.
    fileprivate func cutToShape(for target: ResizeTarget) throws(CodecError) -> Bitmap {
        let scaled = target.scaledSize(for: size)
        let cropped = target.croppedSize(for: size)
        guard scaled != cropped else { return self }
        let part = PixelSize(
            width: PixelSize.pixels(Double(width) * Double(cropped.width) / Double(scaled.width)),
            height: PixelSize.pixels(Double(height) * Double(cropped.height) / Double(scaled.height)))
        return try self.cropped(to: part, gravity: target.gravity)
    }
}
