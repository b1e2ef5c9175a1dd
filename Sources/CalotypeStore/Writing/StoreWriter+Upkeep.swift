import Foundation

extension StoreWriter {
    /// Trims the store if its size, including entries written by other processes and bodies that are not entries yet,
    /// exceeds the limit.
    func keepWithinLimit(_ outcome: inout WriteOutcome) {
        let streamed = streamRoom.reserved
        upkeep(&outcome) { session, outcome throws(StoreError) in
            guard try session.index.totals().bytes > options.byteLimit - streamed else { return }
            try trim(to: options.bytesAfterTrim - streamed, session, &outcome)
        }
    }

    /// Makes room on a disk that was too full for an entry: removes the least recently used ones, a sixteenth of the store or
    /// four times the bytes of the lost entry. Does nothing if the entry met a quota, or the process's limit on files.
    func relieveFullDisk(_ outcome: inout WriteOutcome) {
        let lost = outcome.problems.filter { $0.cause == .diskFull }.map(\.lostBytes).max()
        if let lost { relieveFullDisk(lost: lost, &outcome) }
    }

    /// - Parameter lost: The size of the bytes that could not be written.
    func relieveFullDisk(lost: Int, _ outcome: inout WriteOutcome) {
        guard hasIndex, let free = FileSystem.freeBytes(layout.directory), free / 4 < max(lost, 256 << 10)
        else { return }
        var done = WriteOutcome()
        // A failure here adds nothing to the report of the full disk.
        try? withIndex(&outcome) { session throws(StoreError) in
            let bytes = try session.index.totals().bytes
            let target = bytes - max(bytes / 16, 4 * lost)
            do throws(StoreError) {
                try trim(to: target, session, &done)
            } catch  where error.code == .diskFull {
                // The transaction itself lacks room: the files of some entries go first, and then the entries.
                let oldest = try session.index.oldestFiles(limit: 16)
                blobs.remove(oldest)
                try session.index.transaction { () throws(StoreError) in
                    for name in oldest { _ = try session.index.remove(name) }
                }
                done.evicted += oldest.count
            }
        }
        outcome.add(done)
    }

    func trim(to target: Int) -> WriteOutcome {
        var outcome = WriteOutcome()
        upkeep(&outcome) { session, outcome throws(StoreError) in try trim(to: target, session, &outcome) }
        return outcome
    }

    private func trim(to target: Int, _ session: Session, _ outcome: inout WriteOutcome) throws(StoreError) {
        try repeatedly(&outcome) { () throws(StoreError) in
            try session.index.removeLeastRecentlyUsed(leaving: max(target, 0))
        }
    }

    /// Removes expired entries, trims a store that exceeds its size limit, and deletes leftover files.
    ///
    /// - Parameter interval: If a process has swept within this many seconds, only leftover files are deleted.
    func sweep(now: Double, interval: Double) -> WriteOutcome {
        var outcome = WriteOutcome()
        upkeep(&outcome) { session, outcome throws(StoreError) in
            guard try session.index.claimSweep(now: now, interval: interval) else { return }
            try repeatedly(&outcome) { () throws(StoreError) in
                try session.index.removeExpired(now: now, options: options)
            }
            if try session.index.totals().bytes > options.byteLimit {
                try trim(to: options.bytesAfterTrim, session, &outcome)
            }
            try session.index.shrink()
        }
        upkeep(&outcome) { session, _ throws(StoreError) in
            deleteDiscarded()
            try TempArea.clear(layout.temp) { diedWriting throws(StoreError) in
                guard diedWriting else { return }
                _ = try removeOrphans(session)
            }
        }
        return outcome
    }

    /// Deletes files without an entry, and returns their number.
    ///
    /// A first search runs without the write lock, which is taken only if that search finds such files. Under the lock
    /// the result is exact, because a file gets its name within the transaction that inserts its row.
    func removeOrphans(_ session: Session) throws(StoreError) -> Int {
        var count = 0
        for shard in 0..<StoreLayout.shardCount { count += try removeOrphans(inShard: shard, session) }
        return count
    }

    private func removeOrphans(inShard shard: Int, _ session: Session) throws(StoreError) -> Int {
        let suspects = try orphans(among: blobs.names(inShard: shard), session.index)
        guard !suspects.isEmpty else { return 0 }
        return try session.index.transaction { () throws(StoreError) in
            let orphans = try orphans(among: suspects, session.index)
            blobs.remove(orphans)
            return orphans.count
        }
    }

    private func orphans(among names: [BlobName], _ index: StoreIndex) throws(StoreError) -> [BlobName] {
        var orphans: [BlobName] = []
        for name in names where try !index.contains(name) { orphans.append(name) }
        return orphans
    }

    func deleteDiscarded() {
        for path in layout.allDiscarded() { FileSystem.removeTree(path) }
    }

    private func repeatedly(
        _ outcome: inout WriteOutcome, _ step: () throws(StoreError) -> StoreIndex.Removal
    ) throws(StoreError) {
        while true {
            let removal = try step()
            blobs.remove(removal.files)
            outcome.evicted += removal.count
            if removal.isDone { return }
        }
    }

    /// Runs `body` if there is an index. Adds errors to `outcome` instead of throwing them, because most upkeep runs in
    /// the background.
    func upkeep(
        _ outcome: inout WriteOutcome,
        _ body: (Session, inout WriteOutcome) throws(StoreError) -> Void
    ) {
        guard hasIndex else { return }
        var done = WriteOutcome()
        do throws(StoreError) {
            try withIndex(&outcome) { session throws(StoreError) in try body(session, &done) }
        } catch {
            done.fail(.upkeepFailed, error)
        }
        outcome.add(done)
    }
}
