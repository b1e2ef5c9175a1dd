import CalotypeBase

/// The purges in the far store, as one node knows them.
struct FarPurgeBook {
    /// The maximum number of purges. Beyond it, a hard purge of everything stands for the oldest.
    static let limit = PurgeFile.lineLimit

    /// The purges by the names of their objects.
    private(set) var lines: [FarPurgeName: PurgeLine] = [:]
    /// The purge of everything in place of those beyond the limit.
    private var beyond: (name: FarPurgeName, line: PurgeLine)?
    /// The purges whose objects are still to be written.
    var unwritten: [FarPurgeName: PurgeLine] = [:]
    /// The names of purges that the near stores have, besides all names until ``knownNearUntil``.
    var knownNear: Set<FarPurgeName> = []
    private let knownNearUntil: Double
    /// The time until which the near stores have all purges, in seconds since 1970: that of the last complete list.
    var knownUntil: Double
    private let overlap: Double
    /// The names of the purges that could not be written near.
    var failedNear: Set<FarPurgeName> = []
    /// The time of the last name, and of the last list from the first name on, in seconds since 1970.
    var lastTime = 0.0
    var lastWhole = -Double.infinity
    /// The objects of the last such list that are to be removed.
    var old: [FarPurgeName] = []

    /// - Parameter overlap: The time by which a purge may be late, in seconds.
    init(_ known: KnownFarPurges, overlap: Double) {
        knownNearUntil = known.until - overlap
        (knownUntil, knownNear, self.overlap) = (known.until, known.names, overlap)
    }

    /// The purges that the near stores have.
    var known: KnownFarPurges {
        KnownFarPurges(until: knownUntil, names: knownNear.filter { $0.time > knownUntil - overlap })
    }

    /// Returns the names whose objects are to be read.
    ///
    /// - Parameter dropped: The last of the names that are too many.
    mutating func unread(_ names: [FarPurgeName], beyond dropped: FarPurgeName?) -> [FarPurgeName] {
        if let dropped { noteBeyond(dropped) }
        let start = beyond?.name.time ?? -.infinity
        return names.filter { lines[$0] == nil && $0.time > start }
    }

    /// The changes of the purges that judge far results.
    struct Change {
        fileprivate(set) var added: [PurgeLine] = []
        fileprivate(set) var removed: Set<PurgeLine> = []
    }

    /// The changes since ``add(_:)`` has returned some.
    private var change = Change()

    /// Adds purges, and drops the oldest beyond the limit.
    mutating func add(_ new: [(FarPurgeName, PurgeLine)]) -> Change {
        for (name, line) in new where lines[name] == nil {
            lines[name] = line
            change.added.append(line)
        }
        if lines.count > Self.limit { dropOldest() }
        defer { change = Change() }
        return change
    }

    private mutating func dropOldest() {
        // A tenth at once, so that a sort serves many.
        let oldest = lines.keys.sorted { $0.time < $1.time }.prefix(lines.count - Self.limit + Self.limit / 10)
        change.removed.formUnion(oldest.compactMap { lines.removeValue(forKey: $0) })
        change.removed.subtract(lines.values)
        if let last = oldest.last { noteBeyond(last) }
    }

    private mutating func noteBeyond(_ name: FarPurgeName) {
        guard beyond.map({ $0.name.time < name.time }) ?? true else { return }
        let line = PurgeLine(time: name.time, .all, isHard: true, reach: PurgeLine.clockReach)
        // The former one stays in force, which it covers.
        beyond = (name, line)
        change.added.append(line)
    }

    /// Notes a purge whose object could not be written. Beyond the limit, one of everything stands for all of them.
    mutating func noteUnwritten(_ line: PurgeLine, _ name: FarPurgeName) {
        guard unwritten.count >= Self.limit else { return unwritten[name] = line }
        unwritten = [name: PurgeLine(time: line.time, .all, isHard: true)]
    }

    /// The purges that the near stores do not have.
    var unknownNear: [FarPurgeName: PurgeLine] {
        var purges = lines.filter { isUnknownNear($0.key) }
        if let beyond, isUnknownNear(beyond.name) { purges[beyond.name] = beyond.line }
        return purges
    }

    private func isUnknownNear(_ name: FarPurgeName) -> Bool {
        name.time > knownNearUntil && !knownNear.contains(name)
    }

    /// Removes the purges until a time, and returns those that judge no more.
    mutating func removeAll(until end: Double) -> Set<PurgeLine> {
        let old = lines.filter { $0.value.coveredUntil < end }
        for name in old.keys { lines[name] = nil }
        if let line = beyond?.line, line.coveredUntil < end { beyond = nil }
        knownNear = knownNear.filter { lines[$0] != nil || $0 == beyond?.name || $0.time >= end }
        return Set(old.values).subtracting(lines.values)
    }
}
