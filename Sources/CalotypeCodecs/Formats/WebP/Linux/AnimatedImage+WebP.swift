public import Foundation

extension AnimatedImage {
    /// Encodes all frames as an animated WebP in the gamut of the first one, with their durations and the loop count.
    ///
    /// Decodes and encodes frame by frame. Blocks the calling thread.
    ///
    /// ```swift
    /// let smaller = try DecoderRegistry.standard.animation(for: gif, target: ResizeTarget(width: 200))
    /// let file = try smaller?.encoded(as: .webp(quality: 75))
    /// ```
    ///
    /// - Parameter format: `.webp` or `.webpLossless`.
    /// - Throws: `encodingFailed` for other formats or if WebP cannot store the result, `tooLarge` beyond
    ///   ``DecodeLimits/maxAnimationPixels``, and the errors of ``frame(at:)``.
    public func encoded(as format: EncodingFormat) throws(CodecError) -> Data {
        try encoded(as: format, frames: .max) { true }
    }

    /// The peak memory of encoding the animation in bytes, without the file that is written.
    package var encodingBytes: Int {
        // As in `AnimationMemory`, with the steps that the layout does not know.
        byteCount + cost + 5 * resultSize.bitmapMemory
    }

    /// Returns the number of pixels of the first frames that counts against ``DecodeLimits/maxAnimationPixels``.
    ///
    /// - Parameter limit: The maximum number of frames. At least one frame counts.
    package func encodingPixels(frames limit: Int) -> Int {
        DecodeLimits.animationPixels(frameCount: min(frameCount, max(limit, 1)), of: resultSize, on: canvas)
    }

    /// Encodes only the first frames as an animated WebP.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of frames. At least one frame is encoded. Only encoded frames count against
    ///     ``DecodeLimits/maxAnimationPixels``.
    ///   - goesOn: Called before each frame. If it returns `false`, the encoding ends with `cancelled`.
    package func encoded(
        as format: EncodingFormat, frames limit: Int, while goesOn: () -> Bool
    ) throws(CodecError) -> Data {
        guard let encoder = format.encoder as? WebPEncoder else {
            throw CodecError(.encodingFailed, "\(format.imageFormat) keeps one frame; WebP keeps motion")
        }
        let first = try frame(at: 0)
        let durations = durations.prefix(max(limit, 1))
        try limits.check(frameCount: durations.count, of: first.size, on: canvas)
        let writer = try AnimatedWebPWriter(
            size: first.size, loopCount: loopCount, compression: encoder.compression, effort: encoder.effort,
            gamut: first.gamut)
        for (index, duration) in durations.enumerated() {
            guard goesOn() else { throw .cancelled }
            try writer.add(index == 0 ? first : frame(at: index), duration: duration)
        }
        return try writer.finish()
    }
}

extension WebPEncoder: AnimationEncoder {
    package func encode(
        _ animation: AnimatedImage, credits: ImageCredits?, while goesOn: () -> Bool
    ) throws(CodecError) -> Data {
        let file = try animation.encoded(as: EncodingFormat(self), frames: .max, while: goesOn)
        guard let credits else { return file }
        return try EXIFBlock(credits).embedded(in: file, .webp)
    }

    package func peakBytes(of animation: AnimatedImage) -> Int { animation.encodingBytes }
}
