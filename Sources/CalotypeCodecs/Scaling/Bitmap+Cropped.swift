extension Bitmap {
    /// The part of the image inside the rectangle, as pixels of its own. What lies outside the image is left out.
    ///
    /// - Throws: `unsupported` where the rectangle and the image have no pixel in common.
    public func cropped(to rect: PixelRect) throws(CodecError) -> Bitmap {
        guard let part = rect.clipped(to: size) else {
            throw CodecError(
                .unsupported,
                "nothing of \(width) × \(height) pixels lies in \(rect.width) × \(rect.height) at \(rect.x), \(rect.y)")
        }
        if part.width == width, part.height == height { return self }
        return try redrawn(width: part.width, height: part.height) { input, inputStride, output, outputStride in
            let start = input + part.y * inputStride + part.x * 4
            for row in 0..<part.height {
                (output + row * outputStride).update(from: start + row * inputStride, count: part.width * 4)
            }
        }
    }

    /// The window, or where it shows most of an image that is scaled to `full`.
    func placed(_ window: PixelRect, in full: PixelSize, gravity: Gravity) throws(CodecError) -> PixelRect {
        guard gravity.isAttention, window.size != full else { return window }
        return try AttentionMap(self).window(like: window, in: full)
    }

    /// The window of this size that the gravity points to.
    func cropped(to size: PixelSize, gravity: Gravity) throws(CodecError) -> Bitmap {
        let window = PixelRect(size, in: self.size, gravity: gravity)
        return try cropped(to: try placed(window, in: self.size, gravity: gravity))
    }
}
