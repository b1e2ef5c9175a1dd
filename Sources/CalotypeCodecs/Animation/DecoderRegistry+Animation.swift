public import Foundation

extension DecoderRegistry {
    /// Opens an animation. Reads the index of all frames without decoding any of them.
    ///
    /// - Parameters:
    ///   - target: The size of the frames. If `nil` (the default), full size up to ``DecodeLimits/maxBitmapBytes``.
    ///   - steps: The steps applied to each frame.
    ///   - snapshotBytes: The memory in bytes for snapshots, which speed up going back. The default is 8 MiB.
    /// - Returns: `nil` for a still image, or if the decoder reads only the first frame of this format.
    /// - Throws: The errors of ``decode(_:target:limits:)``, or `tooLarge` if the frames exceed a limit.
    public func animation(
        for data: Data, target: ResizeTarget? = nil, steps: [any ImageStep] = [], limits: DecodeLimits = DecodeLimits(),
        snapshotBytes: Int = 8 << 20
    ) throws(CodecError) -> AnimatedImage? {
        try animation(for: data, layout: target, steps: steps, limits: limits, snapshotBytes: snapshotBytes)
    }

    /// - Parameter layout: The layout of the frames. If `nil`, full size up to ``DecodeLimits/maxBitmapBytes``.
    package func animation(
        for data: Data, layout: (any ImageLayout)?, steps: [any ImageStep], limits: DecodeLimits,
        snapshotBytes: Int = 8 << 20
    ) throws(CodecError) -> AnimatedImage? {
        let plan = try plan(for: data, target: layout, limits: limits)
        guard let frames = try plan.openFrames(limits), frames.index.frames.count > 1 else { return nil }
        guard frames.index.canvas == plan.header.stored else {
            throw CodecError(
                .damaged, "\(plan.header.format) of \(plan.header.stored) has frames on \(frames.index.canvas)")
        }
        let animation = AnimatedImage(frames, plan, steps: steps, limits: limits, snapshotBytes: snapshotBytes)
        try limits.check(plan.outputSize, cost: animation.cost + 2 * plan.header.stored.bitmapBytes, of: plan.header)
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
