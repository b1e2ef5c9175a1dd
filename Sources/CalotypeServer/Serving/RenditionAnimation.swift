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

    /// Returns the animation, or `nil` if the result is to show the first frame alone.
    ///
    /// - Parameter first: The first frame, with the source's file.
    /// - Throws: `imageTooLarge` if all frames together have more pixels than a source may have.
    func file(from first: ImageResponse, _ loader: ImageLoader) async throws(ImageError) -> Data? {
        let bitmap = first.bitmap
        guard bitmap.isFirstFrame, !options.disablesAnimation, options.maxFrames != 1,
            let format = encoding.animated, let data = first.motionFile
        else { return nil }
        let (decoders, limits) = (loader.options.decoders, limits(loader.options.limits))
        let animation = try await loader.work(on: first, cost: bitmap.byteCount) { [layout] () throws(CodecError) in
            try decoders.animation(for: data, layout: layout, steps: [], limits: limits, snapshotBytes: 0)
        }
        guard let animation else { return nil }
        let cost = bitmap.byteCount + animation.encodingBytes
        // One frame after the other, so that memory holds only one canvas and one encoder.
        let cancellation = Cancellation()
        return try await cancellation.observed { () throws(ImageError) in
            try await loader.work(on: first, cost: cost) { [options] () throws(CodecError) in
                let file = try animation.encoded(as: format, frames: options.maxFrames ?? .max) {
                    !cancellation.isCancelled
                }
                guard options.keepsCredits, let credits = bitmap.credits else { return file }
                return try EXIFBlock(credits).embedded(in: file, .webp)
            }
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
}
