import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import Foundation

/// A store of results with a near half, in memory or on disk, and a far half that the nodes of a fleet share.
///
/// A lookup asks the near store, then the far one, and copies a result from far to near. New results are stored near, and
/// written to the far store later if they are used. New heads and removals concern the near store alone: purges
/// judge each page by the time of its result.
final class TieredHTTPCacheStore: BodyFileStore {
    private let near: any BodyFileStore
    private let far: ObjectHTTPCacheStore
    private let purges: PurgeList
    private let wallClock: WallClock
    private let onProblem: @Sendable (any Error) -> Void

    /// - Parameters:
    ///   - rules: The rules of the cache over the store.
    ///   - purges: The purges of the cache, which pages of the far store obey, too.
    ///   - onProblem: Called with each error of the near store that fails no call.
    /// - Throws: `ServerError` for the rules of a cache of one user: other nodes would answer others with the results.
    init(
        near: any BodyFileStore, far: ObjectHTTPCacheStore, rules: CacheRules, purges: PurgeList,
        _ wallClock: WallClock, onProblem: @escaping @Sendable (any Error) -> Void
    ) throws(ServerError) {
        guard rules.isShared else { throw ServerError(start: "the far store is for caches of many users alone") }
        (self.near, self.far, self.purges) = (near, far, purges)
        (self.wallClock, self.onProblem) = (wallClock, onProblem)
    }

    // MARK: Reading

    func immediateVariants(of key: ByteString) -> [StoredVariant]? {
        guard let variants = near.immediateVariants(of: key) else { return nil }
        noteUse(of: variants, key)
        return variants
    }

    func variants(of key: ByteString) async throws -> [StoredVariant] {
        let stored = try await near.variants(of: key)
        guard stored.allSatisfy({ isAbsent($0, key) }) else {
            noteUse(of: stored, key)
            return stored
        }
        guard let name = far.name(of: key) else { return stored }
        switch far.reader.recent(name) {
        case .nothing: return stored
        case .found:
            // Another request has put the page into the near store since this one looked.
            let latest = try await near.variants(of: key)
            if !latest.allSatisfy({ isAbsent($0, key) }) { return latest }
        case nil: break
        }
        let old = stored.map(\.id)
        let found = await far.variant(name, isUsable: { [self] in isUsable($0, key) }) { [self] variant in
            // A time ahead of ours would be later than purges that are still to come.
            guard !isAbsent(variant, key), variant.head.requestTime <= wallClock.now else { return false }
            do { try await near.store(variant, for: key, replacing: old) } catch { onProblem(error) }
            return true
        }
        guard let found, !isAbsent(found, key) else { return stored }
        return [found]
    }

    /// Whether a hard purge covers the variant.
    private func isAbsent(_ variant: StoredVariant, _ key: ByteString) -> Bool {
        purges.moments(of: key).effect(onRequestAt: variant.head.requestTime, now: wallClock.now) == .absent
    }

    /// Whether the purges of all nodes leave a page as it is, or the cache takes it for stale itself. The node that made the
    /// page may not have known a purge yet: its source counts, too, which is older.
    private func isUsable(_ page: FarPage, _ key: ByteString) -> Bool {
        let (made, now) = (page.result.head.requestTime, wallClock.now)
        // Without a head, it is unknown when the source was loaded.
        let loaded = page.source?.head.requestTime ?? 0
        switch purges.farMoments(of: key).effect(onRequestAt: min(made, loaded), now: now) {
        case .none: return true
        case .stale: return purges.moments(of: key).effect(onRequestAt: made, now: now) != .none
        case .absent: return false
        }
    }

    func body(of variant: StoredVariant, for key: ByteString) async throws -> Data? {
        if let body = variant.body { return body }
        return try await near.body(of: variant, for: key)
    }

    func body(
        of variant: StoredVariant, for key: ByteString, in range: Range<Int>
    ) async throws -> HTTPBody? {
        try await near.body(of: variant, for: key, in: range)
    }

    func file(
        of variant: StoredVariant, for key: ByteString, covering range: Range<Int>
    ) async throws -> (any BodyFile)? {
        try await near.file(of: variant, for: key, covering: range)
    }

    // MARK: Writing

    func store(_ variant: StoredVariant, for key: ByteString, replacing old: [StoredVariant.ID]) async throws {
        try await near.store(variant, for: key, replacing: old)
        far.noteNew(variant) { write(variant, key) }
    }

    private func noteUse(of variants: [StoredVariant], _ key: ByteString) {
        // A result that has another beside it depends on the client, and stays near.
        guard variants.count == 1 else { return }
        far.noteUse(of: variants[0]) { write(variants[0], key) }
    }

    private func write(_ variant: StoredVariant, _ key: ByteString) {
        guard let name = far.name(of: key), !isAbsent(variant, key) else { return }
        far.write(
            variant, name,
            body: { [self] in
                // A purge may have come while the result waited.
                guard !isAbsent(variant, key) else { return nil }
                if let body = variant.body { return body }
                return try? await near.body(of: variant, for: key)
            },
            onWritten: { [near, onProblem] time in
                do {
                    // The latest head, which a validation may have changed meanwhile.
                    let latest = try await near.variants(of: key).first { $0.id == variant.id }
                    if let latest { try await near.update([latest.marked(time)], for: key) }
                } catch {
                    onProblem(error)
                }
            })
    }

    func update(_ variants: [StoredVariant], for key: ByteString) async throws {
        try await near.update(variants, for: key)
    }

    func remove(_ ids: [StoredVariant.ID]?, for key: ByteString) async throws {
        try await near.remove(ids, for: key)
    }

    func removeAll() async throws { try await near.removeAll() }

    func forgetMemory() { near.forgetMemory() }
}
