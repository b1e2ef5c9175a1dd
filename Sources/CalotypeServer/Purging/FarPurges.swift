import CalotypeBase
import CalotypeHTTP
import Foundation

/// The purges of all nodes, as objects of the far store.
///
/// Each node writes an object for a purge that it takes, and lists those of the others every ten seconds. The objects
/// judge far results, for as long as the far store keeps these; purges that the node did not know yet become purges of
/// its own stores, too.
final class FarPurges: Sendable {
    /// The pause between two lists.
    static let interval = Duration.seconds(10)
    /// The time after the start until the node is ready without a list.
    static let readyLimit = Duration.seconds(10)
    /// The time limits for an update, for one with a list from the first name on, and for writing an object.
    static let updateLimit = Duration.seconds(10)
    static let wholeLimit = Duration.seconds(60)
    static let writeLimit = Duration.seconds(5)
    /// The number of failed updates in a row after which far results are no longer read.
    static let attempts = 3
    /// A list begins this many seconds before the last name: a clock may be late, and an object, too.
    static let overlap = 60.0
    /// The number of names up to which each new one is kept at once.
    static let keptEach = 256
    /// The pause between two lists from the first name on, which also delete old objects, in seconds.
    static let wholeInterval = 3600.0

    /// The purges that judge far results.
    let list: PurgeList
    private let objects: PurgeObjects
    private let control: PurgeControl
    private let clock: any Clock<Duration>
    private let wallClock: WallClock
    private let report: @Sendable (String) -> Void
    private let repeated: RepeatedReports
    private let book: Locked<FarPurgeBook>
    /// One update at a time.
    private let turn = Limiter(limit: 1)
    private let prepared = AtomicInteger(0)
    private let failures = AtomicInteger(0)
    private let tasks = Locked<[Task<Void, Never>]>([])

    /// Returns `nil` without objects.
    init?(_ objects: PurgeObjects?, _ control: PurgeControl, _ basis: ServerBasis, isNewStore: Bool) {
        guard let objects else { return nil }
        (self.objects, self.control, list) = (objects, control, basis.farPurges)
        (clock, wallClock, report) = (basis.clock, basis.wallClock, basis.report)
        repeated = RepeatedReports(report, wallClock: wallClock)
        // A new store has nothing that an earlier purge could cover.
        let known = isNewStore ? KnownFarPurges(until: wallClock.now) : control.knownFarPurges
        var purges = FarPurgeBook(known, overlap: Self.overlap)
        let oldest = wallClock.now - objects.age
        // Objects of purges before that time are gone.
        if known.until > 0, known.until < oldest {
            _ = purges.add([(FarPurgeName(time: oldest), PurgeLine(time: oldest, .all, isHard: true))])
        }
        book = Locked(purges)
        objects.setReadable(false)
    }

    deinit { stop() }

    /// Whether load balancers may send requests: after the first whole list, or ten seconds without one.
    var isPrepared: Bool { prepared.load() == 1 }

    func start() {
        let listing = Task.detached { [weak self, clock] in
            repeat { await self?.update() } while await clock.slept(for: Self.interval)
        }
        let patience = Task.detached { [weak self, clock] in
            if await clock.slept(for: Self.readyLimit) { self?.prepared.store(1) }
        }
        tasks.withLock { $0 = [listing, patience] }
    }

    func stop() {
        for task in tasks.withLock({ $0 }) { task.cancel() }
    }

    // MARK: Purges that reach this node first

    /// Puts a purge in force for far results at once. Its object is not read any more.
    func note(_ line: PurgeLine, _ name: FarPurgeName) {
        add([(name, covering(line))])
        book.withLock { _ = $0.knownNear.insert(name) }
    }

    /// Keeps the names of the purges that the near stores have beside these, so that the node does not learn them again
    /// after a restart.
    private func keepKnown() async { await control.note(book.withLock { $0.known }) }

    /// Keeps the name of a purge that has reached this node first. Of very many, the next list keeps the names: each call
    /// writes all of the last minute.
    func keepNoted() async {
        if book.withLock({ $0.known.names.count }) <= Self.keptEach { await keepKnown() }
    }

    /// Writes the object of a purge that this node has taken. One that cannot be written is tried again at each update.
    ///
    /// - Returns: The reason why it is not written; `nil` if it is.
    func write(_ line: PurgeLine, _ name: FarPurgeName) async -> String? {
        do throws(TransportError) {
            try await limited(Self.writeLimit) { [objects] () throws(TransportError) in
                try await objects.store(line, name)
            }
            return nil
        } catch {
            book.withLock { $0.noteUnwritten(line, name) }
            return error.message
        }
    }

