extension Bitmap {
    /// Returns a copy of the part inside the rectangle, which is clipped to the image.
    ///
    /// - Throws: `unsupported` if the rectangle lies outside the image, `tooLarge` if memory is exhausted.
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

    /// Returns a window in a scaled image of size `full`. `Gravity.attention` moves it to the most salient part.
    func placed(_ window: PixelRect, in full: PixelSize, gravity: Gravity) throws(CodecError) -> PixelRect {
        guard gravity.isAttention, window.size != full else { return window }
        return try AttentionMap(self).window(like: window, in: full)
    }

    /// Returns the part of this size at the gravity's position.
    func cropped(to size: PixelSize, gravity: Gravity) throws(CodecError) -> Bitmap {
        let window = PixelRect(size, in: self.size, gravity: gravity)
        return try cropped(to: try placed(window, in: self.size, gravity: gravity))
    }
}
