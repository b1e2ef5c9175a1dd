import CalotypeConcurrency
import Foundation

/// How what waits gets to the disk.
extension DiskStore {
    /// How many bytes go into one transaction: enough that its cost is shared, few enough that other processes wait
    /// only milliseconds.
    private static let batchLimit = 8 << 20

    /// Returns when everything that was stored or removed before is on the disk.
    ///
    /// "On the disk" as `DiskStoreOptions.survivesPowerLoss` has it.
    ///
    /// - Throws: the first thing that went wrong since the last flush. What failed is not tried again.
    public func flush() async throws(StoreError) {
        try checkOpen()
        try await writeAllPending()
        try throwFailure()
    }

    func throwFailure() throws(StoreError) {
        let failure = counters.withLock { counters in
            defer { counters.failure = nil }
            return counters.failure
        }
        if let failure { throw failure }
    }

    /// Writes all that waits. Failures are kept for the next `flush()`.
    func writeAllPending() async throws(StoreError) {
        let last = pending.withLock { $0.lastSequence }
        try await writerThread.run { [self] () throws(StoreError) in
            writeBatch()
            while pending.withLock({ $0.hasOperation(upTo: last) }) { writeBatch() }
        }
    }

    /// Sees to it that the writer comes and takes what waits.
    func callWriter() {
        guard pending.withLock({ $0.callsWriter() }) else { return }
        Task.detached { [self] in
            // A batch at a time, so that a flush or a trim gets its turn in between.
            while await writeOneOfMany() {}
        }
    }

    private func writeOneOfMany() async -> Bool {
        do throws(StoreError) {
            return try await writerThread.run { [self] () throws(StoreError) in
                writeBatch() || !pending.withLock { $0.letsWriterGo() }
            }
        } catch {
            pending.withLock { $0.forgetsWriter() }
            return false
        }
    }

    @discardableResult
    func writeBatch() -> Bool {
        guard let batch = pending.withLock({ $0.nextBatch(byteLimit: DiskStore.batchLimit) }) else { return false }
        let outcome = writer.work { $0.write(batch) }
        openFiles.removeUnlinked()
        pending.withLock { $0.finishBatch() }
        budget.release(batch.cost)
        take(outcome)
        return true
    }

    /// Counts and reports.
    func take(_ outcome: WriteOutcome) {
        counters.withLock { counters in
            counters.statistics.writes += outcome.written
            counters.statistics.failedWrites += outcome.failed
            counters.statistics.evictions += outcome.evicted
            if counters.failure == nil { counters.failure = outcome.firstError }
        }
        for problem in outcome.problems { report(problem) }
    }
}
