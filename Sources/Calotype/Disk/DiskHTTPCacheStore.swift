public import CalotypeBase
public import CalotypeHTTP
public import CalotypeHTTPCache
public import CalotypeStore
import Foundation

/// A store of an HTTP cache's responses in a `DiskStore`. Also keeps responses in memory, up to a limit.
///
/// Each URL has one entry, called its page. The page's metadata contains the heads of all variants, as text. The page's
/// body is the body of the first variant, so that a hit on a URL with one variant costs one read. Each other variant
/// has its body in a separate entry, whose key contains the variant's ID: a head is never paired with another variant's
/// body, even if another process writes between two steps or this process is killed. Reading heads does not open the
/// file of a body.
package final class DiskHTTPCacheStore: BodyFileStore {
    private let disk: DiskStore
    private let hot: MemoryHTTPCacheStore
    private let turns = Turns()
    /// Counters of this object's changes to pages. Several pages may share a counter.
    private let changes = Removals()
    private let onProblem: (@Sendable (StoreProblem) -> Void)?

    /// - Parameter memory: The limit for responses kept in memory, in bytes; 0 if the caller caches them or their
    ///   images itself. A hit in memory counts as a use of the disk store's entry at most once an hour.
    package init(_ disk: DiskStore, memory: Int = 64 << 20, onProblem: (@Sendable (StoreProblem) -> Void)? = nil) {
        self.disk = disk
        hot = MemoryHTTPCacheStore(byteLimit: memory)
        self.onProblem = onProblem
    }

    /// The memory in use for responses, in bytes.
    package var memoryBytes: Int { hot.byteCount }

    package func immediateVariants(of key: ByteString) -> [StoredVariant]? {
        guard let variants = hot.immediateVariants(of: key) else { return nil }
        let now = disk.wallClock.now
        for (place, variant) in variants.enumerated() where variant.notesUse(at: now) {
            disk.noteUse(of: place == 0 ? pageKey(key) : bodyKey(variant.id, key))
        }
        return variants
    }

    package func variants(of key: ByteString) async throws -> [StoredVariant] {
        try await turns.take(key) {
            let count = changes.count(for: key)
            let variants = try await read(key)?.variants ?? []
            hot.set(variants.map { remembered($0, key) }, for: key)
            // Emptying the store takes no turn.
            if changes.count(for: key) != count { hot.set([], for: key) }
            return variants
        }
    }

    package func body(of variant: StoredVariant, for key: ByteString) async throws -> Data? {
        if let body = variant.body { return body }
        if variant.lacksBody { return nil }
        if let body = await hot.body(of: variant, for: key) { return body }
        return try await bodyOnDisk(variant, key).map { hot.set($0, of: variant.id, for: key) }
    }

    private func bodyOnDisk(_ variant: StoredVariant, _ key: ByteString) async throws -> Data? {
        if let place = variant.bodyPlace as? BodyPlace { return try await disk.body(of: place.entry) }
        return try await turns.take(key) {
            guard let page = try await read(key), let place = page.place(of: variant.id) else { return nil }
            if place == 0 { return try await disk.body(of: page.entry) }
            let entry = try await disk.entry(for: bodyKey(variant.id, key))
            return entry.flatMap { $0.body.count == variant.head.bodyLength ? $0.body : nil }
        }
    }

    /// The largest range, in bytes, that is verified as a whole before its first byte is sent.
    private static let verifiedAtOnce = 4 << 20

    package func file(
        of variant: StoredVariant, for key: ByteString, covering range: Range<Int>
    ) async throws -> (any BodyFile)? {
        guard variant.body == nil, !variant.lacksBody, await hot.body(of: variant, for: key) == nil,
            let entry = try await entry(of: variant, key)
        else { return nil }
        return try await disk.file(of: entry, covering: range, verifyingAtMost: Self.verifiedAtOnce)
            .map { StoredBodyFile(disk, $0) }
    }

    package func body(
        of variant: StoredVariant, for key: ByteString, in range: Range<Int>
    ) async throws -> HTTPBody? {
        if variant.body == nil, !variant.lacksBody, await hot.body(of: variant, for: key) == nil,
            let entry = try await entry(of: variant, key), range.lowerBound >= 0, range.upperBound <= entry.size,
            let pieces = try await disk.pieces(of: entry)
        {
            // A damaged body is then a miss. A larger one breaks off at the damage.
            let isVerified = range.count <= Self.verifiedAtOnce
            if isVerified, try await disk.file(of: entry, covering: range) == nil { return nil }
            return HTTPBody(StoredPieces(disk, pieces, in: range))
        }
        guard let body = try await body(of: variant, for: key), range.upperBound <= body.count else { return nil }
        return HTTPBody(body[(body.startIndex + range.lowerBound)..<(body.startIndex + range.upperBound)])
    }

    package func writer(for key: ByteString, length: Int?) async throws -> (any HTTPBodyWriter)? {
        guard let body = try await disk.entryWriter(length: length) else { return nil }
        return StreamedEntry(body, in: disk) { [self] variant, old, body in
            try await store(variant, for: key, replacing: old, body: body)
        }
    }

    private func entry(of variant: StoredVariant, _ key: ByteString) async throws -> EntryHead? {
        if let place = variant.bodyPlace as? BodyPlace { return place.entry }
        return try await turns.take(key) {
            guard let page = try await read(key), let place = page.place(of: variant.id) else { return nil }
            if place == 0 { return page.entry }
            let entry = try await disk.head(for: bodyKey(variant.id, key))
            return entry.flatMap { $0.size == variant.head.bodyLength ? $0 : nil }
        }
    }

    package func store(_ variant: StoredVariant, for key: ByteString, replacing old: [StoredVariant.ID]) async throws {
        try await store(variant, for: key, replacing: old, body: nil)
    }

    /// - Parameter body: The file with the body, or `nil` if the variant has it.
    private func store(
        _ variant: StoredVariant, for key: ByteString, replacing old: [StoredVariant.ID], body: EntryWriter?
    ) async throws {
        try await turns.take(key) {
            let page = try await readBeforeWriting(key)
            changes.note(key)
            let gone = page?.variants.filter { old.contains($0.id) } ?? []
            var kept = page?.variants.filter { !old.contains($0.id) } ?? []
            if let page, page.variants.first?.id == kept.first?.id {
                try await write(body: variant, body, key)
                kept.append(variant)
                try await write(kept, of: page)
            } else {
                kept.insert(variant, at: 0)
                try await write(page: kept, body, key)
            }
            hot.set(kept.map { remembered($0, key) }, for: key)
            try await removeBodies(gone, of: page, key)
        }
    }

    package func update(_ variants: [StoredVariant], for key: ByteString) async throws {
        try await turns.take(key) {
            guard let page = try await pageBeforeUpdate(of: variants, key) else { return hot.set([], for: key) }
            changes.note(key)
            var stored = page.variants
            for variant in variants {
                if let place = page.place(of: variant.id) { stored[place].head = variant.head }
            }
            try await write(stored, of: page)
            hot.set(stored.map { remembered($0, key) }, for: key)
        }
    }

    package func remove(_ ids: [StoredVariant.ID]?, for key: ByteString) async throws {
        try await turns.take(key) {
            hot.set([], for: key)
            guard let page = try await readBeforeWriting(key) else { return }
            changes.note(key)
            let gone = page.variants.filter { ids?.contains($0.id) ?? true }
            var kept = page.variants.filter { !(ids?.contains($0.id) ?? true) }
            if kept.first?.id == page.variants.first?.id, !kept.isEmpty {
                try await write(kept, of: page)
            } else {
                try await promote(&kept, key)
            }
            try await removeBodies(gone, of: page, key)
        }
    }

    /// Empties the disk store, which removes its other entries, too.
    package func removeAll() async throws {
        defer {
            // A read that began before may still bring its variants into memory.
            changes.noteAll()
            hot.removeAll()
        }
        try await disk.removeAll()
    }

    package func forgetMemory() {
        changes.noteAll()
        hot.removeAll()
    }

    /// Returns the cache key of a page, or `nil` for another entry of the disk store.
    package static func key(ofPage entry: ByteString) -> ByteString? {
        entry.hasPrefix(pagePrefix) ? entry.dropFirst(pagePrefix.count) : nil
    }

    private static let pagePrefix: ByteString = "http\n"

    /// Rewrites a page after the removal of its first variant. The next variant with an intact body, or with
    /// `lacksBody`, becomes the first. If there is none, removes the page.
    private func promote(_ variants: inout [StoredVariant], _ key: ByteString) async throws {
        while let first = variants.first {
            if try await makePage(of: variants, key) { return try await removeBodies([first], of: nil, key) }
            variants.removeFirst()
        }
        try await disk.remove(pageKey(key))
    }

    /// Makes a page of the variants with the body of the first one, which has an entry of its own so far. The file of a large
    /// body is that of the page, too: its bytes are not read.
    ///
    /// - Returns: `false` if the first variant's body is gone.
    private func makePage(of variants: [StoredVariant], _ key: ByteString) async throws -> Bool {
        guard var first = variants.first else { return false }
        if !first.lacksBody {
            guard let entry = try await disk.head(for: bodyKey(first.id, key)), entry.size == first.head.bodyLength
            else { return false }
            if entry.body == nil, try await disk.link(entry, metadata: variants.encodedHeads, as: pageKey(key)) {
                return true
            }
            guard let body = try await disk.body(of: entry) else { return false }
            first.body = body
        }
        try await write(page: [first] + variants.dropFirst(), nil, key)
        return true
    }
}

