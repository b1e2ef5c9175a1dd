import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeURLs
import Foundation

/// Encodes an animated source as an animated WebP. All frames get the same layout, and the gamut of the first one; their
/// durations and the number of loops stay the same.
struct RenditionAnimation: Sendable {
    let encoding: RenditionEncoding
    let layout: RenditionLayout
    /// The maximum number of pixels in all frames together. A larger animation becomes a still image.
    let maxPixels: Int
    /// The rendition's terms for worker processes.
    let terms: DecodeTerms

    private var options: RenditionOptions { encoding.options }

    /// Returns the animation, or `nil` if the result is to show the first frame alone: the URL or the client excludes
    /// motion, or the animation exceeds a limit of the server.
    ///
    /// - Parameter first: The first frame, with the source's file.
    /// - Throws: `imageTooLarge` if the animation exceeds a limit in the URL.
    func file(from first: ImageResponse, _ loader: ImageLoader) async throws(ImageError) -> Data? {
        guard first.bitmap.isFirstFrame, encoding.keepsMotion, let data = first.motionFile,
            let animation = try await animation(in: data, first, loader)
        else { return nil }
        let pixels = animation.encodingPixels(frames: options.maxFrames ?? .max)
        guard pixels <= options.maxSourcePixels ?? .max else {
            throw ImageError(.imageTooLarge, "all frames together have \(pixels) pixels, more than the URL allows")
        }
        guard pixels <= maxPixels else { return nil }
        return try await encoded(animation, first, loader)
    }

    private func animation(
        in data: Data, _ first: ImageResponse, _ loader: ImageLoader
    ) async throws(ImageError) -> AnimatedImage? {
        let (decoders, limits) = (loader.options.decoders.under(terms), loader.options.limits)
        return try await loader.work(on: first, cost: first.bitmap.byteCount) {
            [layout, options, gamut = first.bitmap.gamut] () throws(CodecError) in
            if let most = options.maxFramePixels, try decoders.header(of: data).pixels > most {
                throw CodecError(.tooLarge, "a frame has more pixels than the URL allows")
            }
            do throws(CodecError) {
                return try decoders.animation(
                    for: data, layout: layout, gamut: gamut, steps: [], limits: limits, snapshotBytes: 0)
            } catch {
                // There are too many frames, or the canvas takes too much memory. The first frame is decoded already.
                guard error.code == .tooLarge else { throw error }
                return nil
            }
        }
    }

    private func encoded(
        _ animation: AnimatedImage, _ first: ImageResponse, _ loader: ImageLoader
    ) async throws(ImageError) -> Data {
        let bitmap = first.bitmap, format = encoding.animated
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
}
