import CalotypeBase

/// An animation whose frames are decoded as they are asked for.
///
/// ```swift
/// guard let animation = try DecoderRegistry.standard.animation(for: file) else { return }   // a still image
/// for index in 0..<animation.frameCount {
///     show(try animation.frame(at: index), for: animation.durations[index])
/// }
/// ```
///
/// Every frame comes whole, drawn on those below it, at the size asked for and with the steps applied. The canvas starts
/// out transparent; a background color that the file names is ignored, as in browsers.
public final class AnimatedImage: Sendable {
    /// The size of every frame in pixels, before steps.
    public let size: PixelSize
    /// How long each frame is shown. What a file gives as 10 ms or less is 100 ms.
    public let durations: [Duration]
    /// How often the animation plays; `nil` for an endless one.
    public let loopCount: Int?
    /// The bytes of memory that the animation holds at most between two calls: the file, the canvas, and snapshots of it.
    public let byteCount: Int
    /// The bytes of memory that ``frame(at:)`` takes at its peak beside ``byteCount``.
    public let cost: Int

    let canvas: PixelSize
    let limits: DecodeLimits
    private let plan: DecodePlan
    private let steps: [any ImageStep]
    // Held while frames are decoded: one after the other, since each stands on the one before.
    private let frames: Locked<FrameSequence>

    /// The number of frames.
    public var frameCount: Int { durations.count }

    init(
        _ decoder: sending any FrameDecoder, _ plan: DecodePlan, steps: [any ImageStep], limits: DecodeLimits,
        snapshotBytes: Int
    ) {
        let index = decoder.index
        let sequence = FrameSequence(decoder, snapshotBytes: snapshotBytes)
        size = plan.outputSize
        (canvas, self.limits) = (index.canvas, limits)
        durations = index.frames.map(\.duration)
        loopCount = index.loopCount
        byteCount =
            plan.fileBytes + 2 * index.canvas.bitmapBytes + sequence.snapshotLimit * index.canvas.bitmapBytes
            + index.frames.count * MemoryLayout<AnimationFrame>.stride
        cost = index.canvas.bitmapBytes + 3 * plan.outputSize.bitmapBytes
        self.plan = plan
        self.steps = steps
        frames = Locked(sequence)
    }

    /// Decodes one frame, and those that it stands on. Takes its time on the calling thread; one call waits for another.
    ///
    /// Going forward takes one decode for each frame. Going back starts at the last frame that covers everything and is
    /// opaque, at a snapshot, or at the first frame.
    ///
    /// - Parameter index: From 0 to `frameCount - 1`; what lies outside counts as the nearer end.
    /// - Throws: `damaged` where the frame or one that it stands on is broken.
    public func frame(at index: Int) throws(CodecError) -> Bitmap {
        let index = min(max(index, 0), frameCount - 1)
        let canvas = try frames.withLock { (frames) throws(CodecError) in try frames.frame(at: index) }
        return try plan.finish(canvas).applying(steps)
    }
}
