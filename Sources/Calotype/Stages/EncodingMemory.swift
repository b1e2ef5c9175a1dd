package import CalotypeCodecs

/// The memory of encoding an image, computed before a pixel is decoded.
package struct EncodingMemory: Sendable {
    /// Returns the peak memory of encoding an image of this size in bytes, including its bitmap.
    package let still: @Sendable (_ size: PixelSize, _ hasAlpha: Bool) -> Int
    /// Returns the peak memory of decoding and encoding all frames of an animation in bytes, besides the bitmap of its first
    /// frame. `nil` if the caller encodes the first frame alone.
    package let frames: (@Sendable (_ header: ImageHeader, _ fileBytes: Int) -> Int)?

    package init(
        frames: (@Sendable (_ header: ImageHeader, _ fileBytes: Int) -> Int)? = nil,
        still: @escaping @Sendable (_ size: PixelSize, _ hasAlpha: Bool) -> Int
    ) {
        (self.still, self.frames) = (still, frames)
    }
}
