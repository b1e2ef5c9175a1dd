import CalotypeCodecs
import CalotypeConcurrency
import CalotypeHTTP
import CalotypeMemory
import ResourceProvider

extension ImageLoader {
    /// Returns the image in memory for the request, on the caller's thread. A larger bitmap if the request accepts one.
    ///
    /// An image past its freshness is none, unless the request takes any age. Within stale-while-revalidate
    /// (RFC 5861 §3) it is, and its origin is asked behind the caller's back.
    ///
    /// - Parameter countsMiss: Whether a miss enters the statistics: not for a caller that will look again.
    func imageInMemory(_ request: ImageRequest, _ keys: ImageKeys, countsMiss: Bool = true) -> ImageResponse? {
        guard request.readsMemory, !keys.needsConfirmation || request.rules.readsExpired else { return nil }
        let found = countsMiss ? memory.value(for: keys.image) : memory.valueOnSecondLook(for: keys.image)
        if let image = found { return mayShow(image, request, keys) ? image : nil }
        guard request.acceptsLarger, request.steps.isEmpty, let target = request.size else { return nil }
        if let image = sizes.larger(than: target, of: keys.source, in: memory) {
            return mayShow(image, request, nil) ? image : nil
        }
        // The whole image is at least as large as any size of it that is not enlarged.
        guard !target.upscales, let image = memory.valueOnSecondLook(for: CacheKey(keys.source)),
            target.keepsShape(of: PixelSize(width: image.bitmap.width, height: image.bitmap.height))
        else { return nil }
        return mayShow(image, request, nil) ? image : nil
    }

    func imageInMemory(_ job: Job) -> ImageResponse? {
        guard job.request.readsMemory, !job.isConfirming, !job.needsConfirmation || job.request.rules.readsExpired
        else { return nil }
        guard let image = memory.valueOnSecondLook(for: job.image) else { return nil }
        return mayShow(image, job.request, nil) ? image : nil
    }

    /// - Parameter keys: The keys of just this image, to refresh it; `nil` leaves that to whoever asks for just it.
    private func mayShow(_ image: ImageResponse, _ request: ImageRequest, _ keys: ImageKeys?) -> Bool {
        guard let provenance = image.provenance, !request.rules.readsExpired else { return true }
        if provenance.isFresh(at: options.wallClock.now) { return true }
        guard provenance.isUsable(at: options.wallClock.now) else { return false }
        if let keys { refresh(request, keys) }
        return true
    }

    /// Returns the image in memory for the request, fresh or not; `nil` if the request allows nothing unconfirmed.
    func anyAgeInMemory(_ request: ImageRequest, _ keys: ImageKeys) -> ImageResponse? {
        request.readsMemory && !keys.needsConfirmation ? memory.valueOnSecondLook(for: keys.image) : nil
    }

    /// Something to look at until the image is there: the whole image at another size, of any age.
    func otherSizeInMemory(_ request: ImageRequest, _ keys: ImageKeys) -> ImageResponse? {
        guard request.readsMemory, !keys.needsConfirmation, request.steps.isEmpty else { return nil }
        return sizes.any(of: keys.source, showing: request.size, in: memory)
            ?? memory.valueOnSecondLook(for: CacheKey(keys.source))
    }

    /// The latest preview of an image whose load has not ended well.
    func previewInMemory(_ request: ImageRequest, _ keys: ImageKeys) -> ImagePreview? {
        guard request.readsMemory, !keys.needsConfirmation, let image = memory.previewOnSecondLook(for: keys.image),
            let detail = image.detail
        else { return nil }
        return ImagePreview(bitmap: image.bitmap, detail: detail, coversImage: true)
    }

    /// Stores a preview, never in the place of an image, nor of a preview with more detail: each load begins coarsely.
    func keepPreview(_ preview: ImagePreview, _ job: Job, isPersonal: Bool) {
        guard !isPersonal, preview.coversImage, job.request.caching.contains(.writeMemory), !isOutdated(job),
            preview.bitmap.byteCount <= memory.entryCostLimit
        else { return }
        if let known = memory.previewOnSecondLook(for: job.image)?.detail, known.width > preview.detail.width { return }
        let image = ImageResponse(bitmap: preview.bitmap, origin: .memory, detail: preview.detail)
        memory.store(value: image, for: job.image, isPreview: true)
        // Removed in between.
        if isOutdated(job) { memory.remove(for: job.image) }
    }

    /// An image in memory that has to be confirmed before it is shown again.
    func expiredImage(_ job: Job) -> ImageResponse? {
        guard job.request.readsMemory, let image = memory.valueOnSecondLook(for: job.image), image.provenance != nil,
            image.identity?.text != nil
        else { return nil }
        return image
    }

    /// The image in memory, where it was made of the very bytes that the cache has: nothing is decoded or processed again.
    func confirmedImage(_ job: Job, _ handover: Handover) -> ImageResponse? {
        guard let original = handover.original else { return nil }
        return expiredImage(job)?.confirmed(by: original)
    }

