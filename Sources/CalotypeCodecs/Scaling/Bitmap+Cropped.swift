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
        let cropped = try redrawn(width: part.width, height: part.height) { input, inputStride, output, outputStride in
            let start = input + part.y * inputStride + part.x * 4
            for row in 0..<part.height {
                (output + row * outputStride).update(from: start + row * inputStride, count: part.width * 4)
            }
        }
        return cropped.declaring(gainMap: gainMap.map { $0.changing($0.plan.cropped(to: part, of: size)) })
    }

    /// Returns the part of this size at the gravity's position.
    func cropped(to size: PixelSize, gravity: Gravity) throws(CodecError) -> Bitmap {
        var window = PixelRect(size, in: self.size, gravity: gravity)
        if gravity.isAttention, window.size != self.size {
            window = try AttentionMap(self).window(like: window, in: self.size)
        }
        return try cropped(to: window)
    }
}
