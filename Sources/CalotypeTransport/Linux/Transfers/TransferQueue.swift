import CalotypeBase

/// Who may start next: by priority, within a limit altogether and one for each origin.
///
/// A request may also belong to groups that share the places, such as those to one host or to one address. A group has as many
/// places as are free for others at most. The last eighth is for groups without a request in progress.
///
/// A request whose origin or group is full is parked there, so that looking for the next one passes it again only after a place
/// there has become free. Everything takes constant time on average.
///
/// One that is under way may lend its place to others while it waits for its own client.
final class TransferQueue<Element: AnyObject, Origin: Hashable> {
    private enum Key: Hashable { case origin(Origin), group(String) }
    private enum Place { case ready(PriorityLanes<Entry>.Ticket), parked(PriorityLanes<Entry>.Ticket, Key) }

    private final class Entry {
        let element: Element
        let keys: [Key]
        var priority: LoadPriority
        var place: Place?
        /// Where it was parked before it became ready.
        var former: Key?

        init(_ element: Element, _ keys: [Key], _ priority: LoadPriority) {
            self.element = element
            self.keys = keys
            self.priority = priority
        }
    }

    /// The requests in progress to one origin or group, and those that wait for them.
    private final class Load {
        var running = 0
        var limit: Int
        var parked = PriorityLanes<Entry>()

        init(limit: Int) { self.limit = limit }
    }

    private let limit: Int
    private let limitPerOrigin: Int
    private let streamLimit: Int
    private let lendingLimit: Int
    private(set) var running = 0
    private(set) var lent = 0
    private var ready = PriorityLanes<Entry>()
    private var loads: [Key: Load] = [:]
    /// Those with parked requests, where a place that becomes free elsewhere may be one for them. In turn.
    private var parkedKeys: [Key] = []
    private var listedKeys: Set<Key> = []
    private var nextParked = 0
    private var entries: [ObjectIdentifier: Entry] = [:]
    /// Origins known to take many requests on one connection. Bounded: forgotten all together when there are many.
    private var multiplexed: Set<Origin> = []

    /// - Parameters:
    ///   - limit: requests under way altogether.
    ///   - limitPerOrigin: requests under way to one origin.
    ///   - streamLimit: the same for an origin that multiplexes.
    ///   - lendingLimit: how many may lend their places at the same time.
    init(limit: Int, limitPerOrigin: Int, streamLimit: Int, lendingLimit: Int = 0) {
        self.limit = max(limit, 1)
        self.limitPerOrigin = max(limitPerOrigin, 1)
        self.streamLimit = max(streamLimit, 1)
        self.lendingLimit = max(lendingLimit, 0)
    }

    /// How many wait.
    var waiting: Int { entries.count }

    /// - Parameter groups: those that share the places; the same at every call for one element.
    func push(_ element: Element, origin: Origin, groups: [String] = [], priority: LoadPriority) {
        let entry = Entry(element, keys(origin, groups), priority)
        entries[ObjectIdentifier(element)] = entry
        entry.place = .ready(ready.push(entry, priority: priority))
    }

    /// Takes a place for the next one that may start; nil while none may.
    func next() -> Element? {
        guard running < limit else { return nil }
        for _ in 0..<Self.attempts {
            while let entry = ready.pop() {
                if let full = entry.keys.first(where: { !hasRoom($0) }) {
                    park(entry, at: full)
                    continue
                }
                entries[ObjectIdentifier(entry.element)] = nil
                occupy(entry.keys)
                return entry.element
            }
            guard unparkElsewhere() else { return nil }
        }
        return nil
    }

    /// Takes a place without queueing, where nobody waits who would be overtaken.
    func startAtOnce(_ origin: Origin, groups: [String] = []) -> Bool {
        let keys = keys(origin, groups)
        guard entries.isEmpty, running < limit, keys.allSatisfy(hasRoom) else { return false }
        occupy(keys)
        return true
    }

    /// Gives a place back.
    func finish(_ origin: Origin, groups: [String] = []) {
        running -= 1
        for key in keys(origin, groups) {
            guard let load = loads[key] else { continue }
            load.running -= 1
            unpark(from: key, count: 1)
            dropIfIdle(key)
        }
    }

    // MARK: Places that are lent

    /// Lets others have the place of one that waits for its client.
    ///
    /// - Returns: `false` if as many are lent as may be. It then keeps its place.
    func lend(_ origin: Origin, groups: [String] = []) -> Bool {
        guard lent < lendingLimit else { return false }
        lent += 1
        finish(origin, groups: groups)
        return true
    }

    /// Goes on, in a place that is there for it even if all are taken meanwhile.
    func takeBack(_ origin: Origin, groups: [String] = []) {
        lent -= 1
        occupy(keys(origin, groups))
    }

