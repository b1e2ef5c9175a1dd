/// The frames of an animated PNG, found by walking its chunks (PNG, third edition, 4.9).
struct APNGFrameIndex {
    struct Frame {
        var rect: PixelRect
        var duration: Duration
        var disposal: AnimationFrame.Disposal
        var blends: Bool
        /// Where the parts of its compressed pixels lie in the file.
        var pixels: [Range<Int>] = []
    }

    /// Those whose pixels are there up to their end.
    private(set) var frames: [Frame] = []
    /// How often the animation plays; 0 for an endless one.
    private(set) var loopCount = 0
    /// A Boolean value indicating whether the image that others show, in IDAT, is the first frame.
    private(set) var showsDefaultImage = false
    /// The palette and its transparency, which each frame's image has as well. Colors are converted by the whole file's chunks.
    private(set) var shared: [Range<Int>] = []

    private var isAnimated = false
    private var isBehindPixels = false
    private var open: Frame?

    /// No frames where the file is a still image, and as many as there are before the first that makes no sense.
    ///
    /// - Parameter limit: the number of frames after which it stops.
    init(_ file: ByteReader, canvas: PixelSize, limit: Int = .max) {
        for chunk in PNGChunks(file) {
            // The sums of these are not looked at: that of the compressed pixels is.
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
                // Without acTL in front it is a still image, and most are: there is no need to look on.
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

    /// The time that all frames take.
    var duration: Duration { frames.reduce(.zero) { $0 + $1.duration } }
}

extension APNGFrameIndex.Frame {
    /// fcTL: number, size, place, delay as a fraction of a second, and what happens before and after.
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
        duration = ImageHeader.shownDuration(
            milliseconds: 1000 * numerator / (denominator == 0 ? 100 : denominator))
        self.disposal = disposal == 1 ? .clear : disposal == 2 ? .restore : .keep
        blends = blend == 1
    }
}
