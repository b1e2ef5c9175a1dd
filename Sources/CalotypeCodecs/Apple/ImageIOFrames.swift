#if canImport(ImageIO)
    import Foundation

    /// The frames of an animation decoded by Image I/O, which draws each frame over the earlier ones. Every frame
    /// thus covers the canvas and has no dependencies.
    final class ImageIOFrames: FrameDecoder {
        let index: AnimationIndex
        private let source: ImageIOSource

        /// Returns `nil` if Image I/O does not recognize the file, if its format has no frames, or for a still image.
        init?(_ data: Data, header: ImageHeader, limits: DecodeLimits) throws(CodecError) {
            guard let source = ImageIOSource(data), let keys = source.timingKeys else { return nil }
            let count = source.frameCount
            guard count > 1 else { return nil }
            try limits.check(frameCount: count, of: header)
            let canvas = PixelRect(x: 0, y: 0, width: header.width, height: header.height)
            self.source = source
            index = AnimationIndex(
                canvas: header.stored, loopCount: source.loopCount(keys),
                frames: (0..<count).map { number in
                    let frame = source.frame(number, keys)
                    return AnimationFrame(
                        rect: canvas, duration: frame.duration, blends: false, hasAlpha: frame.hasAlpha)
                })
        }

        func pixels(of number: Int) throws(CodecError) -> Bitmap {
            try Bitmap(drawing: source.frameImage(number), hasAlpha: index.frames[number].hasAlpha)
        }
    }
#endif
