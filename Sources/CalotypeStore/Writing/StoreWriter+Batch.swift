import Foundation

/// Writes a batch in three steps: temporary files; one transaction, which renames them and changes the index; the
/// deletion of replaced files.
extension StoreWriter {
    /// Writes a batch and never throws: operations that fail are dropped, counted and reported, so that no call waits
    /// for a broken disk. The outcome contains the failed removals, which are retried.
    func write(_ batch: WriteBatch) -> WriteOutcome {
        var outcome = WriteOutcome()
        do throws(StoreError) {
            if batch.repairs { try repair(&outcome) }
            let written = try withIndex(&outcome) { session throws(StoreError) in
                try write(batch, to: session)
            }
            outcome.add(written)
        } catch {
            giveUp(batch, because: error, &outcome)
        }
        relieveFullDisk(&outcome)
        keepWithinLimit(&outcome)
        return outcome
    }

    private func write(_ batch: WriteBatch, to session: Session) throws(StoreError) -> WriteOutcome {
        var outcome = WriteOutcome()
        let work = batch.keys.compactMap { key in
            batch.operations[key].map { prepare(key, $0, beside: session.temp, &outcome) }
        }
        do throws(StoreError) {
            let obsolete = try session.index.transaction { () throws(StoreError) in
                try apply(batch, work, to: session.index, &outcome)
            }
            blobs.remove(obsolete)
            // Delete files only after the transaction: if it fails, the old rows remain and still need them.
            if batch.removesAll { _ = try? removeOrphans(session) }
            return outcome
        } catch {
            for step in work { step.undo(blobs) }
            throw error
        }
    }

    /// An operation, with the temporary file written for it.
    private struct Step {
        let key: StoreKey
        let operation: PendingOperation
        var tempPath: String?

        /// Deletes the file under its temporary and its final name. After a failed transaction, no row refers to it.
        func undo(_ blobs: BlobFiles) {
            guard let tempPath, case .store(let entry) = operation else { return }
            FileSystem.remove(tempPath)
            blobs.remove([BlobName(hash: key.hash, version: entry.version)])
        }
    }

    /// Writes an entry's file. If that fails, the operation becomes a removal of the earlier entry under the key.
    private func prepare(
        _ key: StoreKey, _ operation: PendingOperation, beside temp: TempArea, _ outcome: inout WriteOutcome
    ) -> Step {
        guard case .store(let entry) = operation, entry.body.count > options.inlineLimit else {
            return Step(key: key, operation: operation)
        }
        let path = temp.nextPath()
        do throws(StoreError) {
            try WholeFile.write([entry.body], to: path, isSynced: blobs.isSynced)
            return Step(key: key, operation: operation, tempPath: path)
        } catch {
            outcome.failed += 1
            outcome.fail(.writeFailed, key: key.text, bytes: entry.body.count, error)
            return Step(key: key, operation: .remove)
        }
    }

    private func apply(
        _ batch: WriteBatch, _ work: [Step], to index: StoreIndex, _ outcome: inout WriteOutcome
    ) throws(StoreError) -> [BlobName] {
        var obsolete: [BlobName] = []
        if batch.removesAll { try index.removeAll() }
        for name in batch.discards { obsolete += try index.remove(name) }
        for step in work { obsolete += try apply(step, to: index, &outcome) }
        for (hash, time) in batch.touches { try index.touch(hash, at: time) }
        return obsolete
    }

    private func apply(
        _ step: Step, to index: StoreIndex, _ outcome: inout WriteOutcome
    ) throws(StoreError) -> [BlobName] {
        switch step.operation {
        case .remove: return try index.remove(step.key.hash)
        case .changeMetadata(let change):
            try index.setMetadata(change, of: step.key)
            return []
        case .store(let entry):
            do throws(StoreError) {
                if let path = step.tempPath {
                    try blobs.publish(path, as: BlobName(hash: step.key.hash, version: entry.version))
                }
            } catch {
                outcome.failed += 1
                outcome.fail(.writeFailed, key: step.key.text, bytes: entry.body.count, error)
                return try index.remove(step.key.hash)
            }
            outcome.written += 1
            outcome.largestWritten = max(outcome.largestWritten, entry.body.count)
            return try index.insert(entry.row(isInline: step.tempPath == nil))
        }
    }

    /// Performs the removals of a failed batch, because stale entries are worse than misses. Reports lost operations.
    private func giveUp(_ batch: WriteBatch, because error: StoreError, _ outcome: inout WriteOutcome) {
        let removals = batch.removals
        if !removals.isEmpty, mayHaveIndex {
            do throws(StoreError) {
                try remove(removals, after: error, &outcome)
            } catch {
                outcome.unwritten = (removals, error)
            }
        }
        let isRemoved = outcome.unwritten == nil
        for (key, operation) in batch.operations {
            if case .remove = operation, isRemoved { continue }
            var bytes = 0
            if case .store(let entry) = operation {
                outcome.failed += 1
                bytes = entry.body.count
            }
            outcome.fail(.writeFailed, key: key.text, bytes: bytes, error)
        }
        if batch.operations.isEmpty, !(batch.removesAll && isRemoved) { outcome.fail(.writeFailed, error) }
    }

    private func remove(
        _ removals: WriteBatch, after failure: StoreError, _ outcome: inout WriteOutcome
    ) throws(StoreError) {
        // Another process has locked the index for as long as `busyTimeout` allows: do not wait a second time.
        if failure.code == .busy { throw failure }
        do throws(StoreError) {
            _ = try withIndex(&outcome) { session throws(StoreError) in try write(removals, to: session) }
        } catch {
            guard removals.removesAll, error.code == .diskFull || error.code == .ioFailed else { throw error }
            try discardIndex()
        }
    }
}
