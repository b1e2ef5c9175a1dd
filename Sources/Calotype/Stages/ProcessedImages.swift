import CalotypeCodecs
import CalotypeBase
import CalotypeHTTP
import CalotypeMemory
import CalotypeStore
import Foundation

/// The stage for processed images on disk. The original of a processed image determines whether the image may be used.
///
/// A failing store never fails a load: the stage reports the failure, and the load continues.
final class ProcessedImages: Sendable {
    private let store: DiskStore
    private let options: ImageLoaderOptions
    private let budget: BodyBudget
    private let decoding: DecodeStage
    private let revocations: Revocations
    private let problems: ProblemReports

    init?(
        in store: DiskStore?, _ options: ImageLoaderOptions, _ budget: BodyBudget, _ decoding: DecodeStage,
        _ revocations: Revocations, _ problems: ProblemReports
    ) {
        guard let store, options.storage.storesProcessedImages else { return nil }
        self.store = store
        self.options = options
        self.budget = budget
        self.decoding = decoding
        self.revocations = revocations
        self.problems = problems
    }

    struct Found {
        let entry: EntryHead
        var origin = ImageResponse.Origin.disk
        var provenance: Provenance?
        var identity: BodyIdentity?
        var isPersonal = false
    }

    func mayHave(_ job: Job) -> Bool { !job.isOriginal && job.request.readsDisk }

    /// Looks up the image that was made of exactly this original.
    ///
    /// Skips the lookup if the bytes came over the network: they are in memory, and decoding them takes less time.
    func find(_ job: Job, of claim: borrowing Claim) async -> Found? {
        guard mayHave(job), let original = claim.original, original.origin != .network,
            let key = key(of: job, original.identity)
        else { return nil }
        let (origin, provenance, identity) = (original.origin, original.provenance, original.identity)
        do {
            return try await store.head(for: key).map {
                Found(
                    entry: $0, origin: origin == .source ? .disk : origin, provenance: provenance, identity: identity)
            }
        } catch {
            problems.report("the disk store could not be read: \(error)", error)
            return nil
        }
    }

    /// Reads and decodes the image as soon as the budget allows its bytes. Returns `nil` if that fails.
    func read(_ found: Found, _ job: Job) async -> ImageResponse? {
        do {
            let reservation = try await budget.reserve(stored: found.entry.size)
            guard let body = try await store.body(of: found.entry) else { return nil }
            defer { withExtendedLifetime(reservation) {} }
            let loaded = job.elapsed
            let gamut = job.request.gamut
            let plan = try await decoding.run(job.url, cost: 0) { [options] () throws(CodecError) in
                try options.decoders.plan(for: body, target: GamutLayout(nil, in: gamut), limits: options.limits)
            }
            let (bitmap, paid) = try await decoding.bitmap(by: plan, job)
            return ImageResponse(
                bitmap: bitmap, origin: found.origin, provenance: found.provenance, identity: found.identity,
                work: LoadWork(bytes: body.count, loading: loaded, until: job.elapsed),
                isPersonal: found.isPersonal, reservation: paid)
        } catch let error as ImageError {
            if ![.cancelled, .overloaded, .timedOut, .decoderFailed].contains(error.code) {
                await remove(found.entry.key, because: "it could not be decoded: \(error)")
            }
            return nil
        } catch {
            if !(error is Interruption) { problems.report("the disk store could not be read: \(error)", error) }
            return nil
        }
    }

    /// Stores a processed image losslessly, under the identity of the original.
    func store(_ response: ImageResponse, _ job: Job) async {
        // Views need all frames of an animation, and a stored first frame would hide them.
        guard !response.bitmap.isFirstFrame, job.isFinal, !job.isOriginal, job.request.caching.contains(.writeDisk),
            !isRemoved(job), let key = key(of: job, response.identity)
        else { return }
        do {
            // If the same bytes were loaded before, their image is stored already.
            if try await store.headBeforeWriting(key) != nil { return }
            try await write(try await file(of: response, job), job, as: key)
        } catch {
            problems.report("a processed image could not be stored: \(error)", error)
        }
    }

    /// Encodes an image losslessly.
    func file(of response: ImageResponse, _ job: Job) async throws(ImageError) -> Data {
        let bitmap = response.bitmap
        let cost = EncodingFormat.png.peakBytes(of: bitmap.size, hasAlpha: bitmap.hasAlpha)
        return try await decoding.work(on: response, cost: cost, job.url) { () throws(CodecError) in
            try bitmap.encoded(as: .png)
        }
    }

    /// Writes an encoded image.
    ///
    /// - Parameter expires: The time from which the entry is absent, in seconds since 1970; `nil` for no limit.
    func write(_ data: Data, _ job: Job, as key: ByteString, expires: Double? = nil) async throws {
        let head = StoredHead(url: job.sourceKey, status: 200, fields: ["Content-Type": "image/png"])
        try await store.store(data, metadata: head.encoded, for: key, expires: expires)
        // If the source was removed meanwhile, that removal missed this entry.
        if isRemoved(job) { try await store.remove(key) }
    }

    private func isRemoved(_ job: Job) -> Bool { revocations.isRemoved(job.sourceKey, since: job.mark) }

    /// Returns a key made of everything that changes pixels, or `nil` if the original is not stored.
    private func key(of job: Job, _ identity: BodyIdentity?) -> ByteString? {
        guard let identity = identity?.text else { return nil }
        let image = ImageKeys.image(identity, job.layout, job.steps).text
        return "processed \(codecVersion) \(options.limits.pixelKey)\n\(image)"
    }

    private func remove(_ key: ByteString, because reason: String) async {
        problems.report("a stored entry was removed, because \(reason)", nil)
        do {
            try await store.remove(key)
        } catch {
            problems.report("a stored entry could not be removed: \(error)", error)
        }
    }
}

extension DecodeLimits {
    /// The limits that change pixels. The others only reject an image.
    fileprivate var pixelKey: String {
        (maxBitmapBytes.map(String.init) ?? "-") + (acceptsPartialImages ? " partial" : "")
    }
}
