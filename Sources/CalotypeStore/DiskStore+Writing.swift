import CalotypeBase
import Foundation

extension DiskStore {
    /// The size, in bytes, at which a batch is full. It is small, because a transaction blocks other processes' writes.
    private static let batchLimit = 8 << 20

    /// Waits until all earlier operations are on the disk.
    ///
    /// `DiskStoreOptions.survivesPowerLoss` determines what "on the disk" means.
    ///
    /// - Throws: The first error since the last flush. Failed entries are not retried. Failed removals are retried
    ///   periodically and by each flush; their entries count as absent meanwhile.
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

    /// Writes all pending operations. The next `flush()` throws the first of their errors.
    package func writeAllPending() async throws(StoreError) {
        let last = pending.withLock { $0.lastSequence }
        try await writerThread.run { [self] () throws(StoreError) in
            writeBatch(retries: true)
            while pending.withLock({ $0.hasOperation(upTo: last) }) { writeBatch() }
        }
    }

    /// Completes the work even if the caller is cancelled meanwhile.
    func uninterrupted(_ work: @escaping @Sendable () async throws(StoreError) -> Void) async throws(StoreError) {
        try await Task.detached { await Result(awaiting: work) }.value.get()
    }

    func callWriter() {
        if pending.withLock({ $0.callsWriter() }) { enqueueBatch() }
    }

    /// Writes one batch at a time, so that a flush or a trim can run between two batches.
    private func enqueueBatch() {
        writerThread.enqueue { [self] isRefused in
            if isRefused { return pending.withLock { $0.forgetsWriter() } }
            writeBatch()
            if !pending.withLock({ $0.letsWriterGo() }) { enqueueBatch() }
        }
    }

    /// - Parameter retries: If `true`, failed removals are retried even if nothing else is pending.
    func writeBatch(retries: Bool = false) {
        let next = pending.withLock { $0.nextBatch(byteLimit: DiskStore.batchLimit, retries: retries) }
        guard let batch = next else { return }
        let outcome = writer.work { $0.write(batch) }
        openFiles.removeUnlinked()
        pending.withLock { $0.finishBatch(unwritten: outcome.unwritten) }
        budget.release(batch.cost)
        take(outcome)
        if outcome.unwritten != nil { retryLater() }
    }

    /// After a pause, retries the removals that failed on the disk, in case no later call does.
    private func retryLater() {
        retrying.withLock { task in
            guard task == nil else { return }
            task = Task.detached { [weak self, clock] in
                guard (try? await clock.sleep(for: DiskStore.retryPause)) != nil else { return }
                self?.retrying.withLock { $0 = nil }
                try? await self?.writeAllPending()
            }
        }
    }

    /// Adds the outcome to the counters, and reports its new problems.
    func take(_ outcome: WriteOutcome) {
        counters.withLock { counters in
            counters.statistics.writes += outcome.written
            counters.statistics.failedWrites += outcome.failed
            counters.statistics.evictions += outcome.evicted
            if counters.failure == nil { counters.failure = outcome.firstError }
        }
        for problem in news(in: outcome) { report(problem) }
    }

    /// The time after its last loss at which a failure no longer continues, in seconds.
    private static let failureMemory = 3600.0

    /// Returns the problems without failures that continue.
    ///
    /// A failure continues until an entry as large as the lost ones is written. A full disk continues beyond that, because
    /// the store makes room on it time and again.
    private func news(in outcome: WriteOutcome) -> [StoreProblem] {
        let now = wallClock.now
        return counters.withLock { counters in
            let failures = Set(outcome.problems.compactMap(\.failure))
            counters.failures = counters.failures.filter { failure, trace in
                guard abs(now - trace.time) < Self.failureMemory else { return false }
                return failure.cause == .diskFull || failures.contains(failure) || outcome.largestWritten < trace.bytes
            }
            return outcome.problems.filter { problem in
                guard let failure = problem.failure else { return true }
                let known = counters.failures[failure]
                counters.failures[failure] = FailureTrace(bytes: max(known?.bytes ?? 0, problem.lostBytes), time: now)
                return known == nil
            }
        }
    }
}

extension StoreProblem {
    /// The identity of the failure, or `nil` if the problem is not a failed operation. A full disk is one failure, whether a
    /// write or the upkeep meets it.
    fileprivate var failure: DiskStore.Failure? {
        cause.map { DiskStore.Failure(code: $0 == .diskFull ? .writeFailed : code, cause: $0) }
    }
}
