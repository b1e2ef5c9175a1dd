public import CalotypeCodecs
public import Foundation

/// Decodes inputs as a loader does, at full size and scaled down. Any bytes must give pixels or an error.
public enum Decoding {
    /// Small limits, because large images only slow the fuzzer down.
    static let limits: DecodeLimits = {
        var limits = DecodeLimits()
        limits.maxPixels = 1 << 20
        // The SVG decoder requires 64 MiB plus eight times the bitmap's size: this limit allows 2 million pixels.
        limits.maxDecodeBytes = 128 << 20
        limits.acceptsPartialImages = true
        return limits
    }()

    /// Decodes an input of the fuzzer.
    ///
    /// - Returns: The result for libFuzzer. -1 keeps inputs in another format out of the corpus.
    public static func check(_ bytes: UnsafePointer<UInt8>?, _ count: Int, by decoder: some ImageDecoder) -> Int32 {
        check(input(bytes, count), by: decoder)
    }

    /// Decodes an input that the fuzz target has copied already, for example to correct its checksums.
    public static func check(_ data: Data, by decoder: some ImageDecoder) -> Int32 {
        let registry = DecoderRegistry([decoder])
        guard check(data, registry, target: nil) else { return -1 }
        _ = check(data, registry, target: ResizeTarget(width: 7, height: 5))
        play(data, registry)
        return 0
    }

    /// Plays some frames of an animation, forward and back.
    private static func play(_ data: Data, _ registry: DecoderRegistry) {
        var limits = limits
        limits.maxFrames = 1000
        guard let animation = try? registry.animation(for: data, limits: limits) else { return }
        for index in [0, 1, 2, 5, 0] where index < animation.frameCount {
            guard let frame = try? animation.frame(at: index) else { continue }
            require(frame.width == animation.size.width && frame.height == animation.size.height, "a frame's size")
        }
    }

    /// - Returns: `true` if the bytes have the decoder's format.
    private static func check(_ data: Data, _ registry: DecoderRegistry, target: ResizeTarget?) -> Bool {
        do throws(CodecError) {
            let plan = try registry.plan(for: data, target: target, limits: limits)
            let bitmap = try plan.decode()
            require(
                bitmap.width == plan.outputSize.width && bitmap.height == plan.outputSize.height,
                "the bitmap is \(bitmap.width) × \(bitmap.height), the plan said \(plan.outputSize)")
            require(plan.cost >= bitmap.byteCount, "the plan's cost is less than its result")
            return true
        } catch {
            return error.code != .notAnImage
        }
    }

    /// Returns images of a few sizes, with and without transparency.
    public static func bitmaps() throws -> [Bitmap] {
        try [(1, 1, false), (16, 9, true), (33, 47, false)].map { width, height, hasAlpha in
            try Bitmap(width: width, height: height, hasAlpha: hasAlpha) { pixels, stride in
                for y in 0..<height {
                    for x in 0..<width {
                        let alpha = hasAlpha ? UInt32(255 * x / width) : 255
                        let level = alpha * UInt32(y) / UInt32(height)
                        let pixel = alpha << 24 | level << 16 | (alpha / 2) << 8 | alpha
                        pixels.storeBytes(of: pixel, toByteOffset: y * stride + 4 * x, as: UInt32.self)
                    }
                }
            }
        }
    }
}