    /// Answers whether there is nothing left to do: also where the request wants it kept out of memory.
    @discardableResult
    func remember(_ response: ImageResponse, _ job: Job) -> Bool {
        let bitmap = response.bitmap
        if response.isPersonal { return true }
        guard job.request.caching.contains(.writeMemory), memory.costLimit > 0, !isOutdated(job) else { return true }
        var image = response.inMemory
        // Where both are too large, the first frame alone may not be.
        if image.cost > memory.entryCostLimit { image.motion = nil }
        guard memory.store(value: image, for: job.image) else {
            report("a bitmap of \(bitmap.byteCount) bytes is too large for the memory cache", nil)
            return true
        }
        // Removed in between: what was removed then is gone, and this was not there yet.
        if isOutdated(job) { memory.remove(for: job.image) }
        if job.steps.isEmpty, let target = job.request.size { sizes.add(job.image, bitmap, as: target, of: job.source) }
        return true
    }
}

extension ResizeTarget {
    /// `true` if every image keeps its shape, and all of its edges.
    fileprivate var keepsShape: Bool { mode == .fit || width == nil || height == nil }

    /// Returns whether an image of this size keeps its shape, because it is that of the target too.
    fileprivate func keepsShape(of pixels: PixelSize) -> Bool {
        guard !keepsShape, let width, let height else { return true }
        let (left, right) = (pixels.width.multipliedFullWidth(by: height), pixels.height.multipliedFullWidth(by: width))
        return left == right
    }
}

/// Which sizes of an image, without steps, memory may have. Bounded; what is not noted here is simply not found.
final class SizesInMemory: Sendable {
    private struct Size {
        let image: CacheKey
        let pixels: PixelSize
        /// Where the bitmap does not show the whole image in its own shape: how it was cut or stretched.
        let shape: ResizeTarget?

        var showsAll: Bool { shape == nil }

        /// Returns whether the bitmap shows what the target asks for: all of the image, or the same cut of it.
        func shows(_ target: ResizeTarget) -> Bool {
            guard let shape else { return true }
            guard let width = target.width, let height = target.height else { return false }
            return shape.mode == target.mode && shape.gravity == target.gravity
                && pixels.width * height == pixels.height * width
        }
    }

    private static let sourceLimit = 4096
    private static let sizeLimit = 8
    private let sizes = Locked([ByteString: [Size]]())

    func add(_ image: CacheKey, _ bitmap: Bitmap, as target: ResizeTarget, of source: ByteString) {
        let pixels = PixelSize(width: bitmap.width, height: bitmap.height)
        let keepsShape = target.keepsShape
        // Cut to less than it was to be: no other target asks for just that.
        if !keepsShape, pixels.width != target.width || pixels.height != target.height { return }
        let size = Size(image: image, pixels: pixels, shape: keepsShape ? nil : target)
        sizes.withLock { sizes in
            if sizes.count >= SizesInMemory.sourceLimit, sizes[source] == nil { sizes.removeAll() }
            var known = sizes[source, default: []].filter { $0.image != image }
            known.append(size)
            sizes[source] = known.suffix(SizesInMemory.sizeLimit)
        }
    }

    /// Forgets the sizes of a source.
    ///
    /// - Returns: The images that memory may have.
    func removeAll(of source: ByteString) -> [CacheKey] {
        sizes.withLock { $0.removeValue(forKey: source) ?? [] }.map(\.image)
    }

    /// The largest bitmap in memory that shows the whole image, or the same cut of it.
    func any(of source: ByteString, showing target: ResizeTarget?, in memory: MemoryCache<ImageResponse>)
        -> ImageResponse?
    {
        let known = sizes.withLock { $0[source] ?? [] }.sorted { $0.pixels.width > $1.pixels.width }
        for size in known where target.map({ size.shows($0) }) ?? size.showsAll {
            if let image = memory.valueOnSecondLook(for: size.image) { return image }
        }
        return nil
    }

    /// The smallest bitmap in memory that is at least as large as the target asks.
    func larger(than target: ResizeTarget, of source: ByteString, in memory: MemoryCache<ImageResponse>)
        -> ImageResponse?
    {
        // How large the image would have to be, if it were large enough.
        var target = target
        target.upscales = true
        let known = sizes.withLock { $0[source] ?? [] }.filter {
            // The whole image is something else than what the target cuts or stretches.
            $0.shows(target) && (!$0.showsAll || target.keepsShape(of: $0.pixels))
        }.sorted { $0.pixels.width < $1.pixels.width }
        for size in known {
            let wanted = target.scaledSize(for: size.pixels)
            guard size.pixels.width >= wanted.width, size.pixels.height >= wanted.height else { continue }
            if let image = memory.valueOnSecondLook(for: size.image) { return image }
        }
        return nil
    }
}
