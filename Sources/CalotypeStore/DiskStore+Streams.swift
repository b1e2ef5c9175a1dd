internal import CalotypeBase
package import Foundation

/// Bodies that are written while they arrive, and read piece by piece.
///
/// Their bytes are in the temporary area until the commit, count against the store's limit as they arrive, and evict the
/// least recently used entries. The bodies in flight may together be as large as the largest entry.
extension DiskStore {
    /// Opens a writer of a body. Returns `nil` if the store could not keep an entry of this length, bodies in flight leave no
    /// room for it, or an idle process must not have unfinished files.
    ///
    /// - Parameter length: The length of the body if known, in bytes.
    package func entryWriter(length: Int?) async throws(StoreError) -> EntryWriter? {
        try checkOpen()
        guard options.keepsLocks, streamRoom.admits(length ?? 0) else { return nil }
        return try await onWriter { [streamRoom] writer throws(StoreError) in
            var outcome = WriteOutcome()
            return try EntryWriter(writer.newTempPath(&outcome), streamRoom)
        }
    }

    /// Appends bytes to the body. On a full disk, the least recently used entries make room once.
    ///
    /// - Throws: `tooLarge` if the bodies in flight would exceed the largest entry, or the error of the disk. The writer is
    ///   then useless.
    package func append(_ chunks: [Data], to writer: EntryWriter) async throws(StoreError) {
        try checkOpen()
        let bytes = chunks.reduce(0) { $0 + $1.count }
        guard let isDue = writer.share.take(bytes) else {
            throw StoreError(
                .tooLarge, "bodies in flight exceed the \(options.bytesAfterTrim) bytes that a trim leaves")
        }
        if isDue { try await makeRoom() }
        do throws(StoreError) {
            try await streamThreads.run { () throws(StoreError) in try writer.write(chunks) }
        } catch  where error.code == .diskFull {
            take(
                try await onWriter { writer in
                    var outcome = WriteOutcome()
                    writer.relieveFullDisk(lost: bytes, &outcome)
                    return outcome
                })
            openFiles.removeUnlinked()
            try await streamThreads.run { () throws(StoreError) in try writer.write(chunks) }
        }
    }

    /// The size of the bodies that are written now and are not entries yet, in bytes.
    package var streamedBytes: Int { streamRoom.reserved }

    private func makeRoom() async throws(StoreError) {
        take(
            try await onWriter { writer in
                var outcome = WriteOutcome()
                writer.keepWithinLimit(&outcome)
                return outcome
            })
        openFiles.removeUnlinked()
    }

    /// Returns bytes that the writer has, also after the commit.
    package func read(_ range: Range<Int>, of writer: EntryWriter) async throws(StoreError) -> Data {
        try await readerThreads.run { () throws(StoreError) in try writer.read(range) }
    }

    /// Makes the written body the entry under the key, replacing an earlier one, once earlier operations are on the disk.
    ///
    /// - Throws: `tooLarge` if the entry exceeds `byteLimit` × `trimRatio`, or the error of the disk. Nothing is stored then.
    package func commit(
        _ body: EntryWriter, metadata: Data, for key: ByteString, expires: Double? = nil
    ) async throws(StoreError) {
        try checkOpen()
        guard let key = StoreKey(key) else { return }
        let now = wallClock.now
        let row = body.row(
            key, metadata: metadata, storedAt: now, lastUsed: pending.withLock { $0.nextUse(now) }, expires: expires)
        guard row.cost <= options.bytesAfterTrim else {
            throw StoreError(
                .tooLarge, "an entry of \(row.cost) bytes exceeds the \(options.bytesAfterTrim) that a trim leaves")
        }
        if options.survivesPowerLoss {
            try await streamThreads.run { () throws(StoreError) in try body.sync() }
        }
        try await writeAllPending()
        try await adopted { writer, outcome throws(StoreError) in
            try writer.adopt(body.path, as: row, &outcome)
            body.settle()
        }
    }

    /// Stores the body of an entry whose body is in a file under another key, too, without copying it.
    ///
    /// - Returns: `false` if the entry is gone or has been replaced.
    package func link(_ head: EntryHead, metadata: Data, as key: ByteString) async throws(StoreError) -> Bool {
        try checkOpen()
        guard let old = StoreKey(head.key), let key = StoreKey(key) else { return false }
        let now = wallClock.now
        let lastUsed = pending.withLock { $0.nextUse(now) }
        try await writeAllPending()
        return try await adopted { writer, outcome throws(StoreError) in
            try writer.link(
                BlobName(hash: old.hash, version: head.version), &outcome
            ) { sums in
                NewRow(
                    key: key, metadata: metadata, storedAt: now, expires: nil, version: .random(in: .min ... .max),
                    lastUsed: lastUsed, size: head.size, checksum: head.checksum, inlineBody: nil, sums: sums)
            }
        }
    }

    private func adopted<Result: Sendable>(
        _ work: @escaping @Sendable (StoreWriter, inout WriteOutcome) throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        let (result, outcome) = try await onWriter { writer throws(StoreError) in
            var outcome = WriteOutcome()
            let result = try work(writer, &outcome)
            writer.keepWithinLimit(&outcome)
            return (result, outcome)
        }
        take(outcome)
        openFiles.removeUnlinked()
        return result
    }

    /// Returns the body of an entry as a file whose pieces are verified when they are read, or `nil` if the body is not in a
    /// file, or is gone.
    package func pieces(of head: EntryHead) async throws(StoreError) -> EntryPieces? {
        try checkOpen()
        guard head.body == nil, let key = StoreKey(head.key) else { return nil }
        let name = BlobName(hash: key.hash, version: head.version)
        let finding = try await reading { [openFiles] reader throws(StoreError) in
            try reader.unverifiedFile(of: head, key, openFiles[name])
        }
        guard let (file, sums) = taken(finding) else { return nil }
        // Without checksums of its blocks, only a whole body can be verified.
        guard sums != nil || head.size <= BlockSums.blockSize else { return nil }
        openFiles.insert(file, name)
        return EntryPieces(file: file, name: name, key: head.key, sums: sums, checksum: head.checksum)
    }

    /// Returns a piece of a body, or `nil` if it is damaged. A damaged entry is deleted and reported first.
    ///
    /// - Parameter piece: A range within a block of ``EntryPieces/blockSize`` bytes.
    package func read(_ piece: Range<Int>, of pieces: EntryPieces) async throws(StoreError) -> Data? {
        let bytes = try await readerThreads.run { () throws(StoreError) in
            try pieces.file.readVerified(piece, pieces.sums, checksum: pieces.checksum)
        }
        if bytes == nil {
            openFiles.remove(pieces.name)
            discard(
                pieces.name,
                StoreProblem(.damagedEntry, key: pieces.key, "an entry was deleted: its body fails the checksum"))
            // The reader repeats its request at once, and must not find the entry again.
            try await writeAllPending()
        }
        return bytes
    }
}

/// A stored body that is verified piece by piece.
package struct EntryPieces: Sendable {
    package static let blockSize = BlockSums.blockSize

    let file: StoredFile
    let name: BlobName
    let key: ByteString
    let sums: BlockSums?
    let checksum: UInt64
}
