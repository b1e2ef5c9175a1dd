import CalotypeBase
import CalotypeHTTP
import Foundation

/// The purges of a fleet: learns them from the far store and from other nodes, each in a loop that does not wait for the
/// other, and writes those into the far store that it still lacks.
///
/// Until the list of purges is complete, nothing is sent that was stored before the start. It is complete after the far
/// store's whole list, the list of one node whose own is complete, or those of all nodes, as when all of them start.
final class PurgeSync: Sendable {
    /// The pause between two updates.
    static let interval = Duration.seconds(10)
    /// The time after the start until the node is ready without a complete list.
    static let readyLimit = Duration.seconds(10)
    /// The time limits for an update, for one with a list from the first name on, and for writing an object.
    static let updateLimit = Duration.seconds(10)
    static let wholeLimit = Duration.seconds(60)
    static let writeLimit = Duration.seconds(5)
    /// The time without an answer of the far store, or of another node, after which this one is not ready. Also the time
    /// without a complete list, after which far results are no longer read.
    static let silence = Duration.seconds(30)
    /// The pause between two lists from the first name on, which also delete old objects, in seconds.
    static let wholeInterval = 3600.0

    /// A random number by which the node recognizes itself among the others.
    let number: ByteString
    private let control: PurgeControl
    private let bucket: BucketFeed?
    private let peers: (any PurgePeers)?
    private let clock: any Clock<Duration>
    private let time: Stopwatch
    private let wallClock: WallClock
    private let report: @Sendable (String) -> Void
    private let repeated: RepeatedReports
    private let state = Locked(State())
    /// One update at a time.
    private let turn = Limiter(limit: 1)
    private let tasks = Locked<[Task<Void, Never>]>([])

    private struct State {
        var isComplete = false
        /// Whether the node is ready without a complete list.
        var hasWaited = false
        /// The last times of an answer by the far store or another node, of a complete list of either, and of one of the far
        /// store.
        var (heard, current, listed) = (Duration.zero, Duration.zero, Duration.zero)
        /// The objects of the last whole list of the far store that are to be removed.
        var old: [PurgeID] = []
        /// Whether the last list of the far store has failed.
        var hasFailed = false
        /// The seconds by which the far store's clock is ahead, if purges do not take that into account.
        var skew: Double?
        /// The time of the last name in the far store, of its last list from the first name on, and of the last note that
        /// the list is complete, in seconds since 1970.
        var (lastTime, lastWhole, lastNote) = (0.0, -Double.infinity, 0.0)
        /// The nodes' numbers of the last purges that were learnt from them.
        var places: [NodeAddress: PurgePage.Place] = [:]
        /// The purges that were written into the far store since the last update.
        var written: [Purge] = []
    }

