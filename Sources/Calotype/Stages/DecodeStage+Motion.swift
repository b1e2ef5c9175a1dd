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
                try decoders.animation(
                    for: file, layout: layout, gamut: image.bitmap.gamut, steps: steps, limits: limits,
                    snapshotBytes: 0)
            }
        case nil: return nil
        }
    }

    /// Opens the animation of a job, or returns `nil` for a still image.
    ///
    /// - Parameter gamut: The gamut of the first frame. If `nil`, it is decoded unless the request is for sRGB.
    func animation(of file: Data, in gamut: ColorGamut?, _ job: Job) async throws(ImageError) -> AnimatedImage? {
        let gamut = job.request.gamut == .sRGB ? .sRGB : gamut
        let animation = try await frames(of: file, in: gamut ?? .sRGB, job)
        guard gamut == nil, animation != nil else { return animation }
        let plan = try await plan(file, job.layout, job)
        let own = try await run(job.url, cost: plan.cost) { () throws(CodecError) in try plan.decode().gamut }
        return own == .sRGB ? animation : try await frames(of: file, in: own, job)
    }

    private func frames(of file: Data, in gamut: ColorGamut, _ job: Job) async throws(ImageError) -> AnimatedImage? {
        try await run(job.url, cost: 0) { [decoders, limits] () throws(CodecError) in
            try decoders.animation(
                for: file, layout: job.layout, gamut: gamut, steps: job.request.steps, limits: limits)
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
