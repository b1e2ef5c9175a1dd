import CalotypeBase
package import CalotypeCodecs

/// Returns the peak memory of encoding an image of this size in bytes, including its bitmap.
package typealias EncodingMemory = @Sendable (PixelSize, _ hasAlpha: Bool) -> Int

/// The work that a request does on an image: its later steps, and the encoding of the result.
///
/// Computes the memory of that work from the image's size, so that a request can reserve it before it decodes.
struct LaterWork {
    let steps: ArraySlice<any ImageStep>
    /// The memory of encoding the result, or `nil` if the loader returns its bitmap.
    let encoding: EncodingMemory?
    /// Whether the result is also encoded as PNG, for the store.
    let isStored: Bool

    /// Returns the peak memory of the work in bytes, including the image.
    func peakBytes(of size: PixelSize, hasAlpha: Bool) -> Int {
        let bitmap = size.bitmapMemory
        if let step = steps.first { return bitmap + afterFirstStep.bytes(after: step, on: size, hasAlpha: hasAlpha) }
        let stored = isStored ? EncodingFormat.png.peakBytes(of: size, hasAlpha: hasAlpha) : 0
        return max(bitmap, stored, min(encoding?(size, hasAlpha) ?? 0, 1 << 48))
    }

    /// Returns the memory in bytes for a step and then for this work on its result, besides the image.
    func bytes(after step: any ImageStep, on size: PixelSize, hasAlpha: Bool) -> Int {
        let memory = StepMemory(step, on: size)
        return min(max(memory.bytes, peakBytes(of: memory.result, hasAlpha: hasAlpha)), 1 << 48)
    }

    private var afterFirstStep: LaterWork {
        LaterWork(steps: steps.dropFirst(), encoding: encoding, isStored: isStored)
    }
}
