import CalotypeBase
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
    /// - Throws: the first thing that went wrong since the last flush. Entries that failed are not tried again. Removals are,
    ///   now and then and by each flush, and what they remove is absent until then.
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
            writeBatch(retries: true)
            while pending.withLock({ $0.hasOperation(upTo: last) }) { writeBatch() }
        }
    }

    /// Does the work to its end, whether or not the caller is cancelled meanwhile.
    func uninterrupted(_ work: @escaping @Sendable () async throws(StoreError) -> Void) async throws(StoreError) {
        let task = Task.detached { () -> Result<Void, StoreError> in
            do throws(StoreError) {
                return .success(try await work())
            } catch {
                return .failure(error)
            }
        }
        try await task.value.get()
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

    /// - Parameter retries: Whether removals that failed are tried again if nothing else waits.
    @discardableResult
    func writeBatch(retries: Bool = false) -> Bool {
        let next = pending.withLock { $0.nextBatch(byteLimit: DiskStore.batchLimit, retries: retries) }
        guard let batch = next else { return false }
        let outcome = writer.work { $0.write(batch) }
        openFiles.removeUnlinked()
        pending.withLock { $0.finishBatch(unwritten: outcome.unwritten) }
        budget.release(batch.cost)
        take(outcome)
        if outcome.unwritten != nil { retryLater() }
        return true
    }

    /// Tries removals again that did not reach the disk, for callers that do nothing more.
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

    /// Counts, and reports what is new.
    func take(_ outcome: WriteOutcome) {
        counters.withLock { counters in
            counters.statistics.writes += outcome.written
            counters.statistics.failedWrites += outcome.failed
            counters.statistics.evictions += outcome.evicted
            if counters.failure == nil { counters.failure = outcome.firstError }
        }
        for problem in news(in: outcome.problems) { report(problem) }
    }

    /// Without the failures that have gone on since they were reported: each write meets them again.
    private func news(in problems: [StoreProblem]) -> [StoreProblem] {
        counters.withLock { counters in
            let failures = Set(problems.compactMap(\.failure))
            defer { counters.failures = failures }
            var known = counters.failures
            return problems.filter { problem in problem.failure.map { known.insert($0).inserted } ?? true }
        }
    }
}

extension StoreProblem {
    /// Tells one failure from another; `nil` for a problem that is none.
    fileprivate var failure: DiskStore.Failure? { cause.map { DiskStore.Failure(code: code, cause: $0) } }
}
