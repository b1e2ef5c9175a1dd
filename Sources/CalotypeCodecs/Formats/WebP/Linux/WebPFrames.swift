import Foundation

/// The frames of an animated WebP. Each is decoded directly from its offset in the file.
final class WebPFrames: FrameDecoder {
    let index: AnimationIndex
    private let data: Data
    private let frames: [WebPFrameIndex.Frame]
    private let colors: ColorConversion?
    private let gamut: ColorGamut

    /// Returns `nil` if the file has no frames.
    init?(_ data: Data, header: ImageHeader, limits: DecodeLimits, gamut: ColorGamut) throws(CodecError) {
        let canvas = header.stored
        (frames, colors, index) = try data.reading { (bytes) throws(CodecError) in
            let found = WebPFrameIndex(ByteReader(bytes), limit: limits.frameScanLimit)
            try limits.check(frameCount: found.frames.count, of: header)
            let frames = try found.frames.map { (frame) throws(CodecError) in
                try frame.check(on: canvas)
                return AnimationFrame(
                    rect: frame.rect, duration: frame.duration, disposal: frame.clearsAfterwards ? .clear : .keep,
                    blends: frame.blends, hasAlpha: try frame.bitstream(bytes).features().hasAlpha)
            }
            return (
                found.frames, ColorConversion.rgb(WebPContainer(bytes, mayBeTruncated: true)?.profile, isGray: false),
                AnimationIndex(canvas: canvas, loopCount: found.loopCount == 0 ? nil : found.loopCount, frames: frames)
            )
        }
        if frames.isEmpty { return nil }
        (self.data, self.gamut) = (data, gamut)
    }

    func pixels(of number: Int) throws(CodecError) -> Bitmap {
        let frame = frames[number]
        var bitmap = try data.reading { (bytes) throws(CodecError) in
            let bitstream = frame.bitstream(bytes)
            guard try bitstream.features().size == frame.rect.size else {
                throw CodecError(.damaged, "WebP is damaged: frame \(number) is not of the size announced")
            }
            let hasAlpha = index.frames[number].hasAlpha
            return try Bitmap(frame.rect.size, hasAlpha: hasAlpha) { (pixels, stride) throws(CodecError) in
                try bitstream.decode(into: pixels, size: frame.rect.size, stride: stride, isScaled: false)
            }
        }
        try colors?.apply(to: &bitmap, as: gamut)
        return bitmap
    }
}

extension WebPFrameIndex.Frame {
    fileprivate func bitstream(_ file: UnsafeRawBufferPointer) -> WebPBitstream {
        WebPBitstream(bytes: UnsafeRawBufferPointer(rebasing: file[content]))
    }

    fileprivate func check(on canvas: PixelSize) throws(CodecError) {
        guard rect.x + rect.width <= canvas.width, rect.y + rect.height <= canvas.height else {
            throw CodecError(.damaged, "WebP is damaged: a frame of \(rect.size) reaches over its canvas of \(canvas)")
        }
    }
}
