import CalotypeBase
public import CalotypeCodecs
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeMemory
public import CalotypeStore
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A loader of images at the requested size, from memory, from disk, or from their source.
///
/// Equal requests that overlap share their work, and different sizes of one image share its download. The loader
/// returns an image in memory at once, without suspending. A failure reaches every waiter as an `ImageError` and is not
/// cached: the next request tries again. A cancelled caller returns at once; work without waiters stops.
///
/// Safe to use from any thread. `Pipeline.swift` lists the stages in order.
public final class ImageLoader: Sendable {
    /// The loader of all views for which no other loader is set.
    ///
    /// Uses the options of ``configureShared(_:)``, or else the default ones: images in memory, and bytes on disk in the user's
    /// cache directory.
    public static let shared = makeShared()

    /// The options that the loader was created with.
    public let options: ImageLoaderOptions
    /// The open store for bytes, or `nil` if nothing is stored on disk.
    public let diskStore: DiskStore?

    let defaults: RequestDefaults
    let pipeline: Pipeline
    let revocations: Revocations
    let completions = CompletionOrder()
    let attempts: Attempts
    /// The queues of ``store(_:for:)``, by source.
    let turns = Turns()
    private let cache: ResponseCache
    private let downloads: Downloads
    private let budget: BodyBudget
    private let codecs: BlockingPool
    private let pressure: MemoryPressureMonitor?

    /// Creates a loader.
    ///
    /// With the default options it caches decoded images in memory, and bytes by the rules of HTTP in the user's cache
    /// directory. `ImageLoader(.ephemeral)` stores nothing on disk.
    public init(_ options: ImageLoaderOptions = ImageLoaderOptions()) {
        let problems = ProblemReports(options)
        var options = options.withinRange(problems)
        options.decoders = options.decoders.isolated(by: options.isolation)
        let work = options.sharedWork ?? SharedWork(options)
        (codecs, budget) = (work.codecs, work.budget)
        options.decodeBudget = work.decodeBudget
        self.options = options
        diskStore = options.disk.open(problems)
        let revocations = Revocations(options.purges)
        self.revocations = revocations
        defaults = RequestDefaults(options)
        attempts = Attempts(options, defaults)
        downloads = Downloads(options, budget)
        cache = ResponseCache.over(diskStore, options, budget, problems)
        let memory = MemoryStage(options, revocations, problems)
        let previews = Previews(PreviewResources(options, memory, budget, codecs))
        let storesImages = diskStore != nil && options.storage.storesProcessedImages
        let decoding = DecodeStage(options, codecs, previews, storesImages: storesImages)
        let processed = ProcessedImages(in: diskStore, options, budget, decoding, revocations, problems)
        pipeline = Pipeline(
            options,
            memory: memory,
            originals: Originals(storage: cache.storage, budget, revocations, problems),
            processed: processed,
            given: GivenImages(in: diskStore, beside: processed, options, revocations, problems, turns: turns),
            decoding: decoding,
            previews: previews,
            sources: OriginalSources(
                web: WebAccess(options, cache, options.makeTransport(cache, downloads)),
                download: Download(
                    budget: budget, resumptions: options.resumptions, feedsCache: cache.storage != nil,
                    rules: options.cacheRules, wallClock: options.wallClock),
                customTransport: options.customTransport(cache, downloads)),
            revocations: revocations)
        pressure = options.respondsToMemoryPressure ? MemoryPressureMonitor { memory.shrink() } : nil
    }

    /// Loads the full-size image at `url`.
    public func fetch(_ url: URL) async throws(ImageError) -> Bitmap {
        try await response(for: ImageRequest(url)).bitmap
    }

    /// Loads the image for a URL request, with its header fields, method and cache policy.
    public func fetch(_ request: URLRequest) async throws(ImageError) -> Bitmap {
        try await response(for: ImageRequest(request)).bitmap
    }

    /// Loads the image of a request.
    public func fetch(_ request: ImageRequest) async throws(ImageError) -> Bitmap {
        try await response(for: request).bitmap
    }

    /// Loads the image of a request, and reports the layer that returned it.
    public func response(for request: ImageRequest) async throws(ImageError) -> ImageResponse {
        try await response(for: request, observer: nil)
    }

