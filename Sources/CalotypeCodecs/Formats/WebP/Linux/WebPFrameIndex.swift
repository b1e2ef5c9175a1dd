/// The frames of an animated WebP, read directly from its chunks. libwebp's demuxer starts each search for a frame at
/// the first frame, which takes minutes for a file with many frames.
struct WebPFrameIndex {
    struct Frame {
        var rect: PixelRect
        var duration: Duration
        /// The range of the frame's chunks in the file.
        var content: Range<Int>
        var clearsAfterwards: Bool
        var blends: Bool
    }

    private(set) var frames: [Frame] = []
    /// The number of times that the animation plays; 0 repeats forever.
    private(set) var loopCount = 0

    /// Reads up to `limit` frames, and stops at the first incomplete one.
    init(_ file: ByteReader, limit: Int = .max) {
        var offset = 12
        while let size = file.uint32(at: offset + 4, bigEndian: false), frames.count < limit {
            let content = offset + 8..<offset + 8 + size
            if file.has("ANIM", at: offset) {
                loopCount = file.uint16(at: offset + 12, bigEndian: false) ?? 0
            } else if file.has("ANMF", at: offset) {
                guard content.upperBound <= file.count, let frame = Frame(file, content) else { return }
                frames.append(frame)
            }
            offset = content.upperBound + size & 1
        }
    }

    var duration: Duration { frames.reduce(.zero) { $0 + $1.duration } }
}

extension WebPFrameIndex.Frame {
    /// Reads the frame header: position, size minus one and duration in three bytes each, then flags.
    fileprivate init?(_ file: ByteReader, _ chunk: Range<Int>) {
        func number(_ index: Int) -> Int? {
            let offset = chunk.lowerBound + 3 * index
            guard let low = file.uint16(at: offset, bigEndian: false), let high = file.uint8(at: offset + 2)
            else { return nil }
            return high << 16 | low
        }
        guard chunk.count >= 16, let x = number(0), let y = number(1), let width = number(2), let height = number(3),
            let milliseconds = number(4), let flags = file.uint8(at: chunk.lowerBound + 15)
        else { return nil }
        self.init(
            rect: PixelRect(x: 2 * x, y: 2 * y, width: width + 1, height: height + 1),
            duration: ImageHeader.shownDuration(milliseconds: milliseconds),
            content: chunk.lowerBound + 16..<chunk.upperBound, clearsAfterwards: flags & 1 != 0,
            blends: flags & 2 == 0)
    }
}
