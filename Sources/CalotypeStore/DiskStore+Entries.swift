public import CalotypeBase
public import Foundation

/// Reading, storing and removing entries. An empty key is invalid: nothing is stored or found under it.
extension DiskStore {
    /// Returns the entry stored under the key, after verifying its checksums.
    ///
    /// - Returns: `nil` if the entry was never stored, was removed, has expired or is damaged. A damaged entry is
    ///   deleted and reported first.
    /// - Throws: `closed` after `close()`, `cancelled`, `overloaded`, or the reason why the disk cannot be read.
    public func entry(for key: ByteString) async throws(StoreError) -> StoredEntry? {
        try await look(for: key, readsFile: true)?.entry
    }

    /// Returns the entry. If its body is in a file, the body is not read, because the caller may never need it.
    ///
    /// The call counts as a use of the entry, and as a hit or a miss.
    package func head(for key: ByteString) async throws(StoreError) -> EntryHead? {
        try await look(for: key, readsFile: false)
    }

    /// Returns the entry to a caller that is about to write under its key. The call counts as a use of the entry, but
    /// neither as a hit nor as a miss.
    package func headBeforeWriting(_ key: ByteString) async throws(StoreError) -> EntryHead? {
        try await look(for: key, readsFile: false, isCounted: false)
    }

    /// Returns the body of an entry, after verifying its checksum.
    ///
    /// - Returns: `nil` if the entry has since been removed or replaced, or if its body is damaged. A damaged entry is
    ///   deleted and reported first.
    package func body(of head: EntryHead) async throws(StoreError) -> Data? {
        try checkOpen()
        if let body = head.body { return body }
        guard let key = StoreKey(head.key) else { return nil }
        return taken(try await reading { reader throws(StoreError) in try reader.body(of: head, key) })
    }

    private func look(
        for key: ByteString, readsFile: Bool, isCounted: Bool = true
    ) async throws(StoreError) -> EntryHead? {
        try checkOpen()
        guard let key = StoreKey(key) else { return nil }
        let head = try await find(key, readsFile: readsFile)
        guard isCounted else { return head }
        counters.withLock {
            if head == nil { $0.statistics.misses += 1 } else { $0.statistics.hits += 1 }
        }
        return head
    }

    private func find(_ key: StoreKey, readsFile: Bool) async throws(StoreError) -> EntryHead? {
        // Look in memory first: if the disk were read first, the writer could meanwhile move an operation from memory
        // to the disk, and neither lookup would find it.
        let (known, lastUsed) = pending.withLock { ($0.find(key), $0.lastUse(of: key) ?? 0) }
        switch known {
        case .removed: return nil
        case .entry(let entry): return used(EntryHead(entry), key, lastUsed: max(entry.storedAt, lastUsed))
        case .unknown(let changes):
            do throws(StoreError) {
                let found = try await reading { reader throws(StoreError) in
                    try reader.find(key, readsFile: readsFile)
                }
                guard let entry = taken(found) else { return nil }
                return used(
                    changes.reduce(entry.head) { $0.applying($1) }, key, lastUsed: max(entry.lastUsed, lastUsed))
            } catch  where error.code == .indexDamaged {
                // Report a miss: `reading` has already asked the writer to repair the index.
                return nil
            }
        }
    }

    /// Returns the value found, if any. Deletes and reports a damaged entry.
    func taken<Found: Sendable>(_ finding: StoreReader.Finding<Found>) -> Found? {
        switch finding {
        case .absent: return nil
        case .found(let found): return found
        case .damaged(let name, let problem):
            discard(name, problem)
            return nil
        }
    }

    func discard(_ name: BlobName, _ problem: StoreProblem) {
        counters.withLock { $0.statistics.damaged += 1 }
        note { $0.noteDiscard(name) }
        report(problem)
    }