private final class StoredBodyFile: BodyFile {
    private let disk: DiskStore
    private let file: StoredFile

    init(_ disk: DiskStore, _ file: StoredFile) {
        self.disk = disk
        self.file = file
    }

    var descriptor: Int32 { file.descriptor }

    func read(_ range: Range<Int>) async throws(TransportError) -> Data {
        do throws(StoreError) {
            return try await disk.read(range, of: file)
        } catch {
            throw TransportError(.other, error.message, underlying: error)
        }
    }
}

// MARK: Pages

extension DiskHTTPCacheStore {
    private struct Page {
        var entry: EntryHead
        /// All variants of the URL. Only the first can have a `bodyPlace`, and a `body` if the lookup read it.
        var variants: [StoredVariant]

        func place(of id: StoredVariant.ID) -> Int? { variants.firstIndex { $0.id == id } }
    }

    /// The location of the first variant's body: the entry of the page.
    private struct BodyPlace {
        let entry: EntryHead
        /// The page's counter in `changes` when this object read the page.
        let changes: UInt64
    }

    private func pageKey(_ key: ByteString) -> ByteString { "\(Self.pagePrefix)\(key)" }
    private func bodyKey(_ id: StoredVariant.ID, _ key: ByteString) -> ByteString {
        "http \(String(id, radix: 16))\n\(key)"
    }

