import CalotypeCodecs
import CalotypeConcurrency
import CalotypeHTTP
import CalotypeMemory
import CalotypeStore
import Foundation
import ResourceProvider

// Processed images on disk. Each belongs to the original that it was made of, by whose identity it is known: it has no
// lifetime, no freshness and no removal of its own. A store that fails never fails a load: it is reported, and the load
// goes on.

extension ImageLoader {
    /// The processed image from the disk store, if there is one of this very original.
    ///
    /// Bytes that came over the network are not looked up: it takes less to decode what is there.
    func readProcessedImage(_ job: Job, _ handover: Handover) async -> ImageResponse? {
        guard let found = await findProcessed(job, handover) else { return nil }
        // Not while it waits for room and reads.
        handover.drop()
        do {
            let share = try await room.share(stored: found.entry.size)
            guard let body = try await diskStore?.body(of: found.entry) else { return nil }
            defer { withExtendedLifetime(share) {} }
            handover.noteBytes(body.count)
            let plan = try options.decoders.plan(for: body, target: nil, limits: options.limits)
            let bitmap = try await codecs.run(cost: plan.cost) { () throws(CodecError) in try plan.decode() }
            return found.response(bitmap)
        } catch let error as CodecError {
            if error.code != .cancelled, error.code != .overloaded {
                await remove(found.entry.key, because: "it could not be decoded: \(error)")
            }
            return nil
        } catch {
            if !(error is Interruption) { report("the disk store could not be read: \(error)", error) }
            return nil
        }
    }

    private struct Found {
        let entry: EntryHead
        let response: @Sendable (Bitmap) -> ImageResponse
    }

    /// A separate function, so that only the handover holds the original while the processed image is read.
    private func findProcessed(_ job: Job, _ handover: Handover) async -> Found? {
        guard let store = diskStore, options.storage.keepsPrints, !job.isOriginal, job.request.readsDisk,
            let original = handover.original, original.origin != .network,
            let key = processedKey(job, original.identity)
        else { return nil }
        do {
            guard let entry = try await store.head(for: key) else { return nil }
            let (origin, provenance, identity) = (original.origin, original.provenance, original.identity)
            return Found(entry: entry) { bitmap in
                ImageResponse(
                    bitmap: bitmap, origin: origin == .source ? .disk : origin, provenance: provenance,
                    identity: identity)
            }
        } catch {
            report("the disk store could not be read: \(error)", error)
            return nil
        }
    }

    /// Returns whether the original must be requested first, because only the cache's answer says whether the image in
    /// memory or on disk may still be used.
    func needsOriginalFirst(_ job: Job) -> Bool {
        if expiredImage(job) != nil { return true }
        guard diskStore != nil, options.storage.keepsPrints, !job.isOriginal, job.request.readsDisk else {
            return false
        }
        // An image on the way that is there, or under way, saves asking.
        guard !job.steps.isEmpty else { return true }
        let before = job.beforeLastStep
        return !images.isInFlight(before.imageFlight) && imageInMemory(before) == nil
    }

    /// Stores a processed image without loss, under the identity of the original.
    func storeProcessedImage(_ response: ImageResponse, _ job: Job) async {
        // Of an animation, views need the frames: a stored first one would stand in their way.
        guard !response.bitmap.isFirstFrame else { return }
        guard let store = diskStore, options.storage.keepsPrints, job.isFinal, !job.isOriginal,
            job.request.caching.contains(.writeDisk), !isOutdated(job), let key = processedKey(job, response.identity)
        else { return }
        do {
            // The same bytes, loaded again: what was made of them is there.
            if try await store.headBeforeWriting(key) != nil { return }
            let bitmap = response.bitmap
            let data = try await codecs.run(cost: 2 * bitmap.byteCount) { () throws(CodecError) in
                try bitmap.encoded(as: .png)
            }
            let head = StoredHead(url: job.source, status: 200, fields: ["Content-Type": "image/png"])
            try await store.store(data, metadata: head.encoded, for: key)
            // Removed in between: what was removed then is gone, and this was not there yet.
            if isOutdated(job) { try await store.remove(key) }
        } catch {
            report("a processed image could not be stored: \(error)", error)
        }
    }

    /// Everything that changes pixels; nil where the original is not stored.
    private func processedKey(_ job: Job, _ identity: BodyIdentity?) -> ByteString? {
        guard let identity = identity?.text else { return nil }
        let image = ImageKeys.image(identity, job.request.size, job.steps).text
        return "processed \(codecVersion) \(options.limits.pixelKey)\n\(image)"
    }

    private func remove(_ key: ByteString, because reason: String) async {
        report("a stored entry was removed, because \(reason)", nil)
        do {
            try await diskStore?.remove(key)
        } catch {
            report("a stored entry could not be removed: \(error)", error)
        }
    }
}

extension DecodeLimits {
    /// The limits by which pixels change: the others refuse an image.
    fileprivate var pixelKey: String {
        (maxBitmapBytes.map(String.init) ?? "-") + (acceptsPartialImages ? " partial" : "")
    }
}
