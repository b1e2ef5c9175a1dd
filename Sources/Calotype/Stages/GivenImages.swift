import CalotypeBase
import CalotypeHTTP
import CalotypeStore
import Foundation

/// The stage for images on disk that the program has stored itself. They have no original, and stay for as long as bytes of
/// custom sources do.
///
/// Each source has an entry with a random token, and each of its images an entry whose key contains the token. Without the
/// first entry, whether removed or evicted, no image of the source is found.
final class GivenImages: Sendable {
    private let store: DiskStore
    private let processed: ProcessedImages
    private let options: ImageLoaderOptions
    private let revocations: Revocations
    private let problems: ProblemReports
    private let turns = Turns()

    init?(
        in store: DiskStore?, beside processed: ProcessedImages?, _ options: ImageLoaderOptions,
        _ revocations: Revocations, _ problems: ProblemReports
    ) {
        guard let store, let processed else { return nil }
        self.store = store
        self.processed = processed
        self.options = options
        self.revocations = revocations
        self.problems = problems
    }

    /// Returns the image, or `nil` if there is none, if it cannot be decoded, or if the request needs its origin.
    func image(_ job: Job) async -> ImageResponse? {
        guard let entry = await find(job) else { return nil }
        return await processed.read(ProcessedImages.Found(entry: entry), job)
    }

    func find(_ job: Job) async -> EntryHead? {
        // A flight for an intermediate image may hold the bytes of its original, and must not wait for the store with them.
        guard job.isFinal, job.madeOf == nil, job.request.readsDisk, !job.isConfirming,
            !job.needsConfirmation || job.request.rules.readsExpired
        else { return nil }
        do {
            guard let token = try await token(of: job.sourceKey) else { return nil }
            return try await store.head(for: key(of: job, token))
        } catch {
            problems.report("the disk store could not be read: \(error)", error)
            return nil
        }
    }

    /// Stores an image, in a separate task, so that this completes even if the caller is cancelled.
    func store(_ image: ImageResponse, _ job: Job) async {
        guard job.request.caching.contains(.writeDisk) else { return }
        await Task { [self] in
            do {
                try await turns.take(job.sourceKey) { try await write(image, job) }
            } catch {
                problems.report("an image could not be stored: \(error)", error)
            }
        }.value
    }

    private func write(_ image: ImageResponse, _ job: Job) async throws {
        let token = try await token(of: job.sourceKey) ?? Data("\(UInt64.random(in: .min ... .max))".utf8)
        let expires = options.wallClock.now + min(options.storedLifetime / .seconds(1), Double(1 << 31))
        try await processed.write(image, job, as: key(of: job, token), expires: expires)
        // The entry of the source must not expire before its latest image.
        try await store.store(Data(), metadata: token, for: key(of: job.sourceKey), expires: expires)
        // If the source was removed meanwhile, that removal missed this entry.
        if revocations.isRemoved(job.sourceKey, since: job.mark) { try await store.remove(key(of: job.sourceKey)) }
    }

    /// Removes all images of a source, in a separate task, so that this completes even if the caller is cancelled.
    func remove(_ source: ByteString) async {
        await Task { [self] in
            do {
                try await turns.take(source) { try await store.remove(key(of: source)) }
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

    private func key(of job: Job, _ token: Data) -> ByteString {
        "given \(ByteString(bytes: token))\n\(job.image.text)"
    }
}
