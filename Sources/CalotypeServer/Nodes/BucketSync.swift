import CalotypeBase
import CalotypeHTTP
import Foundation

/// Learns the purges in the far store, and writes those that it still lacks.
final class BucketSync: Sendable {
    /// The time limits for an update, for one with a list from the first name on, and for writing an object.
    static let updateLimit = Duration.seconds(10)
    static let wholeLimit = Duration.seconds(60)
    static let writeLimit = Duration.seconds(5)
    /// The pause between two lists from the first name on, which also delete old objects, in seconds.
    static let wholeInterval = 3600.0

    let feed: BucketFeed
    private let control: PurgeControl
    private let clock: any Clock<Duration>
    private let wallClock: WallClock
    private let report: @Sendable (String) -> Void
    private let repeated: RepeatedReports
    private let state = Locked(State())
    /// One update at a time.
    private let turn = Limiter(limit: 1)

    private struct State {
        /// Whether the last list has failed.
        var hasFailed = false
        /// The time of the last name, and of the last list from the first name on, in seconds since 1970.
        var (lastTime, lastWhole) = (0.0, -Double.infinity)
        /// The purges that were written since the last update.
        var written: Set<PurgeID> = []
    }

    init(_ feed: BucketFeed, _ control: PurgeControl, _ basis: ServerBasis) {
        (self.feed, self.control) = (feed, control)
        (clock, wallClock, report) = (basis.clock, basis.wallClock, basis.report)
        repeated = RepeatedReports(basis.report, wallClock: basis.wallClock)
    }

    func inTurn(_ body: (BucketSync) async -> Void) async {
        do throws(Interruption) { try await turn.enter() } catch { return }
        defer { turn.leave() }
        await body(self)
    }

    // MARK: Lists

    /// Learns the purges that are new in the far store.
    ///
    /// - Parameter noteLead: Takes the difference of the clocks, and returns whether purges may be learnt.
    /// - Returns: Whether the far store's list was read.
    func pull(_ begun: Double, noteLead: @escaping @Sendable (ClosedRange<Double>?) -> Bool) async -> Bool {
        let isWhole = state.withLock { abs(begun - $0.lastWhole) >= Self.wholeInterval }
        let old = Locked<[PurgeID]>([])
        do throws(TransportError) {
            try await limited(isWhole ? Self.wholeLimit : Self.updateLimit) { [self] () throws(TransportError) in
                let names = try await learn(begun, isWhole: isWhole, noteLead)
                if isWhole { old.withLock { $0 = names.old } }
            }
            let hadFailed = state.withLock { state in
                defer { state.hasFailed = false }
                return state.hasFailed
            }
            if hadFailed { repeated.add("the purges in the far store can be read again") }
        } catch {
            state.withLock { $0.hasFailed = true }
            if error.code != .cancelled { repeated.add("the purges in the far store cannot be read: \(error)") }
            return false
        }
        await remove(old.withLock { $0 })
        return true
    }

    private func learn(
        _ begun: Double, isWhole: Bool, _ noteLead: (ClosedRange<Double>?) -> Bool
    ) async throws(TransportError) -> BucketFeed.Names {
        let start = isWhole ? nil : state.withLock { min($0.lastTime, begun) - Purge.lateness }
        let names = try await feed.names(from: start, wallClock)
        guard noteLead(names.lead) else { throw TransportError(.other, "this node's clock is wrong") }
        // A purge of everything stands for the purges beyond the limit.
        func all(_ id: PurgeID) -> Purge { Purge(.all, isHard: true, id: id, learnt: begun) }
        if let dropped = names.dropped { try await learn([all(dropped)]) }
        var unread = names.ids.filter { !control.list.covers(all($0)) }[...]
        var reading = BucketFeed.Reading()
        var damaged: [PurgeID] = []
        while !unread.isEmpty, reading.failure == nil {
            reading = await feed.purges(unread.prefix(512))
            unread = unread.dropFirst(512)
            try await learn(reading.purges)
            damaged += reading.damaged
        }
        noteDamage(of: damaged)
        await settle(names.ids)
        if let failure = reading.failure { throw failure }
        state.withLock { state in
            state.lastTime = max(state.lastTime, names.ids.last?.time ?? 0)
            if isWhole { state.lastWhole = begun }
        }
        return names
    }

    private func learn(_ purges: [Purge]) async throws(TransportError) {
        do throws(ServerError) { try await control.learn(purges) } catch {
            throw TransportError(.other, "they cannot be kept")
        }
    }

    private func noteDamage(of damaged: [PurgeID]) {
        guard let first = damaged.first else { return }
        report(
            damaged.count == 1
                ? "the purge \(first.text) in the far store is damaged, and counts as a hard purge of all sources"
                : "\(damaged.count) purges in the far store are damaged, such as \(first.text): each counts as a hard purge of "
                    + "all sources")
    }

    /// Removes objects that are older than all far results. Another node may have removed them.
    private func remove(_ old: [PurgeID]) async {
        guard !old.isEmpty else { return }
        do throws(TransportError) {
            try await limited(Self.wholeLimit) { [feed] () throws(TransportError) in try await feed.remove(old) }
        } catch {
            if error.code != .cancelled { repeated.add("old purges stay in the far store: \(error)") }
        }
    }

    // MARK: Purges that the far store lacks

    /// Writes the object of a purge.
    ///
    /// - Returns: The reason why it is not written; `nil` if it is.
    func publish(_ purge: Purge) async -> String? {
        do throws(TransportError) {
            try await limited(Self.writeLimit) { [feed] () throws(TransportError) in try await feed.publish(purge) }
            state.withLock { _ = $0.written.insert(purge.id) }
            return nil
        } catch {
            return error.message
        }
    }

    /// Writes the purges that this store owes.
    ///
    /// - Parameter now: The time of the fleet, in seconds since 1970.
    func publishOwed(_ now: Double) async {
        await settle([])
        for purge in control.list.purges where purge.isOwed {
            // Other nodes list the names of the last minute alone.
            let isLate = now > purge.id.time + Purge.lateness / 2
            let latest =
                isLate
                ? Purge(purge.target, isHard: purge.isHard, id: PurgeID(time: now), learnt: wallClock.now) : purge
            if let failure = await publish(latest) {
                if !Task.isCancelled { repeated.add("a purge is not in the far store yet: \(failure)") }
                return
            }
            await control.settle([purge], replacedBy: isLate ? [latest] : [])
        }
    }

    /// Notes the purges that the far store has, because this node wrote or listed them.
    private func settle(_ listed: [PurgeID]) async {
        let known = state.withLock { state in
            defer { state.written = [] }
            return state.written.union(listed)
        }
        await control.settle(control.list.purges.filter { $0.isOwed && known.contains($0.id) })
    }

    private func limited(
        _ limit: Duration, _ work: @escaping @Sendable () async throws(TransportError) -> Void
    ) async throws(TransportError) {
        let late = TransportError(.timedOut, "the far store did not answer within \(limit.text)")
        try await withTimeout(limit, clock: clock, timedOut: late, cancelled: .cancelled, work: work)
    }
}
