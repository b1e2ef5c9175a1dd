import Foundation

/// Reads entries through a separate connection. Not thread-safe.
final class StoreReader {
    private let opener: IndexOpener
    private let blobs: BlobFiles
    private var index: StoreIndex?

    /// The result of looking up a key on the disk.
    enum Finding: Sendable {
        case absent
        case entry(EntryHead, lastUsed: Double)
        case body(Data)
        /// The entry must not be returned, and has to be deleted.
        case damaged(BlobName, StoreProblem)
    }

    init(layout: StoreLayout, options: DiskStoreOptions) {
        opener = IndexOpener(layout: layout, options: options)
        blobs = BlobFiles(layout: layout, isSynced: false)
    }

    func close() { index = nil }

    /// - Parameter readsFile: Whether to read a body that is in a file.
    func find(_ key: StoreKey, readsFile: Bool) throws(StoreError) -> Finding {
        try withIndex(or: .absent) { index throws(StoreError) in try find(key, in: index, readsFile) }
    }

    /// Returns the body of an entry found earlier.
    func body(of head: EntryHead, _ key: StoreKey) throws(StoreError) -> Finding {
        let name = BlobName(hash: key.hash, version: head.version)
        switch try blobs.read(name, size: head.size, checksum: head.checksum) {
        case .whole(let body): return .body(body)
        case .damaged(let what): return damaged(key, name, what)
        case .gone:
            // Rows are deleted before their files: usually the entry has been trimmed or replaced.
            let isMissing = try withIndex(or: false) { index throws(StoreError) in try index.contains(name) }
            return isMissing ? missing(key, name) : .absent
        }
    }

    enum FileFinding: Sendable {
        case absent
        case file(StoredFile)
        /// The entry must not be returned, and has to be deleted.
        case damaged(BlobName, StoreProblem)
    }

    /// Returns the file of a body, after verifying this range of it.
    ///
    /// - Parameter open: The file, if it is already open.
    func file(
        of head: EntryHead, _ key: StoreKey, _ open: StoredFile?, covering range: Range<Int>
    ) throws(StoreError) -> FileFinding {
        let name = BlobName(hash: key.hash, version: head.version)
        let opening: BlobFiles.Opening = if let open { .file(open) } else { try blobs.open(name, size: head.size) }
        switch opening {
        case .file(let file):
            let sums = try blockSums(of: name, size: head.size)
            guard try file.verify(range, sums, checksum: head.checksum) else {
                return .damaged(name, Self.damage(key, "its body fails the checksum"))
            }
            return .file(file)
        case .damaged(let what): return .damaged(name, Self.damage(key, what))
        case .gone:
            let isMissing = try withIndex(or: false) { index throws(StoreError) in try index.contains(name) }
            return isMissing ? .damaged(name, Self.missing(key)) : .absent
        }
    }

    private func blockSums(of name: BlobName, size: Int) throws(StoreError) -> BlockSums? {
        let bytes = try withIndex(or: nil) { index throws(StoreError) in try index.blockSums(of: name) }
        return bytes.flatMap { BlockSums(stored: $0, size: size) }
    }

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

    private func find(
        _ key: StoreKey, in index: StoreIndex, _ readsFile: Bool
    ) throws(StoreError) -> Finding {
        var gone: BlobName?
        while let row = try index.row(for: key) {
            if !row.isInline, !readsFile, row.isMetadataIntact {
                return .entry(EntryHead(key, row, body: nil), lastUsed: row.lastUsed)
            }
            let content = try examine(row)
            // Rows are deleted before their files: another process has replaced the entry since its row was read. It
            // may do so again before the next lookup.
            if case .gone = content, row.name != gone {
                gone = row.name
                continue
            }
            return finding(key, row, content)
        }
        return .absent
    }

    /// Returns the body, verified against its row.
    func examine(_ row: EntryRow) throws(StoreError) -> BlobFiles.Content {
        guard row.isMetadataIntact else { return .damaged("its metadata fail the checksum") }
        guard row.isInline else { return try blobs.read(row.name, size: row.size, checksum: row.checksum) }
        guard let body = row.inlineBody, body.count == row.size, Checksum.of(body) == row.checksum else {
            return .damaged("its body fails the checksum")
        }
        return .whole(body)
    }

    private func finding(_ key: StoreKey, _ row: EntryRow, _ content: BlobFiles.Content) -> Finding {
        switch content {
        case .whole(let body): .entry(EntryHead(key, row, body: body), lastUsed: row.lastUsed)
        case .gone: missing(key, row.name)
        case .damaged(let what): damaged(key, row.name, what)
        }
    }

    private func missing(_ key: StoreKey, _ name: BlobName) -> Finding {
        .damaged(name, Self.missing(key))
    }

    private static func missing(_ key: StoreKey) -> StoreProblem {
        StoreProblem(.missingBody, key: key.text, "an entry was deleted: its file is gone")
    }

    private static func damage(_ key: StoreKey, _ what: String) -> StoreProblem {
        StoreProblem(.damagedEntry, key: key.text, "an entry was deleted: \(what)")
    }

    private func damaged(_ key: StoreKey, _ name: BlobName, _ what: String) -> Finding {
        .damaged(name, Self.damage(key, what))
    }
}
