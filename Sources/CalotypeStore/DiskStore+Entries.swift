public import CalotypeBase
public import Foundation

/// One entry at a time. The empty key is no key: nothing is stored under it, and nothing found.
extension DiskStore {
    /// Returns the entry stored under the key, its checksums verified.
    ///
    /// - Returns: nil when there is nothing: never stored, removed, expired or damaged. What is damaged is deleted and
    ///   reported first.
    /// - Throws: when the store cannot tell, because the disk does not let it read.
    public func entry(for key: ByteString) async throws(StoreError) -> StoredEntry? {
        try await look(for: key, readsFile: true)?.entry
    }

    /// The same without a look at the body's file, for callers that may not need it or must wait before they read it.
    ///
    /// Counts as a use of the entry.
    package func head(for key: ByteString) async throws(StoreError) -> EntryHead? {
        try await look(for: key, readsFile: false)
    }

    /// The same for a caller that is about to write and only has to know what is there: a use of the entry, but neither a
    /// hit nor a miss.
    package func headBeforeWriting(_ key: ByteString) async throws(StoreError) -> EntryHead? {
        try await look(for: key, readsFile: false, isCounted: false)
    }

    /// The body of an entry, its checksum verified.
    ///
    /// - Returns: nil if it was removed, replaced or damaged since. What is damaged is deleted and reported first.
    package func body(of head: EntryHead) async throws(StoreError) -> Data? {
        try checkOpen()
        if let body = head.body { return body }
        guard let key = StoreKey(head.key) else { return nil }
        let finding = try await reading { reader throws(StoreError) in try reader.body(of: head, key) }
        switch finding {
        case .absent, .entry: return nil
        case .body(let body): return body
        case .damaged(let name, let problem):
            discard(name, problem)
            return nil
        }
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
        // Before the look at the disk: what the writer has in hand may have left memory by the time that ends.
        let (known, lastUsed) = pending.withLock { ($0.find(key), $0.lastUse(of: key) ?? 0) }
        switch known {
        case .removed: return nil
        case .entry(let entry): return used(EntryHead(entry), key, lastUsed: max(entry.storedAt, lastUsed))
        case .unknown(let changes):
            do throws(StoreError) {
                let found = try await reading { reader throws(StoreError) in
                    try reader.find(key, readsFile: readsFile)
                }
                return serve(found, key, changes, lastUsed)
            } catch  where error.code == .indexDamaged {
                // The writer makes sure, makes it anew and reports it.
                return nil
            }
        }
    }

    private func serve(
        _ found: StoreReader.Finding, _ key: StoreKey, _ changes: [MetadataChange], _ pendingUse: Double
    ) -> EntryHead? {
        switch found {
        case .absent, .body: return nil
        case .entry(let head, let lastUsed):
            return used(changes.reduce(head) { $0.applying($1) }, key, lastUsed: max(lastUsed, pendingUse))
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

    /// Stores the bytes, in the place of whatever was there. They can be read when this returns.
    ///
    /// Waits only when more than `DiskStoreOptions.pendingLimit` waits for the writer.
    ///
    /// - Parameters:
    ///   - metadata: whatever belongs to the body. It is opaque to the store and has a checksum too.
    ///   - expires: from when on the entry counts as absent; seconds since 1970. Nil: the store's age limit alone.
    /// - Throws: `tooLarge` for an entry that the limit leaves no room for. What goes wrong later on the disk is
    ///   reported, counted and thrown by `flush()`.
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
                .tooLarge, "an entry of \(entry.cost) bytes is more than the \(options.bytesAfterTrim) a trim leaves")
        }
        try await put(.store(entry), for: key)
    }

    /// Gives a stored entry new metadata and leaves its body alone, as after a server said "304 Not Modified".
    ///
    /// Meant for that very entry: when another has been stored under its key meanwhile, nothing happens.
    package func updateMetadata(
        _ metadata: Data, of entry: StoredEntry, expires: Double? = nil
    ) async throws(StoreError) {
        try await updateMetadata(metadata, of: EntryHead(entry), expires: expires)
    }

    /// The same for an entry whose body was not read.
    package func updateMetadata(
        _ metadata: Data, of head: EntryHead, expires: Double? = nil
    ) async throws(StoreError) {
        try checkOpen()
        guard let key = StoreKey(head.key) else { return }
        let change = MetadataChange(version: head.version, metadata: metadata, expires: expires)
        try await put(.changeMetadata(change), for: key)
    }

    /// Removes what is stored under the key, if anything. It cannot be read any more when this returns.
    ///
    /// A removal that the disk refuses is reported and tried again; the entry stays absent for this store, not for others.
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

    /// Removes everything, on the disk too. Nothing can be read any more when this returns; what is stored after it stays.
    ///
    /// A caller that is cancelled does not stop it half-way. On a full or failing disk it deletes the store's files.
    ///
    /// - Throws: the error because of which the entries are on the disk still. They are absent all the same, and their
    ///   removal is tried again: see ``flush()``.
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