    /// Ends while its place is lent.
    func finishLent() { lent -= 1 }

    // MARK: Those that wait

    /// Raises the origin's limit to that for streams, now and for later.
    func noteMultiplexing(_ origin: Origin) {
        guard !multiplexed.contains(origin) else { return }
        if multiplexed.count >= 1024 { multiplexed = [] }
        multiplexed.insert(origin)
        guard let load = loads[.origin(origin)] else { return }
        load.limit = streamLimit
        unpark(from: .origin(origin), count: streamLimit - load.running)
    }

    /// Takes out one that waits. False when it does not.
    @discardableResult
    func remove(_ element: Element) -> Bool {
        guard let entry = entries.removeValue(forKey: ObjectIdentifier(element)) else { return false }
        switch entry.place {
        case .ready(let ticket): ready.remove(ticket)
        case .parked(let ticket, let key):
            loads[key]?.parked.remove(ticket)
            dropIfIdle(key)
        case nil: break
        }
        return true
    }

    func move(_ element: Element, to priority: LoadPriority) {
        guard let entry = entries[ObjectIdentifier(element)] else { return }
        entry.priority = priority
        switch entry.place {
        case .ready(let ticket): moveReady(entry, ticket)
        case .parked(let ticket, let key):
            // It may come before another that was to have the free place.
            loads[key]?.parked.move(ticket, to: priority)
            if hasRoom(key) { unpark(from: key, count: 1) }
        case nil: break
        }
    }

    /// One that was to have a free place may now come after another that is parked there.
    private func moveReady(_ entry: Entry, _ ticket: PriorityLanes<Entry>.Ticket) {
        guard let former = entry.former, loads[former]?.parked.isEmpty == false else {
            return ready.move(ticket, to: entry.priority)
        }
        ready.remove(ticket)
        park(entry, at: former)
        unpark(from: former, count: 1)
    }

    /// Empties the queue.
    func removeAll() -> [Element] {
        defer {
            entries = [:]
            ready = PriorityLanes()
            for load in loads.values { load.parked = PriorityLanes() }
        }
        return entries.values.map(\.element)
    }

    // MARK: Origins and groups

    private func keys(_ origin: Origin, _ groups: [String]) -> [Key] {
        [.origin(origin)] + groups.map(Key.group)
    }

    private func load(_ key: Key) -> Load {
        if let load = loads[key] { return load }
        let load =
            switch key {
            case .origin(let origin): Load(limit: multiplexed.contains(origin) ? streamLimit : limitPerOrigin)
            case .group: Load(limit: .max)
            }
        loads[key] = load
        return load
    }

    private func hasRoom(_ key: Key) -> Bool {
        guard let load = loads[key], load.running > 0 else { return true }
        guard case .group = key else { return load.running < load.limit }
        let free = limit - running
        return load.running < free && free > limit / 8
    }

    private func occupy(_ keys: [Key]) {
        running += 1
        for key in keys { load(key).running += 1 }
    }

    private func dropIfIdle(_ key: Key) {
        if let load = loads[key], load.running == 0, load.parked.isEmpty { loads[key] = nil }
    }

    // MARK: Parking

    /// Parked requests that one call of `next()` makes ready, until one starts.
    private static var attempts: Int { 16 }
    /// Origins and groups with parked requests that it looks at for each.
    private static var looks: Int { 64 }

    private func park(_ entry: Entry, at key: Key) {
        entry.former = nil
        entry.place = .parked(load(key).parked.push(entry, priority: entry.priority), key)
        if listedKeys.insert(key).inserted { parkedKeys.append(key) }
    }

    private func unpark(from key: Key, count: Int) {
        guard let load = loads[key] else { return }
        for _ in 0..<max(count, 0) {
            guard let entry = load.parked.pop() else { return }
            entry.former = key
            entry.place = .ready(ready.push(entry, priority: entry.priority))
        }
    }

    /// Makes one ready that is parked where there is room again: a group has more places when any becomes free, and one that had
    /// its turn may have left, or may be held up by another of its groups.
    private func unparkElsewhere() -> Bool {
        for _ in 0..<min(Self.looks, parkedKeys.count) {
            nextParked = nextParked + 1 < parkedKeys.count ? nextParked + 1 : 0
            let key = parkedKeys[nextParked]
            guard let load = loads[key], !load.parked.isEmpty else {
                listedKeys.remove(key)
                parkedKeys.swapAt(nextParked, parkedKeys.count - 1)
                parkedKeys.removeLast()
                if parkedKeys.isEmpty { return false }
                continue
            }
            guard hasRoom(key) else { continue }
            unpark(from: key, count: 1)
            return true
        }
        return false
    }
}
