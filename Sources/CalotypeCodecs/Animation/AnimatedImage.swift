import CalotypeBase
public import Foundation

/// An animation that decodes its frames on demand.
///
/// ```swift
/// guard let animation = try DecoderRegistry.standard.animation(for: file) else { return }   // a still image
/// for index in 0..<animation.frameCount {
///     show(try animation.frame(at: index), for: animation.durations[index])
/// }
/// ```
///
/// Every frame is returned complete, drawn over the earlier frames, at the requested size and with the steps applied.
/// The canvas is initially transparent; the file's background color is ignored, as in browsers.
public final class AnimatedImage: Sendable {
    /// The size of every frame in pixels, before the steps are applied.
    public let size: PixelSize
    /// The duration of each frame. Durations of 10 ms or less in the file become 100 ms.
    public let durations: [Duration]
    /// The number of times that the animation plays, or `nil` if it repeats forever.
    public let loopCount: Int?
    /// The maximum memory in bytes that the animation keeps between calls: the file, the canvas and snapshots of it, and of
    /// JPEG XL the codec's frames.
    public let byteCount: Int
    /// The peak memory in bytes that ``frame(at:)`` uses in addition to ``byteCount``.
    public let cost: Int

    let canvas: PixelSize
    let limits: DecodeLimits
    private let plan: DecodePlan
    private let steps: [any ImageStep]
    // The lock is held during a decode, because each decode changes the shared canvas.
    private let frames: Locked<FrameSequence>

    /// The number of frames.
    public var frameCount: Int { durations.count }

    /// The size of every frame in pixels, after all steps.
    var resultSize: PixelSize { steps.memory(on: plan.resultSize).result }

    init(
        _ decoder: sending any FrameDecoder, _ plan: DecodePlan, gamut: ColorGamut, steps: [any ImageStep],
        limits: DecodeLimits, snapshotBytes: Int
    ) {
        let index = decoder.index
        let sequence = FrameSequence(decoder, gamut: gamut, snapshotBytes: snapshotBytes)
        size = plan.outputSize
        (canvas, self.limits) = (index.canvas, limits)
        durations = index.frames.map(\.duration)
        loopCount = index.loopCount
        byteCount =
            plan.fileBytes + AnimationMemory.codecBytes(for: plan.header) + 2 * index.canvas.bitmapBytes + sequence
            .snapshotLimit * index.canvas.bitmapBytes
            + index.frames.count * MemoryLayout<AnimationFrame>.stride
        cost =
            AnimationMemory(
                canvas: index.canvas, output: plan.outputSize, result: plan.resultSize, stepBytes: plan.stepBytes,
                kept: byteCount
            ).frame
        self.plan = plan
        self.steps = steps
        frames = Locked(sequence)
    }

    /// Decodes one frame and the frames on which it depends. Blocks the calling thread. One call decodes at a time.
    ///
    /// Playing forward takes one decode per frame. After a jump, decoding starts at the latest point from which the
    /// frame can be drawn: the current frame, a snapshot of the canvas, or a frame that depends on no earlier frame.
    ///
    /// - Parameter index: From 0 to `frameCount - 1`; other values are clamped.
    /// - Throws: `damaged` if the frame or a frame on which it depends is damaged, `tooLarge` if memory is exhausted,
    ///   and the errors of the steps.
    public func frame(at index: Int) throws(CodecError) -> Bitmap {
        let index = min(max(index, 0), frameCount - 1)
        let canvas = try frames.withLock { (frames) throws(CodecError) in try frames.frame(at: index) }
        return try plan.finish(canvas).applying(steps)
    }
}

extension DecoderRegistry {
    /// Opens an animation. Reads the index of all frames without decoding any of them, unless a gamut wider than sRGB is asked for:
    /// then it decodes the first frame.
    ///
    /// - Parameters:
    ///   - target: The size of the frames. If `nil` (the default), the full size, reduced to fit
    ///     ``DecodeLimits/maxBitmapBytes``.
    ///   - gamut: The widest gamut that the frames may have. All frames have the gamut of the first one, which
    ///     ``decode(_:target:gamut:limits:)`` returns. The default is sRGB.
    ///   - steps: The steps applied to each frame.
    ///   - snapshotBytes: The maximum memory in bytes for snapshots of the canvas, which speed up jumps to earlier
    ///     frames. The default is 8 MiB.
    /// - Returns: `nil` for a still image, or if the decoder reads only the first frame of this format.
    /// - Throws: The errors of ``decode(_:target:gamut:limits:)``, or `tooLarge` if the frames exceed a limit.
    public func animation(
        for data: Data, target: ResizeTarget? = nil, gamut: ColorGamut = .sRGB, steps: [any ImageStep] = [],
        limits: DecodeLimits = DecodeLimits(), snapshotBytes: Int = 8 << 20
    ) throws(CodecError) -> AnimatedImage? {
        let narrow = try animation(
            for: data, layout: target, gamut: .sRGB, steps: steps, limits: limits, snapshotBytes: snapshotBytes)
        guard narrow != nil, gamut != .sRGB else { return narrow }
        let own = try decode(data, target: target, gamut: gamut, limits: limits).gamut
        guard own != .sRGB else { return narrow }
        return try animation(
            for: data, layout: target, gamut: own, steps: steps, limits: limits, snapshotBytes: snapshotBytes)
    }

    /// - Parameters:
    ///   - layout: The layout of the frames. If `nil`, the full size, reduced to fit ``DecodeLimits/maxBitmapBytes``.
    ///   - gamut: The gamut of all frames, which is that of the first one as a still image.
    package func animation(
        for data: Data, layout: (any ImageLayout)?, gamut: ColorGamut, steps: [any ImageStep], limits: DecodeLimits,
        snapshotBytes: Int = 8 << 20
    ) throws(CodecError) -> AnimatedImage? {
        let plan = try plan(for: data, target: layout, limits: limits)
        guard let frames = try plan.openFrames(limits, in: gamut), frames.index.frames.count > 1 else { return nil }
        guard frames.index.canvas == plan.header.stored else {
            throw CodecError(
                .damaged, "\(plan.header.format) of \(plan.header.stored) has frames on \(frames.index.canvas)")
        }
        let animation = AnimatedImage(
            frames, plan, gamut: gamut, steps: steps, limits: limits, snapshotBytes: snapshotBytes)
        let canvases = 2 * plan.header.stored.bitmapBytes + AnimationMemory.codecBytes(for: plan.header)
        try limits.check(plan.outputSize, cost: animation.cost + canvases, of: plan.header)
        return animation
    }
}

extension Bitmap {
    static func transparent(_ size: PixelSize) throws(CodecError) -> Bitmap {
        try Bitmap(width: size.width, height: size.height, hasAlpha: true) { bytes, _ in
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
        }
    }
}