    private func used(_ head: EntryHead, _ key: StoreKey, lastUsed: Double) -> EntryHead? {
        let now = wallClock.now
        if options.isExpired(storedAt: head.storedAt, lastUsed: lastUsed, expires: head.expires, now: now) {
            note { $0.noteDiscard(BlobName(hash: key.hash, version: head.version)) }
            return nil
        }
        if pending.withLock({ $0.noteUse(of: key, now: now) }) { callWriter() }
        return head
    }

    /// Records a use of an entry that the caller returned from its own memory. Without the record, a trim could remove
    /// the entry as unused.
    package func noteUse(of key: ByteString) {
        guard !isClosed, let key = StoreKey(key) else { return }
        if pending.withLock({ $0.noteUse(of: key, now: wallClock.now) }) { callWriter() }
    }

    /// Stores the bytes under the key, replacing an earlier entry. Reads find them as soon as the call returns. The
    /// call waits only if pending writes would otherwise exceed `DiskStoreOptions.pendingLimit`.
    ///
    /// - Parameters:
    ///   - metadata: The caller's data about the body, opaque to the store. A separate checksum protects the metadata.
    ///   - expires: The time from which the entry is absent, in seconds since 1970, or `nil` (the default) for no
    ///     limit.
    /// - Throws: `tooLarge` if the entry exceeds `byteLimit` × `trimRatio`, `closed`, `cancelled` or `overloaded`. Disk
    ///   errors are reported and counted, and ``flush()`` throws the first of them.
    public func store(
        _ body: Data, metadata: Data = Data(), for key: ByteString, expires: Double? = nil
    ) async throws(StoreError) {
        try checkOpen()
        guard let key = StoreKey(key) else { return }
        let now = wallClock.now
        let entry = NewEntry(
            key: key, body: body, metadata: metadata, storedAt: now, expires: expires,
            version: .random(in: .min ... .max), lastUsed: pending.withLock { $0.nextUse(now) })
        guard entry.cost <= options.bytesAfterTrim else {
            throw StoreError(
                .tooLarge, "an entry of \(entry.cost) bytes exceeds the \(options.bytesAfterTrim) that a trim leaves")
        }
        try await put(.store(entry), for: key)
    }

    /// Replaces the metadata and the expiry of an entry and keeps its body, for example after a "304 Not Modified".
    ///
    /// Does nothing if the entry under this key has been replaced since `head` was read.
    package func updateMetadata(
        _ metadata: Data, of head: EntryHead, expires: Double? = nil
    ) async throws(StoreError) {
        try checkOpen()
        guard let key = StoreKey(head.key) else { return }
        let change = MetadataChange(version: head.version, metadata: metadata, expires: expires)
        try await put(.changeMetadata(change), for: key)
    }

    /// Removes the entry under the key, if any. Once the call returns, the entry can no longer be read.
    ///
    /// A removal that fails on the disk is reported and retried. Meanwhile the entry is absent for this instance only.
    public func remove(_ key: ByteString) async throws(StoreError) {
        try checkOpen()
        guard let key = StoreKey(key) else { return }
        try await put(.remove, for: key)
    }

    private func put(_ operation: PendingOperation, for key: StoreKey) async throws(StoreError) {
        try await budget.admit(operation.cost(for: key))
        budget.release(pending.withLock { $0.put(operation, for: key) })
        callWriter()
    }

    /// Removes everything, on the disk too. Once the call returns, no earlier entry can be read.
    ///
    /// Cancelling the caller does not interrupt the removal. If the disk is too full or too broken for the transaction,
    /// the store deletes its files instead.
    ///
    /// - Throws: `closed`, or the error that left entries on the disk. They nevertheless count as absent, and their
    ///   removal is retried: see ``flush()``.
    public func removeAll() async throws(StoreError) {
        try checkOpen()
        budget.release(pending.withLock { $0.putRemoveAll() })
        callWriter()
        try await uninterrupted { [self] () throws(StoreError) in
            try await writeAllPending()
            if let cause = pending.withLock({ $0.unwritten.removesAll ? $0.cause : nil }) { throw cause }
        }
    }

    private func note(_ change: (inout PendingWrites) -> Void) {
        pending.withLock { change(&$0) }
        callWriter()
    }
}