    // MARK: Lists

    /// Learns the purges of other nodes, after writing those that this one has taken.
    func update() async {
        do throws(Interruption) { try await turn.enter() } catch { return }
        defer { turn.leave() }
        let begun = wallClock.now
        let isWhole = book.withLock { abs(begun - $0.lastWhole) >= Self.wholeInterval }
        do throws(TransportError) {
            try await limited(isWhole ? Self.wholeLimit : Self.updateLimit) { [self] () throws(TransportError) in
                try await learn(begun, isWhole: isWhole)
            }
            if failures.load() > 0 { repeated.add("the purges in the far store can be read again") }
            failures.store(0)
            prepared.store(1)
            objects.setReadable(true)
            if isWhole { await removeOld(at: begun) }
        } catch {
            guard error.code != .cancelled else { return }
            if failures.add(1) >= Self.attempts { objects.setReadable(false) }
            repeated.add("the purges in the far store cannot be read: \(error)")
        }
    }

    private func learn(_ begun: Double, isWhole: Bool) async throws(TransportError) {
        await writeUnwritten()
        let start = isWhole ? nil : book.withLock { min($0.lastTime, begun) - Self.overlap }
        let found = try await listed(from: start)
        let new = book.withLock { $0.unread(found.names, beyond: found.dropped) }
        // A purge of everything in place of those that are too many.
        add([])
        let failure = await read(new)
        await learnNear(begun, isComplete: failure == nil)
        if let failure { throw failure }
        book.withLock { book in
            book.lastTime = max(book.lastTime, found.names.last?.time ?? 0)
            if isWhole { (book.lastWhole, book.old) = (begun, found.old) }
        }
    }

    /// Writes the objects that could not be written before. A failure does not keep the node from learning purges.
    private func writeUnwritten() async {
        do throws(TransportError) {
            for (name, line) in book.withLock({ $0.unwritten }) {
                var (purge, written) = (line, name)
                // Other nodes list the names of the last minute alone.
                if wallClock.now > name.time + Self.overlap / 2 {
                    purge = PurgeLine(time: wallClock.now, line.target, isHard: line.isHard)
                    written = FarPurgeName(time: purge.time)
                }
                try await limited(Self.writeLimit) { [objects, purge, written] () throws(TransportError) in
                    try await objects.store(purge, written)
                }
                if written != name { note(purge, written) }
                book.withLock { $0.unwritten[name] = nil }
            }
        } catch {
            if error.code != .cancelled { repeated.add("a purge is not in the far store yet: \(error)") }
        }
    }

    private struct Found {
        var names: [FarPurgeName] = []
        /// The last of the names that are too many.
        var dropped: FarPurgeName?
        /// Names that are older than far results, at most 1,000.
        var old: [FarPurgeName] = []
    }

    /// Lists the names from a time on; all of them without one.
    private func listed(from start: Double?) async throws(TransportError) -> Found {
        var found = Found()
        var last = start.map { "\(objects.folder)\(FarPurgeName.beginning(at: $0))" as ByteString }
        let end = wallClock.now - objects.age
        while true {
            let page = try await objects.objects.list(objects.folder, after: last)
            for text in page.names where text.hasPrefix(objects.folder) {
                // The folder itself is an object in some stores. Other names are none that a node has written.
                guard let name = FarPurgeName(text.dropFirst(objects.folder.count)) else { continue }
                if name.time + PurgeLine.clockReach >= end {
                    found.names.append(name)
                } else if found.old.count < 1000 {
                    found.old.append(name)
                }
            }
            let surplus = found.names.count - FarPurgeBook.limit
            if surplus > 0 {
                found.dropped = found.names[surplus - 1]
                found.names.removeFirst(surplus)
            }
            guard let next = page.next else { return found }
            // A store that repeats itself would have no end.
            guard last.map({ $0 < next }) ?? true else {
                throw TransportError(.malformedResponse, "the list of purges does not go on")
            }
            last = next
        }
    }