    /// - Parameter cancellations: The number of `cancelAll()` calls before the request; `nil` for the current number.
    func response(
        for request: ImageRequest, observer: (@Sendable (ImageEvent) -> Void)?, cancellations: Int? = nil
    ) async throws(ImageError) -> ImageResponse {
        let cancellations = cancellations ?? revocations.cancellations
        guard options.onMetrics != nil else {
            return try await unmeasuredResponse(for: request, observer, cancellations)
        }
        return try await measure(request) { () throws(ImageError) in
            try await unmeasuredResponse(for: request, observer, cancellations)
        }
    }

    private func unmeasuredResponse(
        for request: ImageRequest, _ observer: (@Sendable (ImageEvent) -> Void)?, _ cancellations: Int
    ) async throws(ImageError) -> ImageResponse {
        try revocations.checkIsValid()
        let request = complete(request)
        if request.hasFallbacks { return try await responseWithFallbacks(for: request, observer, cancellations) }
        return try await pipeline.image(for: request, keys(of: request), cancellations: cancellations, observer)
    }

    /// A separate function, so that most requests do not need its large frame.
    @inline(never)
    private func responseWithFallbacks(
        for request: ImageRequest, _ observer: (@Sendable (ImageEvent) -> Void)?, _ cancellations: Int
    ) async throws(ImageError) -> ImageResponse {
        // Enforcing a deadline takes a separate task, but an image in memory must be returned without suspending.
        if request.deadline != nil,
            let image = pipeline.imageInMemory(for: request, keys(of: request), countsMiss: false)
        {
            return image
        }
        return try await attempts.withDeadline(of: request) { [attempts, pipeline] (request) throws(ImageError) in
            try await attempts.firstResult(request, onFailure: { observer?(ImageEvent(failure: $0)) }) {
                (request, keys) throws(ImageError) in
                try await pipeline.image(for: request, keys, cancellations: cancellations, observer)
            }
        }
    }

    /// Loads the undecoded bytes. Shares its download with requests for the image.
    public func data(for request: ImageRequest) async throws(ImageError) -> Data {
        try await dataResponse(for: request).data
    }

    /// Loads the undecoded bytes, and reports the layer, URL, status and header fields of the response that has them.
    public func dataResponse(for request: ImageRequest) async throws(ImageError) -> DataResponse {
        try await measure(request) { () throws(ImageError) in
            try revocations.checkIsValid()
            return try await attempts.withDeadline(of: complete(request)) {
                [attempts, pipeline] (request) throws(ImageError) in
                try await attempts.firstResult(request, decodes: false, pipeline.data)
            }
        }
    }

    /// Loads an image and encodes it, for example as a thumbnail for a web service.
    ///
    /// Encodes on the loader's codec threads, within `decodeBudget`: the load reserves the memory for decoding, steps and
    /// encoding a still image before it decodes. The encoded bytes are not cached.
    ///
    /// An animation stays one in a format with frames, which is WebP, on Linux: the size and the steps apply to each frame.
    /// After its first frame, the load waits until the memory for encoding them all is free.
    /// Beyond `DecodeLimits.maxAnimationPixels` or `maxFrames` it fails with `imageTooLarge`. In other formats, and in
    /// `EncodingFormat.still`, the result shows the first frame.
    ///
    /// ```swift
    /// let thumbnail = ImageRequest(source: .data(upload), size: ResizeTarget(width: 400))
    /// let webp = try await loader.data(for: thumbnail, encodedAs: .webp(quality: 80))
    /// ```
    public func data(for request: ImageRequest, encodedAs format: EncodingFormat) async throws(ImageError) -> Data {
        if format.keepsCredits || format.keepsGainMap { return try await uncachedData(for: request, encodedAs: format) }
        let cancellations = revocations.cancellations
        let encoded = try await measure(request) { () throws(ImageError) in
            try revocations.checkIsValid()
            return try await attempts.withDeadline(of: complete(request)) {
                [attempts, pipeline] (request) throws(ImageError) in
                let response = try await attempts.firstResult(request) { (request, keys) throws(ImageError) in
                    try await pipeline.image(for: request, keys, encodedAs: format, cancellations: cancellations)
                }
                return try await pipeline.encoded(response, of: request, as: format)
            }
        }
        return encoded.data
    }

