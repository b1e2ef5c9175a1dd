import Foundation

/// Reads entries through a database connection that no other reader uses. Not thread-safe.
final class StoreReader {
    private let opener: IndexOpener
    private let blobs: BlobFiles
    private var index: StoreIndex?

    enum Finding<Found: Sendable>: Sendable {
        case absent
        case found(Found)
        /// The entry must not be returned, and has to be deleted.
        case damaged(BlobName, StoreProblem)
    }

    typealias Entry = (head: EntryHead, lastUsed: Double)

    init(layout: StoreLayout, options: DiskStoreOptions) {
        opener = IndexOpener(layout: layout, options: options)
        blobs = BlobFiles(layout: layout, isSynced: false)
    }

    func close() { index = nil }

    func find(_ key: StoreKey, readsFile: Bool) throws(StoreError) -> Finding<Entry> {
        try withIndex(or: .absent) { index throws(StoreError) in
            var gone: BlobName?
            while let row = try index.row(for: key) {
                if !row.isInline, !readsFile, row.isMetadataIntact {
                    return .found((EntryHead(key, row, body: nil), row.lastUsed))
                }
                switch try examine(row) {
                case .found(let body): return .found((EntryHead(key, row, body: body), row.lastUsed))
                case .damaged(let what): return damaged(key, row.name, what)
                // Rows are deleted before their files, so another process has probably replaced the entry since its row
                // was read: read the row again. If the row is still the same, its file is lost.
                case .gone where row.name != gone: gone = row.name
                case .gone: return missing(key, row.name)
                }
            }
            return .absent
        }
    }

    func body(of head: EntryHead, _ key: StoreKey) throws(StoreError) -> Finding<Data> {
        let name = BlobName(hash: key.hash, version: head.version)
        return try finding(key, name, blobs.read(name, size: head.size, checksum: head.checksum))
    }

    /// - Parameter open: The file, if it is already open.
    func file(
        of head: EntryHead, _ key: StoreKey, _ open: StoredFile?, covering range: Range<Int>
    ) throws(StoreError) -> Finding<StoredFile> {
        let name = BlobName(hash: key.hash, version: head.version)
        let opened = if let open { BlobFiles.Finding.found(open) } else { try blobs.open(name, size: head.size) }
        if case .found(let file) = opened {
            let sums = try blockSums(of: name, size: head.size)
            guard try file.verify(range, sums, checksum: head.checksum) else {
                return damaged(key, name, "its body fails the checksum")
            }
        }
        return try finding(key, name, opened)
    }

    /// Returns the file and the checksums of its blocks, without verifying any block.
    ///
    /// - Parameter open: The file, if it is already open.
    func unverifiedFile(
        of head: EntryHead, _ key: StoreKey, _ open: StoredFile?
    ) throws(StoreError) -> Finding<(StoredFile, BlockSums?)> {
        let name = BlobName(hash: key.hash, version: head.version)
        let opened = if let open { BlobFiles.Finding.found(open) } else { try blobs.open(name, size: head.size) }
        switch try finding(key, name, opened) {
        case .absent: return .absent
        case .damaged(let name, let problem): return .damaged(name, problem)
        case .found(let file): return .found((file, try blockSums(of: name, size: head.size)))
        }
    }

    private func finding<Found: Sendable>(
        _ key: StoreKey, _ name: BlobName, _ finding: BlobFiles.Finding<Found>
    ) throws(StoreError) -> Finding<Found> {
        switch finding {
        case .found(let found): return .found(found)
        case .damaged(let what): return damaged(key, name, what)
        case .gone:
            // Rows are deleted before their files. So if the row still exists, the file is lost; if not, the entry was
            // trimmed or replaced.
            let isMissing = try withIndex(or: false) { index throws(StoreError) in try index.contains(name) }
            return isMissing ? missing(key, name) : .absent
        }
    }

    private func blockSums(of name: BlobName, size: Int) throws(StoreError) -> BlockSums? {
        let bytes = try withIndex(or: nil) { index throws(StoreError) in try index.blockSums(of: name) }
        return bytes.flatMap { BlockSums(stored: $0, size: size) }
    }

    /// Runs `body` with the open index.
    ///
    /// - Parameter missing: The result if there is no index.
    func withIndex<Result>(
        or missing: @autoclosure () -> Result, _ body: (StoreIndex) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        if let index, index.hasMoved { self.index = nil }
        if index == nil { index = try opener.openForReading() }
        guard let index else { return missing() }
        defer { if index.isImmutable { self.index = nil } }
        do throws(StoreError) {
            return try body(index)
        } catch {
            // Cached pages of a damaged file must not be used with its replacement.
            if error.code == .indexDamaged { self.index = nil }
            throw error
        }
    }

    /// Reads the body of a row, and verifies metadata and body by the row's checksums.
    func examine(_ row: EntryRow) throws(StoreError) -> BlobFiles.Finding<Data> {
        guard row.isMetadataIntact else { return .damaged("its metadata fail the checksum") }
        guard row.isInline else { return try blobs.read(row.name, size: row.size, checksum: row.checksum) }
        guard let body = row.inlineBody, body.count == row.size, Checksum.of(body) == row.checksum else {
            return .damaged("its body fails the checksum")
        }
        return .found(body)
    }

    private func missing<Found: Sendable>(_ key: StoreKey, _ name: BlobName) -> Finding<Found> {
        .damaged(name, StoreProblem(.missingBody, key: key.text, "an entry was deleted: its file is gone"))
    }

    private func damaged<Found: Sendable>(_ key: StoreKey, _ name: BlobName, _ what: String) -> Finding<Found> {
        .damaged(name, StoreProblem(.damagedEntry, key: key.text, "an entry was deleted: \(what)"))
    }
}
