import CalotypeBase
import CalotypeCodecs

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
        return max(bitmap, stored, min(encoding?.still(size, hasAlpha) ?? 0, 1 << 48))
    }

    /// Returns the peak memory in bytes of decoding by a plan, and then of this work.
    ///
    /// - Parameter file: The size of an animation's file in bytes, which stays in memory; 0 for a still image.
    func peakBytes(by plan: DecodePlan, file: Int) -> Int {
        let still = peakBytes(of: plan.resultSize, hasAlpha: plan.header.hasAlpha)
        let frames = plan.resultSize.bitmapMemory + framesBytes(plan.header, file)
        return min(max(plan.cost, max(still, frames) + plan.gainMapBytes) + file, 1 << 48)
    }

    /// Returns the peak memory of encoding all frames of an animation in bytes, besides the bitmap; 0 for a still image.
    func framesBytes(_ header: ImageHeader, _ file: Int) -> Int {
        file > 0 ? min(encoding?.frames?(header, file) ?? 0, 1 << 48) : 0
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
