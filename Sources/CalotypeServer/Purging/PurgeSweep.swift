import Calotype
import CalotypeBase
import CalotypeHTTPCache
import CalotypeStore

/// The deletion of entries under purges, and the end of the purges whose entries are gone.
final class PurgeSweep: Sendable {
    /// The time after a purge until its entries are deleted, in seconds, so that many purges cause one sweep. Also the
    /// pause after a sweep that failed.
    static let delay = 10.0
    /// The time after which entries under a soft purge are deleted, in seconds.
    static let retention = 86_400.0

    /// The time after which purges end, in seconds: that for which a store may keep results.
    let memory: Double
    private let disks: [DiskStore]
    private let purges: PurgeList
    private let wallClock: WallClock
    private let table: PurgeTable?
    private let report: @Sendable (String) -> Void
    private let forget: @Sendable () async -> Void
    private let state = Locked(State())

    private struct State {
        /// The time of the last sweep of any process, in seconds since 1970; 0 before the first, and less before it is known.
        var swept = -1.0
        /// The earliest time at which a sweep is due, in seconds since 1970.
        var due = Double.infinity
        var isSweeping = false
        /// Whether a sweep has ended purges that the list may still have.
        var isOver = false
        /// The time of the last sweep that failed, in seconds since 1970.
        var failed = -Double.infinity
        /// The latest time of day that this process has seen, in seconds since 1970.
        var latest = 0.0
        /// Whether a new purge was older than the latest time, so that memory may have later responses that it covers.
        var isSetBack = false
    }

    /// - Parameters:
    ///   - table: The table of the purges, which the sweep shortens. `nil` if they last as long as the process.
    ///   - report: Takes messages that may come again.
    ///   - forget: Forgets the responses in memory. Called before purges end.
    init(
        _ disks: [DiskStore], _ purges: PurgeList, memory: Double, wallClock: WallClock, table: PurgeTable?,
        report: @escaping @Sendable (String) -> Void, forget: @escaping @Sendable () async -> Void
    ) {
        (self.disks, self.purges, self.memory, self.wallClock) = (disks, purges, memory, wallClock)
        (self.table, self.report, self.forget) = (table, report, forget)
        noteTime()
    }

    /// The time at which the last sweep began, in seconds since 1970.
    var last: Double { state.withLock { $0.swept } }

    // MARK: The time of the next sweep

    func noteTime() {
        let now = wallClock.now
        state.withLock { $0.latest = max($0.latest, now) }
    }

    /// Takes note of new and changed purges.
    func note(_ purges: [Purge]) {
        guard !purges.isEmpty else { return }
        let now = wallClock.now
        state.withLock { state in
            state.due = min(state.due, now + Self.delay)
            if now + Purge.reach < state.latest { state.isSetBack = true }
        }
    }

    /// Takes note of a sweep of another process, which has ended purges, and of the purges at the start.
    func note(sweptAt time: Double) {
        let isNew = state.withLock { state in
            guard time > state.swept, time <= wallClock.now else { return false }
            (state.swept, state.isOver) = (time, true)
            return true
        }
        if isNew { plan() }
    }

    /// Finds the time of the next sweep: ten seconds after the first purge that none has met, or when a purge is to end.
    private func plan() {
        let all = purges.purges
        state.withLock { state in
            let times = all.flatMap { [$0.learnt + Self.delay, $0.nearUntil + self.memory] }
            state.due = times.filter { $0 > state.swept }.min() ?? .infinity
        }
    }

    private var isDue: Bool {
        let now = wallClock.now
        return state.withLock { state in
            guard abs(now - state.failed) >= Self.delay, state.due < .infinity else { return false }
            return state.due <= now || state.isSetBack || now < state.swept
        }
    }

    // MARK: Sweeping

    func runIfDue() async {
        let isOver = state.withLock { state in
            defer { state.isOver = false }
            return state.isOver
        }
        if isOver { await endPurges(last) }
        guard isDue else { return }
        let isFree = state.withLock { state in
            defer { state.isSweeping = true }
            return !state.isSweeping
        }
        guard isFree else { return }
        defer { state.withLock { $0.isSweeping = false } }
        guard let table else { return await run() }
        await table.sweeping { await run() }
    }

    private func run() async {
        let begun = wallClock.now
        let isSetBack = takeSetBack(at: begun)
        // Later responses than the purge count as absent only until the clock has caught up with them.
        if isSetBack { await forget() }
        let outcome = await sweep()
        if outcome.metFuture { await forget() }
        guard outcome.isComplete else { return noteFailure(begun, isSetBack: isSetBack) }
        let end = end(begun)
        do throws(ServerError) {
            try await table?.run { table throws(ServerError) in try table.noteSweep(begunAt: begun, droppingUntil: end)
            }
        } catch {
            noteFailure(begun, isSetBack: false)
            if error != .cancelled { report(error.reason) }
            return
        }
        state.withLock { $0.swept = begun }
        await endPurges(begun)
        plan()
    }

    /// The time until which purges were learnt that a sweep ends.
    private func end(_ swept: Double) -> Double { swept - memory - Purge.reach }

    private func endPurges(_ swept: Double) async {
        let end = end(swept)
        guard purges.purges.contains(where: { $0.learnt <= end }) else { return }
        await forget()
        purges.remove(learntUntil: end)
    }

    /// Returns whether memory may have responses from before the clock was set back, and takes note that the caller
    /// forgets them.
    private func takeSetBack(at now: Double) -> Bool {
        state.withLock { state in
            guard state.isSetBack || now < state.swept else { return false }
            (state.isSetBack, state.latest) = (false, now)
            return true
        }
    }

    private func noteFailure(_ begun: Double, isSetBack: Bool) {
        state.withLock { state in
            state.failed = begun
            if isSetBack { state.isSetBack = true }
        }
    }

    // MARK: Entries

    /// The outcome of a sweep.
    private struct Outcome {
        /// Whether all entries were looked at.
        var isComplete = true
        /// Whether responses from the future were deleted, which memory may have, too.
        var metFuture = false
    }

    /// Deletes the responses under a hard purge and, after a day, those under a soft one. Responses from the future, which
    /// were requested before the clock was set back, are deleted under any purge: their time would come again.
    private func sweep() async -> Outcome {
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
        let moments = purges.moments(of: key).known
        guard moments != .none, let variants = [StoredVariant](encodedHeads: entry.metadata) else { return [] }
        let now = wallClock.now
        return variants.filter { variant in
            switch moments.effect(onRequestAt: variant.head.requestTime, now: now) {
            case .none: return false
            case .absent: return true
            case .stale: return moments.stale + Self.retention <= now || isFuture(variant)
            }
        }
    }
}
