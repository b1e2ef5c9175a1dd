package import CalotypeBase
package import CalotypeHTTPCache
import CalotypeURLs

/// The purges in force, in memory, and their judgement of a cache's keys.
///
/// A lookup takes the time of a few table lookups, one for each segment of the path, whatever the number of purges.
package final class PurgeList: Purges {
    /// The number of purges beyond which those of single sources are refused.
    static let limit = 100_000

    /// The times of the purges of one name: for results of this store, and for those of the far store.
    private struct Moments {
        var near = PurgeMoments.none, far = PurgeMoments.none

        mutating func add(_ purge: Purge) {
            near.add(purge.isHard ? PurgeMoments(absent: purge.nearUntil) : PurgeMoments(stale: purge.nearUntil))
            far.add(purge.isHard ? PurgeMoments(absent: purge.farUntil) : PurgeMoments(stale: purge.farUntil))
        }

        mutating func add(_ other: Moments) {
            near.add(other.near)
            far.add(other.far)
        }

        /// Whether these purges, learnt before, do all that the purge would do.
        func cover(_ purge: Purge, near time: Double) -> Bool {
            let (nearest, farthest) =
                purge.isHard
                ? (near.absent, far.absent) : (max(near.absent, near.stale), max(far.absent, far.stale))
            return nearest > time && farthest >= purge.farUntil
        }
    }

    private struct Tables {
        var purges: [Purge] = []
        /// The places of purges in `purges`.
        var places: [PurgeID: Int] = [:]
        /// The number of purges that were removed before `purges`.
        var removed = 0
        var sources: [ByteString: Moments] = [:]
        var prefixes: [ByteString: Moments] = [:]
        /// The purges of all sources.
        var all = Moments()
        /// All purges together, for keys whose sources cannot be read.
        var any = Moments()
        /// The time until which requested responses are absent, while the purges of other nodes are unknown.
        var hiddenUntil = -Double.infinity
        /// Whether a purge of several sources has come since the list was last made shorter.
        var mayCover = false

        /// - Returns: Whether the purge is new.
        mutating func set(_ purge: Purge) -> Bool {
            any.add(purge)
            switch purge.target.kind {
            case .source: sources[purge.target.name, default: Moments()].add(purge)
            case .prefix: prefixes[purge.target.name, default: Moments()].add(purge)
            case .all: all.add(purge)
            }
            if let place = places[purge.id] {
                purges[place] = purge
                return false
            }
            places[purge.id] = purges.count
            purges.append(purge)
            if purge.target.kind != .source { mayCover = true }
            return true
        }

        mutating func keep(_ isKept: (Purge) -> Bool) -> [Purge] {
            var (gone, tables) = ([Purge](), Tables())
            for purge in purges {
                if isKept(purge) { _ = tables.set(purge) } else { gone.append(purge) }
            }
            (tables.hiddenUntil, tables.removed, tables.mayCover) = (hiddenUntil, removed + gone.count, mayCover)
            self = tables
            return gone
        }

        func moments(of names: [SourceName]?) -> Moments {
            guard let names else { return any }
            return names.reduce(into: all) { $0.add(moments(of: $1)) }
        }

        private func moments(of source: SourceName) -> Moments {
            var moments = sources[source.text] ?? Moments()
            if !prefixes.isEmpty { moments.add(wider(source.coveringPrefixes)) }
            return moments
        }

        /// The purges of everything, and of prefixes.
        func wider(_ names: [ByteString]) -> Moments {
            names.reduce(into: all) { moments, name in
                if let found = prefixes[name] { moments.add(found) }
            }
        }
    }

    private let limit: Int
    private let tables = Locked(Tables())
    private let changes = AtomicInteger(0)
    /// Whether there is anything to judge by.
    private let isUsed = AtomicInteger(0)

    package init() { limit = Self.limit }

    /// - Parameter limit: The number of purges beyond which those of single sources are refused.
    init(limit: Int) { self.limit = limit }

    package var generation: Int { changes.load() }

    /// The purges, in the order in which they were learnt.
    var purges: [Purge] { tables.withLock { $0.purges } }

    /// Returns the purges after the first `number` ones that the list has ever had, at most a thousand.
    func purges(after number: Int) -> (purges: ArraySlice<Purge>, first: Int, isEnd: Bool) {
        tables.withLock { tables in
            // Numbers grow when purges before them are removed: then, some are sent twice.
            let found = tables.purges.dropFirst(max(number - tables.removed, 0)).prefix(1000)
            return (found, tables.removed + found.startIndex, found.endIndex == tables.purges.count)
        }
    }

    func contains(_ id: PurgeID) -> Bool { tables.withLock { $0.places[id] != nil } }

    // MARK: Judgement

    package func moments(of key: ByteString) -> PurgeMoments {
        guard isUsed.load() > 0 else { return .none }
        return moments(of: PurgedKey(key).sources)
    }

    func moments(of source: SourceName) -> PurgeMoments { isUsed.load() > 0 ? moments(of: [source]) : .none }

    private func moments(of sources: [SourceName]?) -> PurgeMoments {
        tables.withLock { tables in
            var moments = tables.moments(of: sources).near
            moments.hide(until: tables.hiddenUntil)
            return moments
        }
    }

    /// Returns the times of the purges that cover a key, for a result of the far store.
    func farMoments(of key: ByteString) -> PurgeMoments {
        guard isUsed.load() > 0 else { return .none }
        let sources = PurgedKey(key).sources
        return tables.withLock { $0.moments(of: sources).far }
    }

    // MARK: Changes

    /// Adds purges, and changes those that the list has.
    ///
    /// - Returns: The new ones.
    @discardableResult
    func set(_ purges: [Purge]) -> [Purge] {
        let changed = tables.withLock { tables in
            purges.filter { purge in tables.places[purge.id].map { tables.purges[$0] != purge } ?? true }
        }
        guard !changed.isEmpty else { return [] }
        return change { tables in changed.filter { tables.set($0) } }
    }

    /// Whether the list has what the purge would add, although this store learns it after others. What was requested
    /// since a wider purge is later than this one.
    func covers(_ purge: Purge) -> Bool {
        if contains(purge.id) { return true }
        let wider = purge.target.widerPrefixes
        return tables.withLock { $0.wider(wider).cover(purge, near: purge.id.time + Purge.clockReach) }
    }

    /// Makes room for a purge: removes those that wider ones cover, if the list is full.
    ///
    /// - Returns: The purges that were removed.
    /// - Throws: 429 if there is no room.
    func makeRoom(for target: PurgeTarget) throws(ServerError) -> [Purge] {
        // Purges of several sources are few, and end those of single ones.
        let most =
            switch target.kind {
            case .source: limit
            case .prefix: limit + limit / 10
            case .all: Int.max
            }
        let full: Tables? = tables.withLock { tables in
            guard tables.purges.count >= limit else { return nil }
            defer { tables.mayCover = false }
            return tables
        }
        guard let full else { return [] }
        let gone = full.mayCover ? removeCovered(by: full) : []
        guard tables.withLock({ $0.purges.count < most }) else { throw .tooManyPurges }
        return gone
    }

    /// Removes the purges that wider ones cover. Finds them without the lock, for which lookups would wait.
    private func removeCovered(by full: Tables) -> [Purge] {
        let covered = full.purges.filter { full.wider($0.target.widerPrefixes).cover($0, near: $0.nearUntil) }
        let times = Dictionary(covered.map { ($0.id, $0.learnt) }) { $1 }
        // One that has been learnt late meanwhile covers more.
        return change { tables in tables.keep { times[$0.id] != $0.learnt } }
    }

    /// Removes the purges that were learnt until a time.
    func remove(learntUntil end: Double) {
        let isAny = tables.withLock { $0.purges.contains { $0.learnt <= end } }
        if isAny { change { _ = $0.keep { $0.learnt > end } } }
    }

    /// Takes what was requested before a time for absent, and leaves it where it is stored. `nil` ends that.
    func hide(before time: Double?) {
        let end = time?.nextDown ?? -.infinity
        if tables.withLock({ $0.hiddenUntil != end }) { change { $0.hiddenUntil = end } }
    }

    private func change<Result>(_ body: (inout Tables) -> Result) -> Result {
        let result = tables.withLock { tables in
            let result = body(&tables)
            isUsed.store(tables.purges.isEmpty && tables.hiddenUntil == -.infinity ? 0 : 1)
            return result
        }
        // Last, so that no caller takes a judgement by the former purges for one by the new ones.
        _ = changes.add(1)
        return result
    }
}
