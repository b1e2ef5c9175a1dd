import Foundation

/// The frames of a GIF. Each is decoded directly from its offset in the file.
final class GIFFrames: FrameDecoder {
    let index: AnimationIndex
    private let data: Data
    private let frames: [GIFBlocks.Frame]

    /// Returns `nil` if the file contains no complete frame.
    init?(_ data: Data, header: ImageHeader, limits: DecodeLimits) throws(CodecError) {
        var found: (frames: [GIFBlocks.Frame], loopCount: Int?) = ([], nil)
        try data.reading { (bytes) throws(CodecError) in
            guard var blocks = GIFBlocks(ByteReader(bytes)) else { return }
            while let frame = blocks.next() {
                try limits.check(frameCount: found.frames.count + 1, of: header)
                found.frames.append(frame)
            }
            // A truncated last frame is not shown.
            if blocks.isCutShort { found.frames.removeLast() }
            found.loopCount = blocks.loopCount
        }
        if found.frames.isEmpty { return nil }
        self.data = data
        frames = found.frames
        index = AnimationIndex(
            canvas: header.stored, loopCount: found.loopCount,
            frames: frames.map { frame in
                AnimationFrame(
                    rect: frame.rect, duration: .milliseconds(frame.milliseconds), disposal: frame.disposal,
                    hasAlpha: frame.hasAlpha)
            })
    }

    func pixels(of number: Int) throws(CodecError) -> Bitmap {
        let (frame, size) = (frames[number], index.frames[number].rect.size)
        return try data.reading { (bytes) throws(CodecError) in
            let file = try GIFFile(bytes, at: frame)
            return try Bitmap(size, hasAlpha: frame.hasAlpha) { (pixels, stride) throws(CodecError) in
                try file.draw(frame, at: (0, 0), on: PixelRows(pixels, size: size, stride: stride))
            }
        }
    }
}
