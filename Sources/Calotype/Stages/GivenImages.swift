import CalotypeBase
import CalotypeHTTP
import CalotypeStore
import Foundation

/// The stage for images on disk that the program has stored itself. They have no original, and stay for as long as bytes of
/// custom sources do.
///
/// Each source has an entry with a random token, and each of its images an entry whose key contains the token. Without the
/// first entry, whether removed or evicted, no image of the source is found. The keys of images also contain the user and
/// the target of the prepared request, as those of responses do; the entry of a source is one for all users.
final class GivenImages: Sendable {
    private let store: DiskStore
    private let processed: ProcessedImages
    private let options: ImageLoaderOptions
    private let revocations: Revocations
    private let problems: ProblemReports
    private let turns: Turns

    /// - Parameter turns: The queues in which removals wait for calls of ``replace(with:_:of:)``, whose callers take the turns.
    init?(
        in store: DiskStore?, beside processed: ProcessedImages?, _ options: ImageLoaderOptions,
        _ revocations: Revocations, _ problems: ProblemReports, turns: Turns
    ) {
        guard let store, let processed else { return nil }
        self.store = store
        self.processed = processed
        self.options = options
        self.revocations = revocations
        self.problems = problems
        self.turns = turns
    }

    /// Returns the stored image, or `nil` if none is stored, if it cannot be decoded, or if the request needs its origin.
    func image(_ job: Job) async -> ImageResponse? {
        guard let found = await find(job) else { return nil }
        return await processed.read(found, job)
    }

    func find(_ job: Job) async -> ProcessedImages.Found? {
        // A flight for an intermediate image may hold the bytes of its original, and must not wait for the store with them.
        guard job.isFinal, job.madeOf == nil, job.request.readsDisk, !asksOrigin(job) else { return nil }
        do {
            guard let token = try await token(of: job.sourceKey) else { return nil }
            // Only now: `prepare` is not called again for sources without stored images. If it fails, so does the load.
            guard let entry = try? await job.source.entry() else { return nil }
            return try await store.head(for: key(of: job, token, entry)).map {
                ProcessedImages.Found(entry: $0, isPersonal: entry.isPersonal)
            }
        } catch {
            problems.report("the disk store could not be read: \(error)", error)
            return nil
        }
    }

    /// Encodes an image for ``replace(with:_:of:)``. Returns `nil` if the request writes no disk, or if that fails.
    func file(of image: ImageResponse, _ job: Job) async -> Data? {
        guard job.request.caching.contains(.writeDisk) else { return nil }
        do throws(ImageError) {
            return try await processed.file(of: image, job)
        } catch {
            reportUnstored(error)
            return nil
        }
    }

    /// Stores a file in place of the job's image, which goes in any case. The caller holds the source's turn.
    ///
    /// - Parameter file: The encoded image, or `nil` to store none.
    func replace(with file: Data?, _ job: Job, of entry: SourceEntry) async {
        do {
            let known = try await token(of: job.sourceKey)
            if let known { try await store.remove(key(of: job, known, entry)) }
            guard let file else { return }
            let token = known ?? Data("\(UInt64.random(in: .min ... .max))".utf8)
            let expires = options.wallClock.now + min(options.storedLifetime / .seconds(1), Double(1 << 31))
            try await processed.write(file, job, as: key(of: job, token, entry), expires: expires)
            // The entry of the source must not expire before its latest image.
            try await store.store(Data(), metadata: token, for: key(of: job.sourceKey), expires: expires)
            // If the source was removed meanwhile, that removal missed this entry.
            if revocations.isRemoved(job.sourceKey, since: job.mark) { try await store.remove(key(of: job.sourceKey)) }
        } catch {
            reportUnstored(error)
        }
    }

    private func reportUnstored(_ error: any Error) { problems.report("an image could not be stored: \(error)", error) }

    /// Removes all images of a source, in a separate task, so that this completes even if the caller is cancelled.
    func remove(_ source: ByteString) async { await remove(source, unless: { false }) }

    /// Removes all images of a source if a load that had to skip them got a newer one from the origin.
    func makeWay(for response: ImageResponse, _ job: Job) async {
        guard asksOrigin(job), job.isFinal, job.madeOf == nil, response.provenance?.isFailure != true,
            [.network, .revalidated, .source].contains(response.origin)
        else { return }
        await remove(job.sourceKey) { [self] in
            // An image stored during the load is newer than the origin's.
            if revocations.isRemoved(job.sourceKey, since: job.mark) { return true }
            return try await token(of: job.sourceKey) == nil
        }
    }

    private func asksOrigin(_ job: Job) -> Bool {
        let rules = job.request.rules
        return job.isConfirming || !rules.readsCaches || job.needsConfirmation && !rules.readsExpired
    }

    private func remove(
        _ source: ByteString, unless isNeedless: @escaping @Sendable () async throws -> Bool
    ) async {
        await Task { [self] in
            do {
                try await turns.take(source) { () async throws in
                    if try await !isNeedless() { try await store.remove(key(of: source)) }
                }
            } catch {
                problems.report("a stored image could not be removed: \(error)", error)
            }
        }.value
    }

    /// Does not count as a miss, because most sources have no such entry.
    private func token(of source: ByteString) async throws -> Data? {
        try await store.headBeforeWriting(key(of: source))?.metadata
    }

    private func key(of source: ByteString) -> ByteString { "given\n\(source)" }

    private func key(of job: Job, _ token: Data, _ entry: SourceEntry) -> ByteString {
        "given \(ByteString(bytes: token)) \(entry.key)\n\(job.image.text)"
    }
}
