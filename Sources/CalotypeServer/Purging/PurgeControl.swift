import CalotypeBase
import CalotypeStore
import Foundation

/// The purges of a server's store: takes new ones, learns those of other processes and nodes, and has their entries deleted.
final class PurgeControl: Sendable {
    /// The pause between two looks at the table, a fraction of the time within which a purge is in force everywhere.
    static let interval = Duration.milliseconds(250)
    /// The number of attempts to read the table, a second's, after which its purges are taken for those of everything.
    static let attempts = 4

    let list: PurgeList
    /// The table, or `nil` if the purges last as long as the process.
    private let table: PurgeTable?
    let sweep: PurgeSweep
    private let wallClock: WallClock
    private let report: @Sendable (String) -> Void
    /// Takes the messages that may come again at each look at the table.
    private let repeated: RepeatedReports
    /// The removals from the store of other nodes' results, or `nil` without one.
    private let removals: FarRemovals?
    /// What the next call of the table writes and removes, with the places for failures.
    private let waiting = Locked<[(purges: [Purge], gone: [PurgeID], failure: Locked<ServerError?>)]>([])
    /// Purges that the table lacks, or has with an earlier time than this process, which has learnt them late.
    private let late = Locked<[Purge]>([])
    /// The time until which the store had the purges of all nodes at the start, in seconds since 1970.
    let heardBefore: Double
    /// The number of attempts to read the table since the last success.
    private let failures = AtomicInteger(0)
    private let watching = Locked<Task<Void, Never>?>(nil)
    /// The time of the last look at the table, in nanoseconds of `time`.
    private let looked = AtomicInteger(0)
    private let time: Stopwatch
    private let turn = Limiter(limit: 1)

    /// Reads the table. Purges that cannot be read count as a hard purge of everything.
    ///
    /// - Parameters:
    ///   - folder: The folder of the stores. If `nil`, the purges last as long as the process.
    ///   - stores: The stores whose entries are deleted.
    ///   - far: The store of other nodes' results. The default is none.
    ///   - forget: Forgets the responses in memory.
    init(
        inStore folder: String?, _ stores: ServerStores, _ far: ObjectHTTPCacheStore? = nil, _ basis: ServerBasis,
        forget: @escaping @Sendable () async -> Void
    ) {
        let (list, report, wallClock) = (basis.purges, basis.report, basis.wallClock)
        let repeated = RepeatedReports(report, wallClock: wallClock)
        let table = folder.map {
            PurgeTable(
                inStore: $0, isNewStore: stores.isNew, wallClock: wallClock, known: { list.purges }, report: report)
        }
        (self.list, self.table, self.wallClock, self.report) = (list, table, wallClock, report)
        (self.repeated, time) = (repeated, Stopwatch(basis.clock))
        removals = far.map { FarRemovals($0.store) { repeated.add($0) } }
        sweep = PurgeSweep(
            stores.all.map(\.disk), list, memory: max(PurgeSweep.retention, far?.options.age ?? 0),
            wallClock: wallClock, table: table, report: { repeated.add($0) }, forget: forget)
        guard let table else {
            heardBefore = wallClock.now
            return
        }
        do throws(ServerError) {
            let changes = try table.look()
            heardBefore = table.heard
            list.set(changes.purges)
            sweep.note(sweptAt: changes.swept)
        } catch {
            heardBefore = 0
            purgeEverything(error)
        }
    }

    deinit { stop() }

    func stop() { watching.withLock { $0?.cancel() } }

    /// Looks at the table, and deletes entries, until ``stop()`` or the end of this object. A deletion may take minutes, in
    /// which the looks go on.
    func start(_ clock: any Clock<Duration>) {
        let task = Task.detached { [weak self, sweep] in
            await withDiscardingTaskGroup { group in
                while await clock.slept(for: Self.interval) {
                    await self?.look()
                    group.addTask { await sweep.runIfDue() }
                }
            }
        }
        watching.withLock { $0 = task }
    }

    /// The time at which the last sweep began, in seconds since 1970.
    var lastSweep: Double { sweep.last }

    var now: Double { wallClock.now }

    /// The time after which purges end, in seconds: that for which a store may keep results.
    var memory: Double { sweep.memory }

    // MARK: New purges

    /// Puts a purge in force: in this process at once, in others within a second.
    ///
    /// - Parameters:
    ///   - time: The time of its identity, on the clock of the fleet. The default, `nil`, is now.
    ///   - isOwed: Whether the far store is to get the purge from this store. The default is `false`.
    /// - Throws: 429 for too many purges. 500 or 503 if the purge cannot be recorded: it is in force in this process alone.
    @discardableResult
    func purge(
        _ target: PurgeTarget, isHard: Bool, at time: Double? = nil, isOwed: Bool = false
    ) async throws(ServerError) -> Purge {
        let gone = try list.makeRoom(for: target)
        let now = wallClock.now
        var purge = Purge(target, isHard: isHard, id: PurgeID(time: time ?? now), learnt: now)
        purge.isOwed = isOwed
        defer { if isHard, target.kind == .source { removals?.remove(pagesOf: target.url) } }
        try await keep([purge], removing: gone)
        return purge
    }

    // MARK: Purges of other nodes

