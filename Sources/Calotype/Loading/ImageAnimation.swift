public import CalotypeCodecs
import CalotypeBase
import Foundation

extension ImageLoader {
    /// Loads an animation, of which ``fetch(_:)-(ImageRequest)`` returns only the first frame.
    ///
    /// Shares its download with requests for the image. The memory cache holds the file together with the first frame,
    /// and counts the bytes of both. The other frames are decoded when they are requested.
    ///
    /// ```swift
    /// if let animation = try await loader.animation(for: request) {
    ///     for index in 0..<animation.frameCount { show(try await animation.frame(at: index)) }
    /// }
    /// ```
    ///
    /// - Returns: The animation, or `nil` for a still image.
    public func animation(for request: ImageRequest) async throws(ImageError) -> ImageAnimation? {
        try revocations.checkIsValid()
        return try await attempts.withDeadline(of: complete(request)) {
            [defaults, pipeline] (request) throws(ImageError) in
            try await pipeline.animation(for: request, defaults.keys(of: request))
        }
    }
}

extension Pipeline {
    /// Returns the animation from memory, from the file in memory, or from the original; `nil` for a still image.
    fileprivate func animation(
        for request: ImageRequest, _ keys: ImageKeys
    ) async throws(ImageError) -> ImageAnimation? {
        let known = imageInMemory(for: request, keys)
        if let known, case .frames(let frames) = known.motion {
            return ImageAnimation(frames, known.origin, decoding.threads, request.source.url)
        }
        let job = try job(request, keys)
        if let known, case .file(let file) = known.motion,
            let frames = try await decoding.animation(of: file, in: known.bitmap.gamut, job)
        {
            remember(frames, of: known, job)
            return ImageAnimation(frames, known.origin, decoding.threads, job.url)
        }
        let response = try await data(for: request, keys)
        // Only now is it known whether a local file is still the one whose frames are in memory.
        let first = memory.image(of: job, madeOf: response.identity)
        if let first, case .frames(let frames) = first.motion {
            return ImageAnimation(frames, first.origin, decoding.threads, job.url)
        }
        let gamut = first?.bitmap.gamut
        guard let frames = try await decoding.animation(of: response.data, in: gamut, job) else { return nil }
        remember(frames, of: try await firstFrame(of: frames, response, job), job)
        return ImageAnimation(frames, response.origin, decoding.threads, job.url)
    }

    private func firstFrame(
        of animation: AnimatedImage, _ response: DataResponse, _ job: Job
    ) async throws(ImageError) -> ImageResponse {
        if let known = memory.image(of: job, madeOf: response.identity) { return known }
        let first = try await decoding.run(job.url, cost: animation.cost) { () throws(CodecError) in
            try animation.frame(at: 0).declaring(isFirstFrame: true)
        }
        return ImageResponse(
            bitmap: first, origin: response.origin, provenance: response.provenance, identity: response.identity)
    }

    private func remember(_ animation: AnimatedImage, of image: ImageResponse, _ job: Job) {
        var image = image
        image.motion = .frames(animation)
        memory.remember(image, job)
    }
}

/// A loader's animation, whose frames are decoded on the loader's codec threads.
public struct ImageAnimation: Sendable {
    /// Where the file came from, such as the disk store.
    public let origin: ImageResponse.Origin
    private let animation: AnimatedImage
    private let codecs: BlockingPool
    private let url: URL?

    init(_ animation: AnimatedImage, _ origin: ImageResponse.Origin, _ codecs: BlockingPool, _ url: URL?) {
        self.animation = animation
        self.origin = origin
        self.codecs = codecs
        self.url = url
    }

    /// The number of frames.
    public var frameCount: Int { animation.frameCount }
    /// The duration of each frame. A duration of 10 ms or less in the file becomes 100 ms.
    public var durations: [Duration] { animation.durations }
    /// The number of times that the animation plays, or `nil` if it repeats endlessly.
    public var loopCount: Int? { animation.loopCount }

    /// Decodes a frame and the frames that it depends on, as `AnimatedImage.frame(at:)` does.
    ///
    /// - Throws: `damagedImage` if the frame, or a frame that it depends on, is damaged.
    public func frame(at index: Int) async throws(ImageError) -> Bitmap {
        try await codecs.run(for: url, cost: animation.cost) { [animation] () throws(CodecError) in
            try animation.frame(at: index)
        }
    }
}
