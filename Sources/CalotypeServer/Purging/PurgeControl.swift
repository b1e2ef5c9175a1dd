import CalotypeBase
import CalotypeHTTP
import CalotypeStore
import Foundation

/// The purges of a server: takes new ones, learns those of other processes, and has their entries deleted.
final class PurgeControl: Sendable {
    /// The pause between two looks at the file, a fraction of the time within which a purge is in force everywhere.
    static let interval = Duration.milliseconds(250)
    /// The number of attempts to read the file, a second's, after which its purges are taken for those of everything.
    static let attempts = 4
    /// The time after a purge until its entries are deleted, in seconds, so that many purges cause one sweep. Also the
    /// pause after a sweep that failed.
    static let sweepDelay = 10.0
    /// The time after which entries under a soft purge are deleted, in seconds.
    static let retention = 86_400.0

    /// The time after which purges are dropped, in seconds: that for which a store may keep results.
    let memory: Double
    /// The removals from the store of other nodes' results, or `nil` without one.
    private let removals: FarRemovals?

    let list: PurgeList
    /// The file, or `nil` if the purges last as long as the process.
    let file: PurgeFile?
    let sweep: PurgeSweep
    let wallClock: WallClock
    let report: @Sendable (String) -> Void
    /// Takes the messages that may come again at each look at the file.
    let repeated: RepeatedReports
    /// Forgets the responses in memory. Called before purges are dropped.
    let forget: @Sendable () async -> Void
    // One thread: the calls of the file block, and would wait for each other anyway.
    let thread = BlockingPool(threads: 1, queueLimit: 256)
    let state = Locked(State())
    private let watching = Locked<Task<Void, Never>?>(nil)

    struct State {
        /// The revision of the file's purges that `list` has.
        var revision = 0
        /// Purges that could not be written, or all of them without a file.
        var unwritten: [PurgeLine] = []
        /// The time of the last sweep of this process, in seconds since 1970.
        var swept = 0.0
        var isSweeping = false
        /// The time of the last sweep that failed, in seconds since 1970.
        var failedSweep = -Double.infinity
        /// The latest time of day that this process has seen, in seconds since 1970.
        var latest = 0.0
        /// Whether a new purge was older than the latest time, so that memory may have later responses that it covers.
        var isSetBack = false
        /// The number of attempts to read the file since the last success.
        var failures = 0
        /// Purges that were read too late, and are not repeated yet.
        var late: [PurgeLine] = []
    }

    /// Reads the file. Purges that cannot be read count as a hard purge of everything.
    ///
    /// - Parameters:
    ///   - path: The path of the file. If `nil`, the purges last as long as the process.
    ///   - stores: The stores whose entries are deleted.
    ///   - far: The store of other nodes' results. The default is none.
    init(
        file path: String?, _ stores: ServerStores, _ far: ObjectHTTPCacheStore? = nil, _ basis: ServerBasis,
        forget: @escaping @Sendable () async -> Void
    ) {
        memory = max(Self.retention, far?.options.age ?? 0)
        (list, wallClock, report) = (basis.purges, basis.wallClock, basis.report)
        file = path.map { PurgeFile($0, wallClock: basis.wallClock, report: basis.report) }
        sweep = PurgeSweep(disks: stores.all.map(\.disk), purges: list, wallClock: wallClock)
        let repeated = RepeatedReports(report, wallClock: wallClock)
        self.repeated = repeated
        removals = far.map { FarRemovals($0.store) { repeated.add($0) } }
        self.forget = forget
        noteTime()
        guard let file else { return }
        do throws(ServerError) {
            try file.create()
            let reading = try file.read()
            list.add(reading.lines)
            state.withLock { $0.revision = reading.revision }
        } catch {
            report("\(error.reason): everything counts as purged")
            _ = try? purgeInMemory(.all, isHard: true)
        }
    }

    deinit { stop() }

    func stop() { watching.withLock { $0?.cancel() } }

    /// Looks at the file, and deletes entries, until ``stop()`` or the end of this object.
    func start(_ clock: any Clock<Duration>) {
        let task = Task.detached { [weak self] in
            while (try? await clock.sleep(for: Self.interval)) != nil { await self?.update() }
        }
        watching.withLock { $0 = task }
    }

    /// The purges in force, and the time at which the last sweep began, in seconds since 1970.
    func purges() async -> (lines: [PurgeLine], lastSweep: Double) {
        let lastSweep = try? await thread.run { [file] () throws(Interruption) in file?.lastSweep }
        return (list.lines, lastSweep ?? state.withLock { $0.swept })
    }

    // MARK: New purges

    /// Puts a purge in force: in this process at once, in others within a second.
    ///
    /// - Throws: 429 for too many purges. 500 if the purge cannot be recorded: it is in force in this process alone.
    func purge(_ target: PurgeTarget, isHard: Bool) async throws(ServerError) -> PurgeLine {
        defer { if isHard, target.kind == .source { removals?.remove(pagesOf: target.url) } }
        guard let file else { return try purgeInMemory(target, isHard: isHard) }
        do throws(ServerError) {
            return try await thread.run { [self] () throws(ServerError) in
                try write(target, isHard: isHard, isRepeated: false, to: file)
            }
        } catch {
            guard error.status == 500 else { throw error }
            _ = try purgeInMemory(target, isHard: isHard)
            throw ServerError(
                500, "the purge is in force in this process alone, and ends with it", reason: error.reason)
        }
    }

