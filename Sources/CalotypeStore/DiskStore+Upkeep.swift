import CalotypeBase
import Foundation

extension DiskStore {
    /// Removes the least recently used entries until at most `target` bytes are left. 0 removes everything.
    public func trim(toBytes target: Int) async throws(StoreError) {
        try checkOpen()
        try await writeAllPending()
        take(try await onWriter { $0.trim(to: target) })
        openFiles.removeUnlinked()
    }

    /// Removes expired entries, trims a store that exceeds its size limit, and deletes files that killed processes left
    /// behind. Runs automatically every `DiskStoreOptions.sweepInterval` during the store's lifetime.
    public func sweep() async throws(StoreError) {
        try checkOpen()
        try await sweep(unlessWithin: .zero)
    }

    func sweep(unlessWithin interval: Duration) async throws(StoreError) {
        try await writeAllPending()
        try await writerThread.run { [self] () throws(StoreError) in
            // Write the batch before the sweep: it contains recent uses, without which the sweep could remove entries
            // as unused.
            let now = wallClock.now
            writeBatch()
            take(writer.work { $0.sweep(now: now, interval: interval / .seconds(1)) })
            openFiles.removeUnlinked()
        }
    }

    /// Writes pending operations, then returns the counters and the size. Does not read the entries.
    public func statistics() async throws(StoreError) -> StoreStatistics {
        try checkOpen()
        if pending.withLock({ $0.hasOperations }) { try await writeAllPending() }
        let found = try await reading { [adopts = options.adoptsLimit] reader throws(StoreError) in
            try reader.withIndex(or: nil) { index throws(StoreError) in
                (totals: try index.totals(), limit: adopts ? index.notedLimit : nil)
            }
        }
        var statistics = counters.withLock { $0.statistics }
        statistics.entries = found?.totals.entries ?? 0
        statistics.bytes = found?.totals.bytes ?? 0
        statistics.bodyBytes = found?.totals.bodyBytes ?? 0
        statistics.byteLimit = found?.limit ?? options.byteLimit
        return statistics
    }

    /// The counters so far. `entries` and the sizes are 0, because only the index contains them.
    package var counts: StoreStatistics { counters.withLock { $0.statistics } }

    /// Returns a page of the list of entries, oldest first. Expired entries are listed until a sweep or a lookup
    /// removes them. The checksums of the metadata are not verified.
    ///
    /// - Parameter position: The position of the previous page's last entry, or `nil` for the first page.
    package func list(limit: Int = 1000, after position: Int64? = nil) async throws(StoreError) -> [EntrySummary] {
        try checkOpen()
        if pending.withLock({ $0.hasOperations }) { try await writeAllPending() }
        return try await reading { reader throws(StoreError) in
            try reader.withIndex(or: []) { index throws(StoreError) in
                try index.summaries(limit: max(limit, 0), after: position ?? .min)
            }
        }
    }

    /// Reads every entry and verifies its checksums, deletes files without an entry, and corrects the totals in the
    /// index.
    ///
    /// Deletes and reports invalid entries. Takes as long as reading all bodies; other calls continue meanwhile.
    package func verify() async throws(StoreError) -> StoreVerification {
        try checkOpen()
        try await writeAllPending()
        var result = StoreVerification()
        var position: Int64? = .min
        while let last = position {
            let page = try await reading { reader throws(StoreError) in try reader.verifyPage(after: last) }
            position = page.last
            result.checked += page.checked
            try await discard(page.damaged, &result)
        }
        let (verification, outcome) = try await onWriter { [result] writer in writer.verifyRest(result) }
        take(outcome)
        return verification
    }

    private func discard(
        _ damaged: [(name: BlobName, problem: StoreProblem)], _ result: inout StoreVerification
    ) async throws(StoreError) {
        guard !damaged.isEmpty else { return }
        for (name, problem) in damaged {
            if problem.code == .missingBody { result.missing += 1 } else { result.damaged += 1 }
            counters.withLock { $0.statistics.damaged += 1 }
            pending.withLock { $0.noteDiscard(name) }
            report(problem)
        }
        try await writeAllPending()
    }
}