    /// Puts purges of other nodes in force. They cover what is requested until now, because this store has made results
    /// without regard to them. Those from before the store cover no more than results of the far store.
    ///
    /// - Parameter areNew: Whether they were taken now, whatever the clock of their node shows. The default is `false`.
    /// - Throws: 500 or 503 if they cannot be recorded yet: until then, they are in force in this process alone.
    func learn(_ others: [Purge], areNew: Bool = false) async throws(ServerError) {
        let now = wallClock.now
        let unwritten = Set(late.withLock { $0.map(\.id) })
        let new = others.filter { purge in
            unwritten.contains(purge.id) || !(areNew ? list.contains(purge.id) : list.covers(purge))
        }.map { purge in
            var purge = purge
            let isOlder = !areNew && purge.id.time < heardBefore - Purge.lateness
            purge.learnt = isOlder ? purge.id.time + Purge.clockReach - Purge.reach : now
            return purge
        }
        guard !new.isEmpty else { return }
        do throws(ServerError) { try await keep(new) } catch {
            late.withLock { $0 += new }
            if error != .cancelled { repeated.add(error.reason) }
            throw error
        }
    }

    /// Notes that the far store has purges, or that others stand for them.
    func settle(_ settled: [Purge], replacedBy others: [Purge] = []) async {
        guard !settled.isEmpty else { return }
        let changed = settled.map { purge in
            var purge = purge
            purge.isOwed = false
            return purge
        }
        putInForce(changed + others)
        await record { table throws(ServerError) in
            self.take(try table.write(new: others, changed: changed), from: table)
        }
    }

    /// Takes note of the time until which the store has the purges of all nodes, in seconds since 1970.
    func note(heard time: Double) async {
        guard late.withLock({ $0.isEmpty }) else { return }
        await record { table throws(ServerError) in try table.note(heard: time) }
    }

    // MARK: The table

    /// Puts new purges in force, and writes them, together with all that wait for the table.
    private func keep(_ purges: [Purge], removing gone: [Purge] = []) async throws(ServerError) {
        // At once, so that only other processes have to learn them.
        putInForce(purges)
        guard let table else { return }
        let failure = Locked<ServerError?>(nil)
        waiting.withLock { $0.append((purges, gone.map(\.id), failure)) }
        do throws(ServerError) {
            try await table.run { [self] table throws(ServerError) in
                writeWaiting(table)
                if let error = failure.withLock({ $0 }) { throw error }
            }
        } catch {
            guard error != .cancelled else { throw error }
            throw ServerError(
                error.status == 503 ? 503 : 500, "the purge is in force in this process alone, and ends with it",
                reason: error.reason, retryAfter: error.retryAfter)
        }
    }

    private func writeWaiting(_ table: PurgeTable) {
        let batch = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        guard !batch.isEmpty else { return }
        do throws(ServerError) {
            take(try table.write(new: batch.flatMap(\.purges), gone: batch.flatMap(\.gone)), from: table)
        } catch {
            for other in batch { other.failure.withLock { $0 = error } }
        }
    }

    private func putInForce(_ purges: [Purge]) {
        sweep.note(purges)
        list.set(purges)
    }

    private func record(_ body: @escaping @Sendable (PurgeTable) throws(ServerError) -> Void) async {
        do throws(ServerError) { try await table?.run(body) } catch {
            if error != .cancelled { repeated.add(error.reason) }
        }
    }

    // MARK: Purges of other processes

    /// Whether another process may have taken a purge more than a second ago: this one has not looked since, because it was
    /// stopped, or could not.
    var isBehind: Bool {
        table != nil && time.nanoseconds - looked.load() > Self.patience
    }

    private static let patience = Int(Purge.reach * 1e9)

    /// Looks at the table if this process is behind.
    func catchUp() async {
        do throws(Interruption) { try await turn.enter() } catch { return }
        defer { turn.leave() }
        if isBehind { await look() }
    }

    /// Learns the changes of the table.
    func look() async {
        let begun = time.nanoseconds
        defer { looked.store(begun) }
        sweep.noteTime()
        do throws(ServerError) {
            try await table?.run { [self] table throws(ServerError) in take(try table.look(), from: table) }
            failures.store(0)
        } catch {
            // Until then, the purges that are known stay in force.
            if error != .cancelled, failures.add(1) == Self.attempts { purgeEverything(error) }
        }
    }

    /// Purges everything in this process: the table may have any purge.
    private func purgeEverything(_ error: ServerError) {
        report("\(error.reason): everything counts as purged")
        putInForce([Purge(.all, isHard: true, at: wallClock.now)])
    }

    /// Puts the table's changes in force. Those that this process learns late cover what is requested until now, because
    /// until now it made results without regard to them. Runs on the thread on which this process writes purges.
    private func take(_ changes: PurgeTable.Changes, from table: PurgeTable) {
        let now = wallClock.now
        let unread = changes.purges.filter {
            $0.nearUntil < now && $0.id.time >= heardBefore - Purge.lateness && !list.contains($0.id)
        }.map { purge in
            var purge = purge
            purge.learnt = now
            return purge
        }
        putInForce(changes.purges + unread)
        sweep.note(sweptAt: changes.swept)
        let late = late.withLock { late in
            late += unread
            return late
        }
        guard !late.isEmpty else { return }
        if !unread.isEmpty {
            repeated.add("a purge was read more than a second after it was made, and covers what was made until then")
        }
        do throws(ServerError) {
            let more = try table.write(changed: late)
            self.late.withLock { $0.removeFirst(late.count) }
            take(more, from: table)
        } catch {
            repeated.add(error.reason)
        }
    }
}

extension ServerError {
    static let tooManyPurges = ServerError(
        429, "there are too many purges (\(PurgeList.limit)): purge a prefix, or everything")
}
