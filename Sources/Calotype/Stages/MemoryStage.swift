import CalotypeCodecs
import CalotypeBase
import CalotypeHTTP
import CalotypeMemory

final class MemoryStage: Sendable {
    private let cache: MemoryCache<ImageResponse>
    private let sizes = SizesInMemory()
    private let wallClock: WallClock
    private let revocations: Revocations
    private let problems: ProblemReports

    init(_ options: ImageLoaderOptions, _ revocations: Revocations, _ problems: ProblemReports) {
        cache = MemoryCache(options: options.memory, wallClock: options.wallClock) { $0.cost }
        wallClock = options.wallClock
        self.revocations = revocations
        self.problems = problems
    }

    var statistics: MemoryCacheStatistics { cache.statistics }

    /// Returns the image for the request if it is in memory, or a larger bitmap if the request accepts larger bitmaps.
    ///
    /// Returns a stale image only within stale-while-revalidate (RFC 5861 §3) or if the request accepts any age.
    ///
    /// - Parameters:
    ///   - countsMiss: Whether a miss enters the statistics; `false` for a caller that will look again.
    ///   - trustsFiles: Whether to return the image of a local file, although the file may have changed meanwhile.
    /// - Returns: The image, and whether it is stale.
    func image(
        for request: ImageRequest, _ keys: ImageKeys, countsMiss: Bool = true, trustsFiles: Bool
    ) -> (image: ImageResponse, isStale: Bool)? {
        guard request.readsMemory, !keys.needsConfirmation || request.rules.readsExpired else { return nil }
        let found = countsMiss ? cache.value(for: keys.image) : cache.peek(keys.image)
        guard let image = found ?? larger(for: request, keys) else { return nil }
        let state = state(of: image, request, trustsFiles)
        return state == .unusable ? nil : (image, state == .stale)
    }

    private func larger(for request: ImageRequest, _ keys: ImageKeys) -> ImageResponse? {
        guard request.acceptsLargerImages, request.gamut == .sRGB, request.steps.isEmpty, let target = request.size
        else { return nil }
        if let image = sizes.larger(than: target, of: keys.source, in: cache) { return image }
        // Unless the target upscales, the full-size image is large enough for it.
        guard !target.upscales, let image = cache.peek(CacheKey(keys.source)),
            target.keepsShape(of: PixelSize(width: image.bitmap.width, height: image.bitmap.height))
        else { return nil }
        return image
    }

    func image(for job: Job) -> ImageResponse? {
        guard job.request.readsMemory, !job.isConfirming, !job.needsConfirmation || job.request.rules.readsExpired,
            let image = cache.peek(job.image)
        else { return nil }
        return mayShow(image, job.request, job.madeOf != nil) ? image : nil
    }

    private enum State { case fresh, stale, unusable }

    private func state(of image: ImageResponse, _ request: ImageRequest, _ trustsFiles: Bool) -> State {
        // As on disk: a stale failure is loaded again.
        if request.rules.readsExpired, image.provenance?.isFailure != true { return .fresh }
        guard let provenance = image.provenance else {
            return trustsFiles || image.identity?.isOfFile != true ? .fresh : .unusable
        }
        let now = wallClock.now
        return provenance.isFresh(at: now) ? .fresh : provenance.isUsable(at: now) ? .stale : .unusable
    }

    private func mayShow(_ image: ImageResponse, _ request: ImageRequest, _ trustsFiles: Bool) -> Bool {
        state(of: image, request, trustsFiles) != .unusable
    }

    /// Returns the image for the request, fresh or stale, or `nil` if the request requires confirmation first.
    func imageOfAnyAge(for request: ImageRequest, _ keys: ImageKeys) -> ImageResponse? {
        request.readsMemory && !keys.needsConfirmation ? cache.peek(keys.image) : nil
    }

