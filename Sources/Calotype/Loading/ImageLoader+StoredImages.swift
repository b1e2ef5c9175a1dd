import CalotypeBase
public import CalotypeCodecs
import CalotypeHTTP

extension ImageLoader {
    /// Stores an image as the result of a request, for example a photo that the user has just uploaded.
    ///
    /// Stores it in memory; and on disk, losslessly, if `ImageLoaderOptions.storage` includes processed images. There
    /// it stays for `ImageLoaderOptions.storedLifetime`. Requests with equal source, header fields, size and steps return it
    /// without asking the server, unless their policy requires that; requests for other sizes load the original. Loads of the
    /// same source under way still return their images, but store nothing. ``remove(_:)`` removes the image. A load of the
    /// source with `revalidate` or `reloadIgnoringCache`, in any size, removes it from disk if the load gets an image from there.
    ///
    /// The image replaces an earlier one of the request, even if `caching` or a failure keeps the new one out of memory or off
    /// the disk. A bitmap that is too large for memory and a failed write go to `ImageLoaderOptions.onProblem`. Of calls that
    /// overlap, the last to finish determines the image.
    ///
    /// `ImageLoaderOptions.prepare` gets the request, as in a load. If it sets credentials, memory does not keep the image, and
    /// the disk has it for that user alone; without processed images on disk, it is then not stored at all. The loader
    /// follows no redirect for this: if `ImageLoaderOptions.defaultFields` returns credentials only for the target of a
    /// redirect, store no image for the URL that leads there.
    ///
    /// - Throws: `invalidURL` for a request without a URL, `unsupportedScheme`, `preparationFailed`, `cancelled` if the caller
    ///   is cancelled while the request is prepared, `invalidated`. The image is then not stored.
    public func store(_ bitmap: Bitmap, for request: ImageRequest) async throws(ImageError) {
        try revocations.checkIsValid()
        let request = complete(request)
        let keys = keys(of: request)
        try await revocations.watching(keys.source) { mark throws(ImageError) in
            let job = try pipeline.job(request, keys, mark: mark)
            let entry = try await job.source.entry()
            let image = ImageResponse(
                bitmap: bitmap.declaring(isFirstFrame: false), origin: .memory, isPersonal: entry.isPersonal)
            // In a separate task, so that the rest completes even if the caller is cancelled.
            try await Task { [self] in
                await Result(awaiting: { () async throws(ImageError) in try await replace(with: image, job, entry) })
            }.value.get()
        }
    }

    private func replace(with image: ImageResponse, _ job: Job, _ entry: SourceEntry) async throws(ImageError) {
        // Encode before the turn, whose holder may wait for the store alone: loads that hold memory wait for the turn.
        let file = await pipeline.given?.file(of: image, job)
        try await turns.take(job.sourceKey) { () async throws(ImageError) in
            try revocations.checkIsValid()
            // The disk comes first: a load that begins after the note finds no earlier image.
            await pipeline.given?.replace(with: file, job, of: entry)
            // A load under way would replace the image by an older one, and a remembered failure would hide it.
            revocations.noteReplacement(of: job.sourceKey)
            attempts.forget(job.sourceKey)
            pipeline.memory.replace(with: image, job)
        }
    }

    /// Returns the cache from which a load of the request would get its image now without asking the server: `memory`, `disk`,
    /// or `nil`.
    ///
    /// Loads and decodes nothing, and starts no revalidation. The request's policy counts: by default the result is `nil` for
    /// a stale image and for a local file that has changed, but not with `returnCacheElseLoad`. Only a load finds out whether
    /// stored bytes are an image. Calls `ImageLoaderOptions.prepare`, whose request determines the entry on disk.
    public func cachedOrigin(of request: ImageRequest) async -> ImageResponse.Origin? {
        let request = complete(request)
        let keys = keys(of: request)
        let inMemory = pipeline.memory.image(for: request, keys, countsMiss: false, trustsFiles: false)
        if inMemory != nil { return .memory }
        return await pipeline.cacheBelowMemory(request, keys)
    }
}

extension Pipeline {
    fileprivate func cacheBelowMemory(_ request: ImageRequest, _ keys: ImageKeys) async -> ImageResponse.Origin? {
        guard let job = try? job(request, keys) else { return nil }
        if let given, await given.find(job) != nil { return .disk }
        // A local file is not in the cache, but an image that was made of it may be.
        let mayBeStored =
            request.readsDisk && (job.source.isCached || job.source.isLocal && processed?.mayHave(job) == true)
        let unconfirmed = job.source.isLocal ? memory.expiredImage(job) : nil
        guard mayBeStored || unconfirmed != nil else { return nil }
        let order = OriginalOrder(
            policy: request.rules, readsDisk: request.readsDisk, isConfirming: false, decision: .never,
            onUpdate: { _ in }, isLookup: true)
        guard let original = try? await job.source.open(order) else { return nil }
        if unconfirmed?.confirmed(by: original) != nil { return .memory }
        guard mayBeStored else { return nil }
        if job.source.isCached, original.identity?.lacksBody != true { return .disk }
        return await processed?.find(job, of: Claim(original)) == nil ? nil : .disk
    }
}