    /// Reads objects, and puts their purges in force.
    ///
    /// - Returns: The first failure. The objects of the others are read all the same.
    private func read(_ names: [FarPurgeName]) async -> TransportError? {
        await withTaskGroup(of: (FarPurgeName, Result<PurgeLine?, TransportError>).self) { group in
            var rest = names.makeIterator()
            for name in (0..<16).compactMap({ _ in rest.next() }) {
                group.addTask { await self.reading(name) }
            }
            var failure: TransportError?
            var damaged: [FarPurgeName] = []
            while let (name, result) = await group.next() {
                if let next = rest.next() { group.addTask { await self.reading(next) } }
                switch result {
                case .success(let line?): add([(name, covering(line))])
                case .success(nil):
                    // It may have purged anything: it counts as a hard purge of everything, at the time in its name.
                    add([(name, covering(PurgeLine(time: name.time, .all, isHard: true)))])
                    damaged.append(name)
                case .failure(let error): failure = failure ?? error
                }
            }
            noteDamage(of: damaged)
            return failure
        }
    }

    private func noteDamage(of damaged: [FarPurgeName]) {
        guard let first = damaged.first else { return }
        report(
            damaged.count == 1
                ? "the purge \(first.text) in the far store is damaged, and counts as a hard purge of all sources"
                : "\(damaged.count) purges in the far store are damaged, such as \(first.text): each counts as a hard purge of "
                    + "all sources")
    }

    private func reading(_ name: FarPurgeName) async -> (FarPurgeName, Result<PurgeLine?, TransportError>) {
        do throws(TransportError) { return (name, .success(try await line(of: name))) } catch {
            return (name, .failure(error))
        }
    }

    /// Reads an object. Returns `nil` for a damaged one, such as one that was cut.
    private func line(of name: FarPurgeName) async throws(TransportError) -> PurgeLine? {
        let data: Data?
        do throws(TransportError) {
            data = try await objects.objects.read("\(objects.folder)\(name.text)", limit: PurgeLine.lengthLimit)
        } catch {
            guard error.code == .bodyTooLarge else { throw error }
            data = Data()
        }
        // The list of a store may be ahead of its objects, or behind them.
        guard let data else { throw TransportError(.other, "the object of a purge is listed, but absent") }
        guard data.last == 0x0A, let line = PurgeLine(data.dropLast()), name.isName(of: line) else { return nil }
        return line
    }

    /// Returns the purge for far results. One from the future is in force now. The clocks of nodes may differ.
    private func covering(_ line: PurgeLine) -> PurgeLine {
        PurgeLine(
            time: min(line.time, wallClock.now), line.target, isHard: line.isHard, reach: PurgeLine.clockReach)
    }

    private func add(_ purges: [(FarPurgeName, PurgeLine)]) {
        let change = book.withLock { $0.add(purges) }
        list.add(change.added)
        if !change.removed.isEmpty { list.remove(change.removed) }
    }

    // MARK: Near stores, and the end

    /// Puts the purges that the near stores do not have in force there.
    private func learnNear(_ begun: Double, isComplete: Bool) async {
        let new = book.withLock { $0.unknownNear }
        if !new.isEmpty {
            let isRepeated = book.withLock { Set(new.keys).isSubset(of: $0.failedNear) }
            let isKept = await control.learn(fromElsewhere: Array(new.values), isRepeated: isRepeated)
            book.withLock { book in
                book.failedNear = isKept ? [] : Set(new.keys)
                if isKept { book.knownNear.formUnion(new.keys) }
            }
            guard isKept else { return }
        }
        if isComplete {
            book.withLock { $0.knownUntil = begun }
            await keepKnown()
        }
    }

    /// Removes objects that are older than all far results, and their purges. Another node may have removed them.
    private func removeOld(at now: Double) async {
        let (gone, names) = book.withLock { ($0.removeAll(until: now - objects.age), $0.old) }
        if !gone.isEmpty { list.remove(gone) }
        do throws(TransportError) {
            try await limited(Self.wholeLimit) { [objects] () throws(TransportError) in
                for name in names { try await objects.objects.remove("\(objects.folder)\(name.text)") }
            }
        } catch {
            if error.code != .cancelled { repeated.add("old purges stay in the far store: \(error)") }
        }
    }

    private func limited(
        _ limit: Duration, _ work: @escaping @Sendable () async throws(TransportError) -> Void
    ) async throws(TransportError) {
        let late = TransportError(.timedOut, "the far store did not answer within \(limit.text)")
        try await withTimeout(limit, clock: clock, timedOut: late, cancelled: .cancelled, work: work)
    }
}