    private func read(_ key: ByteString) async throws -> Page? {
        try await page(disk.head(for: pageKey(key)), key)
    }

    /// Reads the page without counting a hit or a miss, because the lookup before this write has counted one.
    private func readBeforeWriting(_ key: ByteString) async throws -> Page? {
        try await page(disk.headBeforeWriting(pageKey(key)), key)
    }

    /// Returns the page as it was when `variants` were looked up. Reads the page again if this object has changed it
    /// since, or if no variant has a `bodyPlace`. If another process has changed the page, the last write wins.
    private func pageBeforeUpdate(of variants: [StoredVariant], _ key: ByteString) async throws -> Page? {
        let places = variants.lazy.compactMap { $0.bodyPlace as? BodyPlace }
        guard let place = places.first, place.changes == changes.count(for: key) else {
            return try await readBeforeWriting(key)
        }
        return try await page(place.entry, key)
    }

    private func page(_ entry: EntryHead?, _ key: ByteString) async throws -> Page? {
        guard let entry else { return nil }
        guard var variants = [StoredVariant](encodedHeads: entry.metadata), !variants.isEmpty,
            variants[0].lengthInStore == entry.size
        else {
            onProblem?(StoreProblem(.damagedEntry, key: key, "an entry was removed: its heads could not be read"))
            try await disk.remove(pageKey(key))
            return nil
        }
        if !variants[0].lacksBody {
            variants[0].body = entry.body
            variants[0].bodyPlace = BodyPlace(entry: entry, changes: changes.count(for: key))
        }
        return Page(entry: entry, variants: variants)
    }