    private func purgeInMemory(_ target: PurgeTarget, isHard: Bool) throws(ServerError) -> PurgeLine {
        let line = PurgeLine(time: wallClock.now, target, isHard: isHard)
        let isAdded = state.withLock { state in
            guard state.unwritten.count < PurgeFile.lineLimit else { return false }
            state.unwritten.append(line)
            return true
        }
        guard isAdded else { throw .tooManyPurges }
        putInForce([line])
        return line
    }

    private func write(
        _ target: PurgeTarget, isHard: Bool, isRepeated: Bool, to file: PurgeFile
    ) throws(ServerError) -> PurgeLine {
        let line = try file.append(target, isHard: isHard, isRepeated: isRepeated) { addNew($0) }
        // The disk was slow: this process may have made results of the old source when the times no longer cover them.
        if !isRepeated, wallClock.now > line.coveredUntil {
            return try write(target, isHard: isHard, isRepeated: true, to: file)
        }
        return line
    }

    // MARK: Putting purges in force

    /// Puts purges in force that no file has. Beyond the limit of purges, one of everything stands for them.
    func addUnwritten(_ lines: [PurgeLine]) {
        let added = state.withLock { state in
            let fits = state.unwritten.count + lines.count <= PurgeFile.lineLimit
            let added = fits ? lines : [PurgeLine(time: wallClock.now, .all, isHard: true)]
            state.unwritten += added
            return added
        }
        putInForce(added)
    }

    @discardableResult
    func addNew(_ lines: [PurgeLine]) -> [PurgeLine] {
        let known = Set(list.lines)
        let new = lines.filter { !known.contains($0) }
        putInForce(new)
        return new
    }

    private func putInForce(_ lines: [PurgeLine]) {
        list.add(lines)
        state.withLock { state in
            if lines.contains(where: { $0.coveredUntil < state.latest }) { state.isSetBack = true }
        }
    }

    private func noteTime() {
        let now = wallClock.now
        state.withLock { $0.latest = max($0.latest, now) }
    }

    // MARK: Purges of other processes

    /// Learns the changes of the file, then deletes entries if that is due.
    func update() async {
        noteTime()
        if let file { await learn(file) }
        await sweepIfDue()
    }

    private func learn(_ file: PurgeFile) async {
        do throws(ServerError) {
            let (gone, revision) = try await thread.run { [self] () throws(ServerError) in try changes(of: file) }
            await drop(gone)
            state.withLock { ($0.failures, $0.revision) = (0, revision) }
        } catch {
            if error != .cancelled { noteFailure(error) }
        }
    }

    /// Purges everything in this process after a second in which the file could not be read: it may have any purge.
    private func noteFailure(_ error: ServerError) {
        let failures = state.withLock { state in
            state.failures += 1
            return state.failures
        }
        guard failures == Self.attempts else { return }
        report("\(error.reason): everything counts as purged")
        _ = try? purgeInMemory(.all, isHard: true)
    }

    /// Puts the new purges of the file in force. Runs on the thread on which this process appends purges.
    ///
    /// - Returns: The purges that are no longer in the file, and the file's revision.
    func changes(of file: PurgeFile) throws(ServerError) -> (gone: Set<PurgeLine>, revision: Int) {
        let before = list.lines
        let reading = try file.read()
        guard reading.revision != state.withLock({ $0.revision }) else {
            try repeatLate([], in: file)
            return ([], reading.revision)
        }
        try repeatLate(addNew(reading.lines), in: file)
        let unwritten = state.withLock { $0.unwritten }
        return (Set(before).subtracting(reading.lines).subtracting(unwritten), reading.revision)
    }

    /// Repeats purges that were read too late: until now, this process made results without regard to them. If the file
    /// has no room, they are repeated in this process alone, whose sweep deletes those results.
    private func repeatLate(_ lines: [PurgeLine], in file: PurgeFile) throws(ServerError) {
        let now = wallClock.now
        state.withLock { $0.late += lines.filter { !$0.isRepeated && $0.coveredUntil < now } }
        while let line = state.withLock({ $0.late.first }) {
            do throws(ServerError) {
                _ = try write(line.target, isHard: line.isHard, isRepeated: true, to: file)
            } catch {
                guard error.status == 429 else { throw error }
                _ = try purgeInMemory(line.target, isHard: line.isHard)
            }
            state.withLock { _ = $0.late.removeFirst() }
            repeated.add("a purge was read more than a second after it was made, and is repeated")
        }
    }

    /// Drops purges. Entries in memory that they cover are forgotten first.
    func drop(_ gone: Set<PurgeLine>) async {
        guard !gone.isEmpty else { return }
        await forget()
        list.remove(gone)
    }
}