    /// Returns the image at another size and of any age, as a placeholder until the requested size arrives.
    func otherSize(for request: ImageRequest, _ keys: ImageKeys) -> ImageResponse? {
        guard request.readsMemory, !keys.needsConfirmation, request.steps.isEmpty else { return nil }
        return sizes.any(of: keys.source, showing: request.size, in: cache) ?? cache.peek(CacheKey(keys.source))
    }

    /// Returns the latest preview of an image whose load has not succeeded yet.
    func preview(for request: ImageRequest, _ keys: ImageKeys) -> ImagePreview? {
        guard request.readsMemory, !keys.needsConfirmation, let image = cache.peekPreview(keys.image),
            let detail = image.detail
        else { return nil }
        return ImagePreview(bitmap: image.bitmap, detail: detail)
    }

    /// Returns the image in memory if its origin or its file can confirm it, which means that its bytes have an identity
    /// and came from the web or a local file. Called after `image(for:)` has returned `nil`.
    func expiredImage(_ job: Job) -> ImageResponse? {
        guard job.request.readsMemory, let image = cache.peek(job.image), let identity = image.identity,
            image.provenance != nil || identity.isOfFile, identity.text != nil
        else { return nil }
        return image
    }

    func image(of job: Job, madeOf identity: BodyIdentity?) -> ImageResponse? {
        guard let image = cache.peek(job.image), let made = image.identity?.text, made == identity?.text else {
            return nil
        }
        return image
    }

    /// Returns whether a refresh may bring anything: memory has the image only at a larger size, or stale.
    func lacksFreshImage(_ job: Job) -> Bool {
        guard let image = cache.peek(job.image) else { return true }
        return image.provenance.map { !$0.isFresh(at: wallClock.now) } ?? false
    }

    func remember(_ response: ImageResponse, _ job: Job) {
        let bitmap = response.bitmap
        guard !response.isPersonal, job.isFindable(response), job.request.caching.contains(.writeMemory),
            cache.costLimit > 0, !isRemoved(job)
        else { return }
        var image = response.inMemory
        // If the image and its animation together exceed the limit, the first frame alone may fit.
        if image.cost > cache.entryCostLimit { image.motion = nil }
        guard cache.store(value: image, for: job.image) else {
            return problems.report("a bitmap of \(bitmap.byteCount) bytes is too large for the memory cache", nil)
        }
        // If the source was removed after the check above, that removal missed this entry.
        if isRemoved(job) { cache.remove(for: job.image) }
        if job.steps.isEmpty, job.madeOf == nil, job.request.gamut == .sRGB, let target = job.request.size {
            sizes.add(job.image, bitmap, as: target, of: job.sourceKey)
        }
    }

    /// Stores an image in place of another, which goes in any case: even if the request or the image's size keeps the new one
    /// out of memory.
    func replace(with response: ImageResponse, _ job: Job) {
        cache.remove(for: job.image)
        remember(response, job)
    }

    /// Stores a preview, but replaces no image and no preview with more detail: every load begins with coarse previews.
    func keepPreview(_ preview: ImagePreview, _ job: Job, isPersonal: Bool) {
        guard !isPersonal, job.request.caching.contains(.writeMemory), !isRemoved(job),
            preview.bitmap.byteCount <= cache.entryCostLimit
        else { return }
        if let known = cache.peekPreview(job.image)?.detail, known.width > preview.detail.width { return }
        let image = ImageResponse(bitmap: preview.bitmap, origin: .memory, detail: preview.detail)
        cache.store(value: image, for: job.image, isPreview: true)
        // If the source was removed after the check above, that removal missed this entry.
        if isRemoved(job) { cache.remove(for: job.image) }
    }

    private func isRemoved(_ job: Job) -> Bool { revocations.isRemoved(job.sourceKey, since: job.mark) }

    func removeAll() { cache.removeAll() }

    func remove(_ request: ImageRequest, _ keys: ImageKeys) {
        let images = [keys.image] + keys.chain(of: request) + sizes.removeAll(of: keys.source)
        for image in images { cache.remove(for: image) }
    }

    func shrink() { cache.shrink() }
}
