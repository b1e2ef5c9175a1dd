public import CalotypeCodecs
import CalotypeConcurrency
import Foundation

extension ImageLoader {
    /// Loads the frames of an animation, of which ``fetch(_:)-(ImageRequest)`` gives the first.
    ///
    /// Shares its download with requests for the image. The memory cache holds the file together with the first frame, and
    /// counts both; the other frames are decoded as they are asked for.
    ///
    /// ```swift
    /// if let animation = try await loader.animation(for: request) {
    ///     for index in 0..<animation.frameCount { show(try await animation.frame(at: index)) }
    /// }
    /// ```
    ///
    /// - Returns: `nil` for a still image.
    public func animation(for request: ImageRequest) async throws(ImageError) -> ImageAnimation? {
        try checkIsValid()
        return try await withDeadline(of: complete(request), loadAnimation)
    }

    private func loadAnimation(_ request: ImageRequest) async throws(ImageError) -> ImageAnimation? {
        let keys = keys(of: request)
        let known = imageInMemory(request, keys)
        if let known, case .frames(let animation) = known.motion {
            return ImageAnimation(animation, known.origin, codecs, request.source.url)
        }
        let job = try job(request, keys)
        if let known, case .file(let file) = known.motion, let animation = try await open(file, job) {
            remember(animation, of: known, job)
            return ImageAnimation(animation, known.origin, codecs, request.source.url)
        }
        let response = try await originalData(request)
        guard let animation = try await open(response.data, job) else { return nil }
        try await remember(animation, response, job)
        return ImageAnimation(animation, response.origin, codecs, request.source.url)
    }

    private func open(_ file: Data, _ job: Job) async throws(ImageError) -> AnimatedImage? {
        try await onCodecThread(job, cost: 0) { [options] () throws(CodecError) in
            try options.decoders.animation(
                for: file, target: job.request.size, steps: job.request.steps, limits: options.limits)
        }
    }

    /// With the first frame, which is what the request's image is.
    private func remember(
        _ animation: AnimatedImage, _ response: DataResponse, _ job: Job
    ) async throws(ImageError) {
        if let known = memory.valueOnSecondLook(for: job.image), let identity = known.identity?.text,
            identity == response.identity?.text
        {
            return remember(animation, of: known, job)
        }
        let first = try await onCodecThread(job, cost: animation.cost) { () throws(CodecError) in
            try animation.frame(at: 0).declaring(isFirstFrame: true)
        }
        let image = ImageResponse(
            bitmap: first, origin: response.origin, provenance: response.provenance,
            identity: response.identity)
        remember(animation, of: image, job)
    }

    private func remember(_ animation: AnimatedImage, of image: ImageResponse, _ job: Job) {
        var image = image
        image.motion = .frames(animation)
        remember(image, job)
    }
}

/// An animation of a loader, whose frames are decoded on the loader's codec threads.
public struct ImageAnimation: Sendable {
    /// The layer that had the file.
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
    /// How long each frame is shown. What a file gives as 10 ms or less is 100 ms.
    public var durations: [Duration] { animation.durations }
    /// How often the animation plays; `nil` for an endless one.
    public var loopCount: Int? { animation.loopCount }

    /// Decodes one frame, and those that it stands on, as `AnimatedImage.frame(at:)` does.
    ///
    /// - Throws: `damagedImage` where the frame or one that it stands on is broken.
    public func frame(at index: Int) async throws(ImageError) -> Bitmap {
        do throws(CodecError) {
            return try await codecs.run(cost: animation.cost) { [animation] () throws(CodecError) in
                try animation.frame(at: index)
            }
        } catch {
            throw ImageError(error, url: url)
        }
    }
}
