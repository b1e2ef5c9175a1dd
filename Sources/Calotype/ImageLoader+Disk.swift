import CalotypeCodecs
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeMemory
import CalotypeStore
import Foundation
import ResourceProvider

// The disk store, seen from the loader: what it keeps beside the HTTP cache, which has its own entries there. A store that
// fails never fails a load: it is reported, and the load goes on.

extension ImageLoader {
    /// The bytes of a custom source, if they are there and good still.
    func stored(_ job: Job) async -> Original? {
        guard let entry = await entry(job.source, evenExpired: job.request.policy.readsExpired) else { return nil }
        guard let head = StoredHead(encoded: entry.metadata) else {
            await remove(job.source, because: "its metadata could not be read")
            return nil
        }
        return Original(data: entry.body, head: head, origin: .disk)
    }

    /// Stores the bytes of a custom source as they came, once for all who share them.
    func keep(_ original: Original, _ job: Job) async {
        guard job.request.source.isCustom, original.origin != .disk, wantsOriginalKept(job), original.claimKeeping()
        else { return }
        await write(original.data, original.head, for: job.source)
    }

    /// Whether this request wants the bytes as they came on disk.
    func wantsOriginalKept(_ job: Job) -> Bool {
        guard options.diskStore != nil, options.storage.keepsOriginals, job.request.caching.contains(.writeDisk) else {
            return false
        }
        return !options.storage.isAutomatic || job.isOriginal
    }

    /// Bytes that turned out to be no picture.
    func removeOriginal(_ job: Job) async {
        guard options.diskStore != nil else { return }
        if let cache, let http = job.request.source.web {
            await cache.removeStored(for: http.named(job.request.cacheKey))
        } else if job.request.source.isCustom {
            await remove(job.source, because: nil)
        }
    }

    /// A finished picture from the disk store, where such are kept.
    func keptPrint(_ job: Job) async -> ImageResponse? {
        guard options.storage.keepsPrints, !job.isOriginal, job.request.readsDisk else { return nil }
        guard let entry = await entry(printKey(job), evenExpired: job.request.policy.readsExpired) else { return nil }
        do {
            let plan = try options.decoders.plan(for: entry.body, target: nil, limits: options.limits)
            let bitmap = try await codecs.run(cost: plan.cost) { () throws(CodecError) in try plan.decode() }
            return ImageResponse(bitmap: bitmap, origin: .disk)
        } catch {
            if error.code != .cancelled { await remove(printKey(job), because: "it could not be decoded: \(error)") }
            return nil
        }
    }

    /// Stores a finished picture, without loss, for as long as what it was made of is fresh.
    func keepPrint(_ bitmap: Bitmap, _ job: Job, _ provenance: Provenance?) async {
        guard options.storage.keepsPrints, options.diskStore != nil, job.isFinal, !job.isOriginal else { return }
        guard job.request.caching.contains(.writeDisk) else { return }
        do {
            let data = try await codecs.run(cost: 2 * bitmap.byteCount) { () throws(CodecError) in
                try bitmap.encoded(as: .png)
            }
            let head = StoredHead(url: job.source.string, status: 200, fields: ["Content-Type": "image/png"])
            await write(data, head, for: printKey(job), expires: provenance?.freshUntil)
        } catch {
            report("a finished picture could not be encoded for the disk store: \(error)", error)
        }
    }

    private func printKey(_ job: Job) -> ByteString { "print\n\(job.image.text)" }

    private func entry(_ key: ByteString, evenExpired: Bool) async -> StoredEntry? {
        guard let store = options.diskStore else { return nil }
        do {
            guard let entry = try await store.entry(for: key) else { return nil }
            // Freshness is the loader's matter; the store itself only forgets what nobody has used for long.
            let isFresh = entry.storedAt + options.storedLifetime > options.wallClock.now
            return isFresh || evenExpired ? entry : nil
        } catch {
            report("the disk store could not be read: \(error)", error)
            return nil
        }
    }

    private func write(_ data: Data, _ head: StoredHead, for key: ByteString, expires: Double? = nil) async {
        guard let store = options.diskStore else { return }
        do {
            try await store.store(data, metadata: head.encoded, for: key, expires: expires)
        } catch {
            report("the disk store could not be written: \(error)", error)
        }
    }

    private func remove(_ key: ByteString, because reason: String?) async {
        if let reason { report("a stored entry was removed, because \(reason)", nil) }
        do {
            try await options.diskStore?.remove(key)
        } catch {
            report("a stored entry could not be removed: \(error)", error)
        }
    }
}