    private func write(page variants: [StoredVariant], _ body: EntryWriter?, _ key: ByteString) async throws {
        if let body { return try await disk.commit(body, metadata: variants.encodedHeads, for: pageKey(key)) }
        guard let first = variants.first, let body = first.lacksBody ? Data() : first.body else { return }
        try await disk.store(body, metadata: variants.encodedHeads, for: pageKey(key))
    }

    private func write(_ variants: [StoredVariant], of page: Page) async throws {
        try await disk.updateMetadata(variants.encodedHeads, of: page.entry)
    }

    private func write(body variant: StoredVariant, _ body: EntryWriter?, _ key: ByteString) async throws {
        if let body { return try await disk.commit(body, metadata: Data(), for: bodyKey(variant.id, key)) }
        if !variant.lacksBody { try await disk.store(variant.body ?? Data(), for: bodyKey(variant.id, key)) }
    }

    /// - Parameter page: The page before the change, which contained the body of its first variant.
    private func removeBodies(_ variants: [StoredVariant], of page: Page?, _ key: ByteString) async throws {
        for variant in variants where variant.id != page?.variants.first?.id {
            try await disk.remove(bodyKey(variant.id, key))
        }
    }

    private func remembered(_ variant: StoredVariant, _ key: ByteString) -> StoredVariant {
        guard variant.body == nil else { return variant }
        var whole = variant
        whole.body = hot.immediateVariants(of: key)?.first { $0.id == variant.id }?.body
        return whole
    }
}

extension StoredVariant {
    fileprivate var lengthInStore: Int { lacksBody ? 0 : head.bodyLength }
}

extension HTTPCache {
    /// Creates an HTTP cache that stores its responses on disk.
    ///
    /// Failures to read or write go to the problem handler of the `DiskStore`, except for a body that is stored while it
    /// arrives: that failure goes to `onProblem`.
    ///
    /// - Parameters:
    ///   - rules: The rules of a private or a shared cache, with the few numbers that RFC 9111 leaves open.
    ///   - disk: The store, which may hold other entries as well. Its own age limit applies, by default counted from an
    ///     entry's last use.
    ///   - memory: The limit for responses kept in memory, in bytes. The default is 64 MiB.
    ///   - wallClock: The clock for the age and the expiry of responses.
    ///   - partition: Returns the part of the key that precedes the URL, such as a digest of the fields that identify a
    ///     user. A shared cache requires the default, an empty part.
    ///   - onProblem: Called when an entry is removed because its metadata could not be read, or when a large body could not
    ///     be stored while it arrived.
    public convenience init(
        rules: CacheRules, disk: DiskStore, memory: Int = 64 << 20, options: HTTPCacheOptions = HTTPCacheOptions(),
        wallClock: WallClock = .system, partition: @escaping @Sendable (HTTPRequest) -> ByteString = { _ in "" },
        onProblem: (@Sendable (StoreProblem) -> Void)? = nil
    ) {
        self.init(
            rules: rules, store: DiskHTTPCacheStore(disk, memory: memory, onProblem: onProblem), options: options,
            wallClock: wallClock, partition: partition,
            onProblem: { error in
                guard let error = error as? StoreError, error.code != .cancelled else { return }
                onProblem?(StoreProblem(.writeFailed, error.message))
            })
    }
}
