import Calotype
import CalotypeBase
import CalotypeCodecs
import Foundation

/// Encodes an animated source as an animated WebP. All frames get the same layout; their durations and the number of
/// loops stay the same.
struct RenditionAnimation: Sendable {
    let encoding: RenditionEncoding
    let layout: RenditionLayout

    private var options: RenditionOptions { encoding.options }

    /// Returns the animation, or `nil` if the result is to show `firstFrame` alone.
    ///
    /// - Throws: `imageTooLarge` if all frames together have more pixels than a source may have.
    func file(from found: FoundSource, firstFrame: Bitmap) async throws(ImageError) -> Data? {
        guard firstFrame.isFirstFrame, !options.disablesAnimation, options.maxFrames != 1,
            let format = encoding.animated
        else { return nil }
        let data = try await found.data()
        let (decoders, limits) = (found.loader.options.decoders, limits(found.loader.options.limits))
        let animation = try await found.loader.onCodecThread(cost: 0) { [layout] () throws(CodecError) in
            try decoders.animation(for: data, layout: layout, steps: [], limits: limits, snapshotBytes: 0)
        }
        guard let animation else { return nil }
        let file = try await encoded(animation, as: format, on: found.loader)
        guard options.keepsCredits, let credits = firstFrame.credits else { return file }
        return try await found.loader.onCodecThread(cost: 0) { () throws(CodecError) in
            try EXIFBlock(credits).embedded(in: file, .webp)
        }
    }

    /// Returns the limits for the animation: all frames together count against the limit for a source, and the canvas
    /// of one frame also counts against the limit in the URL.
    private func limits(_ limits: DecodeLimits) -> DecodeLimits {
        var limits = limits
        limits.maxAnimationPixels = min(limits.maxPixels, options.maxSourcePixels ?? .max)
        limits.maxPixels = min(limits.maxPixels, options.maxFramePixels ?? .max)
        return limits
    }

    /// Encodes one frame after the other, so that memory holds only one canvas and one encoder. If the task is
    /// cancelled, ends before the next frame.
    private func encoded(
        _ animation: AnimatedImage, as format: EncodingFormat, on loader: ImageLoader
    ) async throws(ImageError) -> Data {
        let isCancelled = Locked(false)
        // libwebp keeps four canvases of the result's size.
        let result = 4 * animation.size.width * animation.size.height
        let cost = animation.byteCount + animation.cost + 4 * result
        let outcome: Result<Data, ImageError> = await withTaskCancellationHandler {
            do throws(ImageError) {
                return .success(
                    try await loader.onCodecThread(cost: cost) { [limit = options.maxFrames] () throws(CodecError) in
                        try animation.encoded(as: format, frames: limit ?? .max) { !isCancelled.withLock(\.self) }
                    })
            } catch {
                return .failure(error)
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
        return try outcome.get()
    }
}