    /// Returns the image if it is in memory: synchronously, on any thread, without I/O.
    ///
    /// For a local file, that is the image loaded last, even if the file has been changed or replaced since.
    /// ``fetch(_:)-(ImageRequest)`` looks at the file first.
    public func cachedImage(for request: ImageRequest) -> Bitmap? {
        let request = complete(request)
        return pipeline.imageInMemory(for: request, keys(of: request), trustsFiles: true)?.bitmap
    }

    /// Returns the full-size image at `url` if it is in memory.
    public func cachedImage(for url: URL) -> Bitmap? {
        cachedImage(for: ImageRequest(url))
    }

    /// Removes all images from memory and disk.
    ///
    /// Loads under way still return their images, but store nothing. Later requests do not join them.
    public func removeAll() async throws(ImageError) {
        revocations.noteRemovalOfAll()
        attempts.forgetAll()
        pipeline.memory.removeAll()
        do {
            try await cache.removeAll()
        } catch {
            throw ImageError(.other, "the store could not be emptied: \(error)", underlying: error)
        }
    }

    /// Removes an image from the caches. Removes its bytes from disk, and from memory the image with the request's size
    /// and steps, the intermediate images before each step, and the images of all sizes without steps. Removes images of the
    /// source that ``store(_:for:)`` has stored from disk, in all sizes, for all users.
    ///
    /// Loads under way still return their images, but store nothing, and later requests do not join them. The removal
    /// completes even if the caller is cancelled. A store that cannot remove the bytes reports it to
    /// `ImageLoaderOptions.onProblem`, and counts them as absent.
    public func remove(_ request: ImageRequest) async {
        let request = complete(request)
        let keys = keys(of: request)
        revocations.noteRemoval(of: keys.source)
        attempts.forget(keys.source)
        pipeline.memory.remove(request, keys)
        // A request without a valid source has nothing stored.
        if let job = try? pipeline.job(request, keys, loads: false) { await pipeline.originals.remove(job) }
        await pipeline.given?.remove(keys.source)
    }

    /// Halves the memory cache by evicting images. Called automatically under memory pressure.
    public func shrinkMemory() {
        pipeline.memory.shrink()
    }

    /// Cancels all loads under way: their callers get the error `cancelled`. Later requests start new loads.
    public func cancelAll() {
        // A load that an earlier request starts after this call sees that the count has changed, and ends as cancelled.
        revocations.noteCancellation()
        pipeline.endAll(with: .cancelled)
    }

    /// Ends all loads, present and future, with the error `invalidated`, and releases the memory cache.
    public func invalidate() {
        revocations.invalidate()
        pipeline.endAll(with: .invalidated)
        pipeline.memory.removeAll()
    }

    /// The current work of the loader, and the counters of its caches.
    public var statistics: LoaderStatistics {
        let disk = cache.counts()
        let originals = pipeline.originals
        return LoaderStatistics(
            images: pipeline.flightCount, imageWaiters: pipeline.waiterCount, sources: originals.flightCount,
            sourceWaiters: originals.waiterCount, downloads: downloads.inUse, downloadQueue: downloads.waiting,
            undecodedBytes: budget.bytes, codecs: codecs.load.running, codecQueue: codecs.load.waiting,
            originals: originals.countsByOrigin, diskHits: disk.hits, diskMisses: disk.misses,
            diskWrites: disk.writes, memory: pipeline.memory.statistics)
    }

    /// Whether all download slots of an origin have belonged to downloads that have ended, for this time.
    package func isStuck(after limit: Duration) -> Bool { downloads.isStuck(after: limit) }

    func complete(_ request: ImageRequest) -> ImageRequest { defaults.complete(request) }

    /// - Parameter request: A request completed with the loader's defaults.
    func keys(of request: ImageRequest) -> ImageKeys { defaults.keys(of: request) }

    package func policy(of request: ImageRequest) -> CachePolicy { request.policy ?? defaults.policy }
}
