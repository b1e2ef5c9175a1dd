import CalotypeBase
import CalotypeCodecs
import Foundation

extension DecodeStage {
    /// Returns the animation of which the image is the first frame, or `nil` if the response has no other frames.
    func animation(
        of image: ImageResponse, _ layout: (any ImageLayout)?, _ steps: [any ImageStep], _ url: URL?
    ) async throws(ImageError) -> AnimatedImage? {
        switch image.motion {
        case .frames(let animation): return animation
        case .file(let file):
            return try await work(on: image, cost: image.bitmap.byteCount, url) {
                [decoders, limits] () throws(CodecError) in
                // The encoder asks for each frame once, in order.
                try decoders.animation(for: file, layout: layout, steps: steps, limits: limits, snapshotBytes: 0)
            }
        case nil: return nil
        }
    }

    /// Encodes all frames within the reservation of the first one. Ends between two frames if the task is cancelled.
    ///
    /// - Parameter credits: The author and the copyright for the file; `nil` for a file without them.
    func file(
        of animation: AnimatedImage, by encoder: any AnimationEncoder, credits: ImageCredits?,
        within first: ImageResponse, _ url: URL?
    ) async throws(ImageError) -> Data {
        let cost = first.bitmap.byteCount + encoder.peakBytes(of: animation)
        let cancellation = Cancellation()
        return try await cancellation.observed { () throws(ImageError) in
            try await work(on: first, cost: cost, url) { () throws(CodecError) in
                try encoder.encode(animation, credits: credits) { !cancellation.isCancelled }
            }
        }
    }
}