    init(_ control: PurgeControl, _ basis: ServerBasis, peers: (any PurgePeers)?, bucket: BucketFeed?) {
        (self.control, self.peers, self.bucket) = (control, peers, bucket)
        (clock, wallClock, report) = (basis.clock, basis.wallClock, basis.report)
        time = Stopwatch(basis.clock)
        repeated = RepeatedReports(basis.report, wallClock: basis.wallClock)
        number = ByteString((0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 16) }.joined())
        bucket?.setReadable(false)
        if isUsed { control.list.hide(before: wallClock.now) }
    }

    deinit { stop() }

    private var isUsed: Bool { bucket != nil || peers != nil }

    func start() {
        guard isUsed else { return }
        let listing = bucket.map { _ in
            Task.detached { [weak self, clock] in
                repeat { await self?.updateFromBucket() } while await clock.slept(for: Self.interval)
            }
        }
        let asking = peers.map { _ in
            Task.detached { [weak self, clock] in
                repeat { await self?.updateFromNodes() } while await clock.slept(for: Self.interval)
            }
        }
        let waiting = Task.detached { [weak self, clock] in
            if await clock.slept(for: Self.readyLimit) { self?.state.withLock { $0.hasWaited = true } }
        }
        tasks.withLock { $0 = [waiting] + [listing, asking].compactMap(\.self) }
    }

    func stop() {
        for task in tasks.withLock({ $0 }) { task.cancel() }
    }

    // MARK: State

    /// Whether the list has all purges of the fleet, as far as another node may rely on it: not on what this one knows from
    /// others, which may in turn rely on it.
    var isComplete: Bool {
        let elapsed = time.elapsed()
        return state.withLock { $0.isComplete && (bucket == nil || elapsed - $0.listed <= Self.silence) }
    }

    /// The reason why load balancers are to send no requests; `nil` if they may.
    var unreadiness: String? {
        guard isUsed else { return nil }
        let elapsed = time.elapsed()
        return state.withLock { state in
            if !state.isComplete && !state.hasWaited { return "the purges of other nodes are not known yet" }
            if let skew = state.skew { return Self.text(ofSkew: skew) }
            // Without the far store, a purge that does not reach a node is a failure. Without other nodes, all would end
            // their service together with the far store.
            guard bucket != nil, peers != nil, elapsed - state.heard > Self.silence else { return nil }
            return "neither another node nor the far store has answered for \(Self.silence.text)"
        }
    }

    private static func text(ofSkew skew: Double) -> String {
        "the clock is \(Int(saturating: abs(skew))) s \(skew > 0 ? "behind" : "ahead of") that of the far store: purges "
            + "take \(Int(Purge.clockReach)) s into account"
    }

    // MARK: Updates

    /// Learns the purges of other nodes, and writes those that this store owes.
    func update() async {
        async let near: Void = updateFromNodes()
        await updateFromBucket()
        await near
    }

    private func updateFromNodes() async {
        guard let peers else { return }
        let begun = wallClock.now
        await learnAbsence(at: begun)
        let nodes = await pull(peers)
        let now = time.elapsed()
        await conclude(begun, isCurrent: nodes.isComplete) { state in
            if nodes.hasAnswered { state.heard = now }
            if nodes.isComplete { state.current = now }
            if nodes.isComplete || nodes.isWhole { state.isComplete = true }
        }
    }

    private func updateFromBucket() async {
        guard let bucket else { return }
        do throws(Interruption) { try await turn.enter() } catch { return }
        defer { turn.leave() }
        let begun = wallClock.now
        await learnAbsence(at: begun)
        let isListed = await pull(bucket, begun)
        let now = time.elapsed()
        await conclude(begun, isCurrent: isListed) { state in
            state.hasFailed = !isListed
            if isListed { (state.heard, state.current, state.listed, state.isComplete) = (now, now, now, true) }
        }
        await publishOwed()
        await removeOld(bucket)
    }

    /// Takes note of the outcome of an update, and shows what it permits.
    private func conclude(_ begun: Double, isCurrent: Bool, _ change: (inout State) -> Void) async {
        guard !Task.isCancelled else { return }
        let elapsed = time.elapsed()
        let (isComplete, isReadable) = state.withLock { state in
            change(&state)
            return (state.isComplete, state.isComplete && elapsed - state.current <= Self.silence)
        }
        if isComplete { control.list.hide(before: nil) }
        bucket?.setReadable(isReadable)
        if isCurrent { await note(begun) }
    }

    /// The purges are gone that a node has missed which was away for longer than they last.
    private func learnAbsence(at now: Double) async {
        let oldest = now - (bucket?.age ?? control.memory)
        guard control.heardBefore > 0, control.heardBefore < oldest, state.withLock({ $0.lastNote == 0 }) else {
            return
        }
        _ = await control.learn([Purge(.all, isHard: true, id: PurgeID(time: oldest, number: 0), learnt: oldest)])
    }

    private func note(_ begun: Double) async {
        guard state.withLock({ abs(begun - $0.lastNote) >= PurgeControl.lateness }) else { return }
        state.withLock { $0.lastNote = begun }
        await control.note(heard: begun)
    }

    // MARK: The far store

    /// - Returns: Whether the far store's list was read.
    private func pull(_ bucket: BucketFeed, _ begun: Double) async -> Bool {
        let isWhole = state.withLock { abs(begun - $0.lastWhole) >= Self.wholeInterval }
        do throws(TransportError) {
            try await limited(isWhole ? Self.wholeLimit : Self.updateLimit) { [self] () throws(TransportError) in
                try await learn(bucket, begun, isWhole: isWhole)
            }
            if state.withLock({ $0.hasFailed }) { repeated.add("the purges in the far store can be read again") }
            return true
        } catch {
            if error.code != .cancelled { repeated.add("the purges in the far store cannot be read: \(error)") }
            return false
        }
    }

    private func learn(
        _ bucket: BucketFeed, _ begun: Double, isWhole: Bool
    ) async throws(TransportError) {
        let start = isWhole ? nil : state.withLock { min($0.lastTime, begun) - PurgeControl.lateness }
        let names = try await bucket.names(from: start, now: begun)
        noteDate(names.date, since: begun)
        // A purge of everything stands for the purges beyond the limit.
        func all(_ id: PurgeID) -> Purge { Purge(.all, isHard: true, id: id, learnt: begun) }
        var isLearnt = true
        if let dropped = names.dropped { isLearnt = await control.learn([all(dropped)]) }
        var unread = names.ids.filter { !control.list.covers(all($0)) }[...]
        var reading = BucketFeed.Reading()
        var damaged: [PurgeID] = []
        while !unread.isEmpty, reading.failure == nil {
            reading = await bucket.purges(unread.prefix(512))
            unread = unread.dropFirst(512)
            isLearnt = await control.learn(reading.purges) && isLearnt
            damaged += reading.damaged
        }
        noteDamage(of: damaged)
        await settle(names.ids)
        if let failure = reading.failure { throw failure }
        guard isLearnt else { throw TransportError(.other, "they cannot be kept") }
        state.withLock { state in
            state.lastTime = max(state.lastTime, names.ids.last?.time ?? 0)
            if isWhole { (state.lastWhole, state.old) = (begun, names.old) }
        }
    }

    private func noteDate(_ date: Double?, since begun: Double) {
        guard let date else { return }
        // The answer's date is in whole seconds, and of a time between the request and now.
        let ahead = date - wallClock.now, behind = date + 1 - begun
        let skew = ahead > Purge.clockReach ? ahead : behind < -Purge.clockReach ? behind : nil
        state.withLock { $0.skew = skew }
        if let skew { repeated.add(Self.text(ofSkew: skew)) }
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
    private func removeOld(_ bucket: BucketFeed) async {
        let ids = state.withLock { state in
            defer { state.old = [] }
            return state.old
        }
        guard !ids.isEmpty else { return }
        do throws(TransportError) {
            try await limited(Self.wholeLimit) { () throws(TransportError) in try await bucket.remove(ids) }
        } catch {
            if error.code != .cancelled { repeated.add("old purges stay in the far store: \(error)") }
        }
    }

    // MARK: Purges that the far store lacks

    /// Writes the object of a purge. One that cannot be written is tried again at each update.
    ///
    /// - Returns: The reason why it is not written; `nil` if it is.
    func publish(_ purge: Purge) async -> String? {
        guard let bucket else { return nil }
        do throws(TransportError) {
            try await limited(Self.writeLimit) { () throws(TransportError) in try await bucket.publish(purge) }
            state.withLock { $0.written.append(purge) }
            return nil
        } catch {
            return error.message
        }
    }

    /// Notes the purges that the far store has, because this node wrote or listed them.
    private func settle(_ ids: [PurgeID]) async {
        let listed = Set(ids),
            written = state.withLock { state in
                defer { state.written = [] }
                return Set(state.written.map(\.id))
            }
        await control.settle(
            control.list.purges.filter { $0.isOwed && (listed.contains($0.id) || written.contains($0.id)) })
    }

    private func publishOwed() async {
        guard bucket != nil else { return }
        await settle([])
        for purge in control.list.purges where purge.isOwed {
            // Other nodes list the names of the last minute alone.
            let isLate = wallClock.now > purge.id.time + PurgeControl.lateness / 2
            let latest = isLate ? Purge(purge.target, isHard: purge.isHard, at: wallClock.now) : purge
            if let failure = await publish(latest) {
                if !Task.isCancelled { repeated.add("a purge is not in the far store yet: \(failure)") }
                return
            }
            await control.settle([purge], replacedBy: isLate ? [latest] : [])
        }
    }

    private func limited(
        _ limit: Duration, _ work: @escaping @Sendable () async throws(TransportError) -> Void
    ) async throws(TransportError) {
        let late = TransportError(.timedOut, "the far store did not answer within \(limit.text)")
        try await withTimeout(limit, clock: clock, timedOut: late, cancelled: .cancelled, work: work)
    }

    // MARK: Other nodes

    private struct Nodes {
        var hasAnswered = false
        /// Whether a node has sent its whole list, which is complete.
        var isComplete = false
        /// Whether all nodes have sent their whole lists.
        var isWhole = false
    }

    private func pull(_ peers: any PurgePeers) async -> Nodes {
        var nodes = Nodes()
        // More than the pages of a full list.
        for _ in 0..<512 {
            let answers = await peers.purges(after: state.withLock { $0.places }, from: number)
            let pages = answers.compactMap { answer in answer.page.map { (answer.node, $0) } }
            guard await control.learn(pages.flatMap(\.1.purges)) else { return nodes }
            state.withLock { for (node, page) in pages { $0.places[node] = page.place } }
            nodes.hasAnswered = answers.contains { $0.hasAnswered }
            nodes.isComplete = pages.contains { $0.1.isEnd && $0.1.isComplete }
            guard pages.contains(where: { !$0.1.isEnd }) else {
                nodes.isWhole = !answers.isEmpty && answers.allSatisfy { $0.page != nil || $0.isSelf }
                return nodes
            }
        }
        return nodes
    }
}
