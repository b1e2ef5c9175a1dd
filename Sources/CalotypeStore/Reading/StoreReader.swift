import Foundation

/// Reads entries through a connection of its own. For one thread at a time.
final class StoreReader {
    private let opener: IndexOpener
    private let blobs: BlobFiles
    private var index: StoreIndex?

    /// What the disk has under a key.
    enum Finding: Sendable {
        case absent
        case entry(StoredEntry, lastUsed: Double)
        /// Not to be served, and to be deleted.
        case damaged(BlobName, StoreProblem)
    }

    init(layout: StoreLayout, options: DiskStoreOptions) {
        opener = IndexOpener(layout: layout, options: options)
        blobs = BlobFiles(layout: layout, isSynced: false)
    }

    func close() { index = nil }

    func find(_ key: StoreKey) throws(StoreError) -> Finding {
        try withIndex(or: .absent) { index throws(StoreError) in try find(key, in: index) }
    }

    /// - Parameter missing: the answer where there is no index.
    func withIndex<Result>(
        or missing: @autoclosure () -> Result, _ body: (StoreIndex) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        if let index, index.hasMoved { self.index = nil }
        if index == nil { index = try opener.openForReading() }
        guard let index else { return missing() }
        do throws(StoreError) {
            return try body(index)
        } catch {
            // Pages that were read from a broken file are not to be trusted, whatever comes in its place.
            if error.code == .indexDamaged { self.index = nil }
            throw error
        }
    }

    private func find(_ key: StoreKey, in index: StoreIndex) throws(StoreError) -> Finding {
        var gone: BlobName?
        while let row = try index.row(for: key) {
            let content = try examine(row)
            // Rows go before their files: another process has replaced the entry since the look at the row. It may do so
            // again before the next look.
            if case .gone = content, row.name != gone {
                gone = row.name
                continue
            }
            return finding(key, row, content)
        }
        return .absent
    }

    /// The body, held against the row that describes it.
    func examine(_ row: EntryRow) throws(StoreError) -> BlobFiles.Content {
        guard row.isMetadataIntact else { return .damaged("its metadata fail the checksum") }
        guard row.isInline else { return try blobs.read(row) }
        guard let body = row.inlineBody, body.count == row.size, Checksum.of(body) == row.checksum else {
            return .damaged("its body fails the checksum")
        }
        return .whole(body)
    }

    private func finding(_ key: StoreKey, _ row: EntryRow, _ content: BlobFiles.Content) -> Finding {
        switch content {
        case .whole(let body):
            let entry = StoredEntry(
                key: key.text, body: body, metadata: row.metadata, storedAt: row.storedAt, expires: row.expires,
                version: row.name.version)
            return .entry(entry, lastUsed: row.lastUsed)
        case .gone:
            return .damaged(
                row.name, StoreProblem(.missingBody, key: key.text, "an entry was deleted: its file is gone"))
        case .damaged(let what):
            return .damaged(row.name, StoreProblem(.damagedEntry, key: key.text, "an entry was deleted: \(what)"))
        }
    }
}
