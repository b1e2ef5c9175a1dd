import CalotypeBase
public import CalotypeCodecs
import CalotypeHTTP

extension ImageLoader {
    /// Stores an image as the result of a request, for example a photo that the user has just uploaded.
    ///
    /// Stores it in memory at once; and on disk, losslessly, if `ImageLoaderOptions.storage` includes processed images. There
    /// it stays for `ImageLoaderOptions.storedLifetime`. Requests with equal source, header fields, size and steps return it
    /// without asking the server, unless their policy requires that; requests for other sizes load the original. Loads of the
    /// same source under way still return their images, but store nothing. ``remove(_:)`` removes the image.
    ///
    /// The request's `caching` excludes memory or disk. A bitmap that is too large for memory and a failed write go to
    /// `ImageLoaderOptions.onProblem`.
    ///
    /// - Throws: `invalidURL` for a request without a URL, `unsupportedScheme`, `invalidated`.
    public func store(_ bitmap: Bitmap, for request: ImageRequest) async throws(ImageError) {
        try revocations.checkIsValid()
        let request = complete(request)
        let keys = keys(of: request)
        // A load under way would replace the image by an older one, and a remembered failure would hide it.
        revocations.noteRemoval(of: keys.source)
        attempts.forget(keys.source)
        let job = try pipeline.job(request, keys)
        let image = ImageResponse(bitmap: bitmap.declaring(isFirstFrame: false), origin: .memory)
        pipeline.memory.remember(image, job)
        await pipeline.given?.store(image, job)
    }

    /// Returns the cache from which a load of the request would get its image now without asking the server: `memory`, `disk`,
    /// or `nil`.
    ///
    /// Loads and decodes nothing, and starts no revalidation. The request's policy counts: by default a stale image is `nil`,
    /// with `returnCacheElseLoad` it is `disk`. Only a load finds out whether stored bytes are an image. Calls
    /// `ImageLoaderOptions.prepare`, whose request determines the entry on disk.
    public func cachedOrigin(of request: ImageRequest) async -> ImageResponse.Origin? {
        let request = complete(request)
        let keys = keys(of: request)
        let inMemory = pipeline.memory.image(for: request, keys, countsMiss: false, trustsFiles: true, onStale: {})
        if inMemory != nil { return .memory }
        return await pipeline.isOnDisk(request, keys) ? .disk : nil
    }
}

extension Pipeline {
    fileprivate func isOnDisk(_ request: ImageRequest, _ keys: ImageKeys) async -> Bool {
        guard request.readsDisk, let job = try? job(request, keys) else { return false }
        if let given, await given.find(job) != nil { return true }
        // A local file is not in the cache, but an image that was made of it may be.
        guard job.source.isCached || job.source.isLocal && processed?.mayHave(job) == true else { return false }
        let order = OriginalOrder(
            policy: request.rules, readsDisk: true, isConfirming: false, decision: .never, onUpdate: { _ in },
            isLookup: true)
        guard let original = try? await job.source.open(order) else { return false }
        if job.source.isCached, original.identity?.lacksBody != true { return true }
        return await processed?.find(job, of: Claim(original)) != nil
    }
}
