import Calotype
import CalotypeBase
import CalotypeHTTPCache
import Foundation

/// The local sources: files in the server's root folder, found by path, and identified by a digest of their bytes.
final class LocalSources: Sendable {
    /// The lifetime of a local source's renditions, in seconds. Caches use a rendition for this time before they ask
    /// whether its file has changed.
    private static let lifetime = 60

    private let root: SourceRoot
    private let loader: ImageLoader
    private let byteLimit: Int
    private let held: HeldOriginals
    private let purges: PurgeList
    private let wallClock: WallClock
    private let fileClock: WallClock
    private let pool = BlockingPool(threads: 2)

    private struct Known {
        let digest: String
        /// The time of reading the file, in seconds since 1970.
        let time: Double
    }

    /// A file that has been read, for all that look for it meanwhile.
    private struct Read: Sendable {
        let digest: String
        /// The bytes, if there is memory to keep them, for the first that takes them.
        let kept: KeptOriginal?
        /// Whether each later change of the file shows in its facts.
        let isSettled: Bool
    }

    private struct ReadKey: Hashable, Sendable {
        let facts: SourceFile.Facts
        /// That of the purges: what is asked for after one is not read before it.
        let generation: Int
        /// Another number for each read that is not shared; otherwise 0.
        let number: Int
    }

    private let lastNumber = AtomicInteger(0)
    private let reads = Coordinator<ReadKey, Never, Read, ServerError>(cancelled: .cancelled)

    /// The digests of files that have not changed since they were read.
    private let digests = Locked<[SourceFile.Facts: Known]>([:])

    /// - Parameters:
    ///   - held: The memory for files that have been read and wait for their turn to be decoded.
    ///   - wallClock: The clock of the purges.
    ///   - fileClock: The clock of the file system.
    init(
        _ root: SourceRoot, _ loader: ImageLoader, byteLimit: Int, _ held: HeldOriginals = HeldOriginals(limit: 0),
        purges: PurgeList = PurgeList(), wallClock: WallClock = .system, fileClock: WallClock = .system
    ) {
        (self.root, self.loader, self.byteLimit, self.held) = (root, loader, byteLimit, held)
        (self.purges, self.wallClock, self.fileClock) = (purges, wallClock, fileClock)
    }

    /// Looks a file up, and reads it only if it is new or has changed.
    ///
    /// - Parameter name: The name by which purges judge the file.
    func find(_ path: ByteString, _ name: SourceName, byteLimit: Int?) async throws(ServerError) -> FoundSource {
        let limit = min(self.byteLimit, byteLimit ?? .max)
        let (facts, source) = try await pool.run { [self] () throws(ServerError) in try known(path, name, limit) }
        if let source { return source }
        // Another change might not show in the facts of a new file: each request reads it by itself.
        let number = facts.areSettled(at: fileClock.now) ? 0 : lastNumber.add(1)
        let key = ReadKey(facts: facts, generation: purges.generation, number: number)
        let file = try await reads.value(for: key) { [self] _ in await contents(path, facts) }
        return found(
            file.digest, facts, self.source(path, facts, file.digest, kept: file.kept, isKnown: file.isSettled))
    }

    func found(_ image: GivenImage) -> FoundSource {
        FoundSource(
            digest: image.digest, lifetime: .seconds(Self.lifetime), loader: loader, origin: .source(.data(image.data)),
            held: held, byteCount: image.data.count)
    }

    func found(_ image: PostedImage) -> FoundSource {
        FoundSource(
            digest: image.digest, lifetime: .unshared, loader: loader,
            origin: .source(.custom(id: "post \(image.digest)") { image.data }), held: held,
            byteCount: image.data.count, isInMemory: true)
    }

    /// Looks a file up. Returns no source if the file is new, or has changed.
    private func known(
        _ path: ByteString, _ name: SourceName, _ limit: Int
    ) throws(ServerError) -> (SourceFile.Facts, FoundSource?) {
        let facts = try root.file(at: path).facts
        guard facts.size <= limit else { throw .tooLarge }
        guard let known = digests.withLock({ $0[facts] }), !isPurged(name, since: known.time) else {
            return (facts, nil)
        }
        return (facts, found(known.digest, facts, source(path, facts, known.digest, kept: nil, isKnown: true)))
    }

    private func contents(_ path: ByteString, _ facts: SourceFile.Facts) async -> Result<Read, ServerError> {
        do throws(ServerError) {
            return .success(try await pool.run { [self] () throws(ServerError) in try read(path, facts) })
        } catch {
            return .failure(error)
        }
    }

    /// - Throws: `changed` if the path has another file by now.
    private func read(_ path: ByteString, _ facts: SourceFile.Facts) throws(ServerError) -> Read {
        let file = try root.file(at: path)
        guard file.facts == facts else { throw .changed }
        let hold = held.hold(file.facts.size), begun = wallClock.now
        let data = try file.read(limit: byteLimit)
        let digest = data.withUnsafeBytes { KeyDigest.hex(of: $0) }
        let isSettled = file.facts.areSettled(at: fileClock.now)
        if isSettled { remember(Known(digest: digest, time: begun), of: file.facts) }
        return Read(digest: digest, kept: hold.map { KeptOriginal(data, $0) }, isSettled: isSettled)
    }

    /// Whether the file has to be read again, even if nothing in its folder's listing has changed.
    private func isPurged(_ name: SourceName, since time: Double) -> Bool {
        purges.moments(of: name).effect(onRequestAt: time, now: wallClock.now) != .none
    }

    private func remember(_ known: Known, of facts: SourceFile.Facts) {
        digests.withLock { digests in
            // Removes all entries, because the order of use is not tracked: files still in use are read again.
            if digests.count >= 65_536 { digests.removeAll() }
            digests[facts] = known
        }
    }

    private func found(_ digest: String, _ facts: SourceFile.Facts, _ source: ImageSource) -> FoundSource {
        FoundSource(
            digest: digest, lifetime: .seconds(Self.lifetime), loader: loader, origin: .source(source), held: held,
            byteCount: facts.size)
    }

    /// Returns the file as a source that holds no descriptor: reading opens the file again.
    ///
    /// - Parameters:
    ///   - kept: The file's bytes if they have just been read and there is memory to keep them, so that decoding does not
    ///     read them again.
    ///   - isKnown: Whether each change since the digest was computed shows in the facts.
    /// - Throws: When it is read, `changed` if another file has the path by then, or the file has changed.
    private func source(
        _ path: ByteString, _ facts: SourceFile.Facts, _ digest: String,
        kept: KeptOriginal?, isKnown: Bool
    ) -> ImageSource {
        .custom(id: "file \(digest)") { [root, pool, byteLimit] in
            if let data = kept?.take() { return data }
            return try await pool.run { () throws(ServerError) in
                let file = try root.file(at: path)
                guard file.facts == facts else { throw .changed }
                let data = try file.read(limit: byteLimit)
                // The facts tell whether the bytes are those of the digest.
                if isKnown { return data }
                let digestNow = ByteString(data.withUnsafeBytes { KeyDigest.hex(of: $0) })
                guard digestNow == ByteString(digest) else { throw .changed }
                return data
            }
        }
    }
}
