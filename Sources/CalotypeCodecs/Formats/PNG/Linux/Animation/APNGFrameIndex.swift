/// The frames of an animated PNG, found in its chunks without decoding (PNG, third edition, 4.9).
struct APNGFrameIndex {
    struct Frame {
        var rect: PixelRect
        var duration: Duration
        var disposal: AnimationFrame.Disposal
        var blends: Bool
        /// The ranges of the frame's compressed pixels in the file.
        var pixels: [Range<Int>] = []
    }

    /// The frames with complete pixels.
    private(set) var frames: [Frame] = []
    /// The number of times that the animation plays; 0 repeats forever.
    private(set) var loopCount = 0
    /// Whether the default image, in IDAT, is the first frame.
    private(set) var showsDefaultImage = false
    /// The ranges of the PLTE and tRNS chunks, which apply to all frames.
    private(set) var shared: [Range<Int>] = []

    private var isAnimated = false
    private var isBehindPixels = false
    private var open: Frame?

    /// Reads up to `limit` frames, and stops at the first invalid one. A still image has no frames.
    init(_ file: ByteReader, canvas: PixelSize, limit: Int = .max) {
        for chunk in PNGChunks(file) {
            // The checksums of these chunks are ignored; the compressed pixels contain their own.
            guard chunk.end <= file.count, frames.count < limit else { break }
            switch chunk.name {
            case PNGChunks.Chunk.animation:
                isAnimated = !isBehindPixels
                loopCount = file.uint32(at: chunk.content.lowerBound + 4) ?? 0
            case PNGChunks.Chunk.frame:
                closeFrame()
                guard let frame = Frame(file, chunk.content, on: canvas) else { return }
                if !isBehindPixels {
                    showsDefaultImage = true
                    guard frame.rect.size == canvas else { return }
                }
                open = frame
            case PNGChunks.Chunk.pixels:
                isBehindPixels = true
                // Most PNGs are still images, which have no acTL before their pixels: stop here.
                guard isAnimated else { return }
                if showsDefaultImage, frames.isEmpty { open?.pixels.append(chunk.content) }
            case PNGChunks.Chunk.framePixels:
                guard chunk.content.count > 4 else { return }
                open?.pixels.append(chunk.content.dropFirst(4))
            case PNGChunks.Chunk.last: closeFrame()
            case PNGChunks.Chunk.palette, PNGChunks.Chunk.transparency:
                if !isBehindPixels { shared.append(chunk.content.lowerBound - 8..<chunk.end) }
            default: break
            }
        }
    }

    private mutating func closeFrame() {
        if let open, !open.pixels.isEmpty { frames.append(open) }
        open = nil
    }

    var duration: Duration { frames.reduce(.zero) { $0 + $1.duration } }
}

extension APNGFrameIndex.Frame {
    /// Reads an fcTL chunk: number, size, position, delay as a fraction of a second, disposal and blending.
    fileprivate init?(_ file: ByteReader, _ chunk: Range<Int>, on canvas: PixelSize) {
        let numbers = (1...4).compactMap { file.uint32(at: chunk.lowerBound + 4 * $0) }
        guard chunk.count == 26, numbers.count == 4, let numerator = file.uint16(at: chunk.lowerBound + 20),
            let denominator = file.uint16(at: chunk.lowerBound + 22),
            let disposal = file.uint8(at: chunk.lowerBound + 24), let blend = file.uint8(at: chunk.lowerBound + 25)
        else { return nil }
        rect = PixelRect(x: numbers[2], y: numbers[3], width: numbers[0], height: numbers[1])
        guard rect.width > 0, rect.height > 0, rect.x + rect.width <= canvas.width,
            rect.y + rect.height <= canvas.height
        else { return nil }
        duration = ImageHeader.shownDuration(milliseconds: 1000 * numerator / (denominator == 0 ? 100 : denominator))
        self.disposal = disposal == 1 ? .clear : disposal == 2 ? .restore : .keep
        blends = blend == 1
    }
}
