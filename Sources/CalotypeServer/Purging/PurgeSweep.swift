import Calotype
import CalotypeBase
import CalotypeHTTPCache
import CalotypeStore

/// The deletion of entries under purges.
struct PurgeSweep: Sendable {
    let disks: [DiskStore]
    let purges: PurgeList
    let wallClock: WallClock

    /// The outcome of a sweep.
    struct Outcome {
        /// Whether all entries were looked at.
        var isComplete = true
        /// Whether responses from the future were deleted, which memory may have, too.
        var metFuture = false
    }

    /// Deletes the responses under a hard purge and, after a day, those under a soft one. Responses from the future, which
    /// were requested before the clock was set back, are deleted under any purge: their time would come again.
    func run(_ report: @Sendable (String) -> Void) async -> Outcome {
        var outcome = Outcome()
        for disk in disks {
            do {
                try await sweep(disk, &outcome)
            } catch {
                if !Task.isCancelled { report("entries under a purge are not deleted yet: \(error)") }
                outcome.isComplete = false
                break
            }
        }
        return outcome
    }

    private func sweep(_ disk: DiskStore, _ outcome: inout Outcome) async throws {
        let store = DiskHTTPCacheStore(disk, memory: 0)
        var position: Int64?
        while true {
            let page = try await disk.list(limit: 500, after: position)
            guard let last = page.last else { return }
            for entry in page {
                guard let key = DiskHTTPCacheStore.key(ofPage: entry.key) else { continue }
                let doomed = doomed(entry, key)
                guard !doomed.isEmpty else { continue }
                // Noted first: memory has the response even if the disk keeps it.
                if doomed.contains(where: { isFuture($0) }) { outcome.metFuture = true }
                try await store.remove(doomed.map(\.id), for: key)
            }
            position = last.position
        }
    }

    private func isFuture(_ variant: StoredVariant) -> Bool { variant.head.requestTime > wallClock.now + 1 }

    private func doomed(_ entry: EntrySummary, _ key: ByteString) -> [StoredVariant] {
        let moments = purges.moments(of: key)
        guard moments != .none, let variants = [StoredVariant](encodedHeads: entry.metadata) else { return [] }
        let now = wallClock.now
        return variants.filter { variant in
            switch moments.effect(onRequestAt: variant.head.requestTime, now: now) {
            case .none: return false
            case .absent: return true
            case .stale: return moments.stale + PurgeControl.retention <= now || isFuture(variant)
            }
        }
    }
}
