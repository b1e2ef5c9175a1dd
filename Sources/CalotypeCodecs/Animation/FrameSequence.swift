/// The frames of an animation, drawn in order from the nearest possible starting point.
struct FrameSequence {
    private let decoder: any FrameDecoder
    private let index: AnimationIndex
    private let gamut: ColorGamut
    private let dependencies: FrameDependencies
    private var canvas: FrameCanvas
    /// The index of the last frame drawn, or skipped because no later frame needs it. `nil` before the first frame.
    private var position: Int?

    /// The maximum number of snapshots: copies of the canvas from which drawing continues after a jump backwards.
    let snapshotLimit: Int
    private let snapshotDistance: Int
    private var snapshots: [(frame: Int, pixels: Bitmap)] = []

    /// - Parameter gamut: The gamut that the decoder's frames were opened for. The default is sRGB.
    init(_ decoder: any FrameDecoder, gamut: ColorGamut = .sRGB, snapshotBytes: Int) {
        (self.decoder, self.gamut) = (decoder, gamut)
        index = decoder.index
        dependencies = FrameDependencies(index)
        canvas = FrameCanvas(size: index.canvas, gamut: gamut)
        // n snapshots divide the animation into n + 1 runs of `snapshotDistance` frames.
        snapshotLimit = min(max(snapshotBytes, 0) / max(index.canvas.bitmapBytes, 1), index.frames.count, 64)
        snapshotDistance = max(1, (index.frames.count + snapshotLimit) / (snapshotLimit + 1))
    }

    mutating func frame(at number: Int) throws(CodecError) -> Bitmap {
        do throws(CodecError) {
            goNear(number)
            while position != number { try drawNext() }
        } catch {
            reset()
            throw error
        }
        guard let pixels = canvas.pixels else {
            return try Bitmap.transparent(index.canvas).declaring(gamut: gamut)
        }
        return pixels.declaring(hasAlpha: !dependencies.isOpaque[number])
    }

    /// Moves to the latest point from which the frame can be drawn: the current frame, a snapshot, or a frame that
    /// depends on no earlier frame.
    private mutating func goNear(_ number: Int) {
        if let position, position == number || position == number - 1 { return }
        let start = dependencies.start[number]
        let snapshot = snapshots.last { $0.frame <= number }
        let reached = position.flatMap { $0 <= number ? $0 : nil } ?? -1
        if let snapshot, snapshot.frame > reached, snapshot.frame >= start {
            canvas = FrameCanvas(
                size: index.canvas, gamut: gamut, showing: index.frames[snapshot.frame], pixels: snapshot.pixels)
            position = snapshot.frame
        } else if start > reached {
            reset()
            position = start == 0 ? nil : start - 1
        }
    }

    private mutating func reset() {
        canvas = FrameCanvas(size: index.canvas, gamut: gamut)
        position = nil
    }

    private mutating func drawNext() throws(CodecError) {
        let next = position.map { $0 + 1 } ?? 0
        let frame = index.frames[next]
        try canvas.draw(frame, pixels: frame.isEmpty ? nil : decoder.pixels(of: next))
        position = next
        keepSnapshot(of: next)
    }

    /// Keeps a snapshot unless the limit is reached, the frame's disposal is `restore`, the canvas is empty, or another
    /// starting point is less than `snapshotDistance` frames away.
    private mutating func keepSnapshot(of frame: Int) {
        guard snapshots.count < snapshotLimit, index.frames[frame].disposal != .restore, let pixels = canvas.pixels
        else { return }
        let place = snapshots.firstIndex { $0.frame >= frame } ?? snapshots.endIndex
        let nearest = max(dependencies.start[frame], place > 0 ? snapshots[place - 1].frame : 0)
        guard frame - nearest >= snapshotDistance else { return }
        if place < snapshots.endIndex, snapshots[place].frame - frame < snapshotDistance { return }
        snapshots.insert((frame, pixels), at: place)
    }
}
