import CalotypeBase

/// A group of requests that limits how many of them are in flight.
enum TransferGroup: Hashable, Sendable {
    /// The requests to one host or to one address.
    case place(String)
    /// The requests that are sent for one client.
    case client(String)
}

/// The order in which requests start: by priority, within a total limit and a limit for each origin.
///
/// A request may also belong to groups, such as requests to one host or to one address. A request starts only while
/// more slots are free than its group occupies; the last eighth of the slots is for groups without a request in flight.
/// The requests of one client are such a group only while other clients wait, or servers of its requests are silent.
/// The last free slot is not for background requests, such as prefetches, unless there is only one.
///
/// A request whose origin or group is full is parked there: `next()` considers it again only after a slot of that
/// origin or group has become free. All operations take constant time on average.
///
/// A request in flight may lend its slot to others while it waits for its client, or for a silent server.
final class TransferQueue<Element: AnyObject, Origin: Hashable> {
    private enum Key: Hashable { case origin(Origin), group(TransferGroup) }
    private enum Position { case ready(PriorityLanes<Entry>.Ticket), parked(PriorityLanes<Entry>.Ticket, Key) }

    private final class Entry {
        let element: Element
        let keys: [Key]
        var priority: LoadPriority
        var position: Position?
        /// The key at which the entry was parked before it became ready.
        var former: Key?

        init(_ element: Element, _ keys: [Key], _ priority: LoadPriority) {
            self.element = element
            self.keys = keys
            self.priority = priority
        }
    }

    /// The number of requests in flight to an origin or group, and the requests parked there.
    private final class Load {
        var running = 0
        /// The number of requests in flight whose slots are lent. `running` does not include them.
        var lent = 0
        /// The number of slots whose requests have ended, but have not returned them.
        var ended = 0
        /// The number of requests that wait.
        var waiting = 0
        var limit: Int
        var parked = PriorityLanes<Entry>()

        init(limit: Int) { self.limit = limit }
    }

    private let limit: Int
    private let limitPerOrigin: Int
    private let streamLimit: Int
    private let lendingLimit: Int
    private let now: () -> UInt64
    private(set) var running = 0
    private(set) var lent = 0
    /// The number of slots whose requests have ended.
    private var ended = 0
    /// The origins all of whose slots belong to requests that have ended, and the time of the last change of each.
    private var stuck: [Origin: UInt64] = [:]
    /// The time of the last change, if that is so for all slots together.
    private var allStuck: UInt64?
    private var ready = PriorityLanes<Entry>()
    private var loads: [Key: Load] = [:]
    /// The keys with parked requests, checked in turn by `next()`: a slot released elsewhere may allow a start.
    private var parkedKeys: [Key] = []
    private var listedKeys: Set<Key> = []
    private var nextParked = 0
    private var entries: [ObjectIdentifier: Entry] = [:]
    /// The number of waiting requests that have a client.
    private var waitingForClients = 0
    /// The origins known to multiplex. The set is emptied when it holds 1,024 of them.
    private var multiplexed: Set<Origin> = []

    /// - Parameters:
    ///   - streamLimit: The maximum number of requests in flight to an origin that multiplexes.
    ///   - lendingLimit: The maximum number of requests that lend their slots at the same time. The default is 0.
    ///   - now: Returns the time in nanoseconds of a monotonic clock, which is the default.
    init(
        limit: Int, limitPerOrigin: Int, streamLimit: Int, lendingLimit: Int = 0,
        now: @escaping () -> UInt64 = monotonicNanoseconds
    ) {
        self.now = now
        self.limit = max(limit, 1)
        self.limitPerOrigin = max(limitPerOrigin, 1)
        self.streamLimit = max(streamLimit, 1)
        self.lendingLimit = max(lendingLimit, 0)
    }

    var waiting: Int { entries.count }

    var slots: TransferSlots {
        var slots = TransferSlots()
        (slots.inUse, slots.lent) = (running, lent)
        slots.endedSince = stuck.values.min() ?? allStuck
        return slots
    }

    /// - Parameter groups: The request's groups. Pass the same ones in every call for an element.
    func push(_ element: Element, origin: Origin, groups: [TransferGroup] = [], priority: LoadPriority) {
        let entry = Entry(element, keys(origin, groups), priority)
        entries[ObjectIdentifier(element)] = entry
        countWaiting(entry, 1)
        entry.position = .ready(ready.push(entry, priority: priority))
    }

    private func countWaiting(_ entry: Entry, _ change: Int) {
        for case .group(.client(let name)) in entry.keys {
            waitingForClients += change
            load(.group(.client(name))).waiting += change
        }
    }

    /// Whether a request waits because others occupy slots. Background requests that leave the last free slot do not count.
    var lacksSlots: Bool { running >= limit ? waiting > 0 : entries.values.contains { hasSlot(for: $0.priority) } }

    /// Assigns a slot to the next request that may start, and returns it; `nil` if the search found no such request.
    func next() -> Element? {
        guard running < limit else { return nil }
        for _ in 0..<Self.attempts {
            while let (ticket, entry) = ready.peek(), hasSlot(for: entry.priority) {
                ready.remove(ticket)
                if let full = entry.keys.first(where: { !hasRoom($0) }) {
                    park(entry, at: full)
                    continue
                }
                entries[ObjectIdentifier(entry.element)] = nil
                countWaiting(entry, -1)
                occupy(entry.keys)
                return entry.element
            }
            guard unparkElsewhere() else { return nil }
        }
        return nil
    }

    /// Takes a slot and returns `true` if no request is waiting and the limits allow it.
    func startAtOnce(_ origin: Origin, groups: [TransferGroup] = [], priority: LoadPriority = .normal) -> Bool {
        let keys = keys(origin, groups)
        guard entries.isEmpty, hasSlot(for: priority), keys.allSatisfy(hasRoom) else { return false }
        occupy(keys)
        return true
    }

    func finish(_ origin: Origin, groups: [TransferGroup] = []) {
        running -= 1
        for key in keys(origin, groups) {
            guard let load = loads[key] else { continue }
            load.running -= 1
            unpark(from: key, count: 1)
            dropIfIdle(key)
        }
    }

    // MARK: Slots of requests that have ended

    /// Notes that a request has ended and keeps its slot.
    func noteEnd(_ origin: Origin) { changeEnded(origin, by: 1) }

    /// Frees a slot that a request has kept.
    func finishEnded(_ origin: Origin, groups: [TransferGroup] = []) {
        changeEnded(origin, by: -1)
        finish(origin, groups: groups)
    }

    private func changeEnded(_ origin: Origin, by change: Int) {
        let load = load(.origin(origin))
        load.ended += change
        ended += change
        let isStuck = load.ended == load.running && load.ended >= load.limit
        if isStuck || !stuck.isEmpty { stuck[origin] = isStuck ? now() : nil }
        allStuck = ended == running && ended >= limit ? now() : nil
    }

    // MARK: Lent slots

    /// Lends the slot of a request in flight. Returns `false` if the lending limit is reached.
    ///
    /// - Parameter fairly: Whether an origin or group may lend only as many slots as all others can still lend. The
    ///   default is `false`.
    func lend(_ origin: Origin, groups: [TransferGroup] = [], fairly: Bool = false) -> Bool {
        let keys = keys(origin, groups)
        let left = lendingLimit - lent
        guard left > 0, !fairly || keys.allSatisfy({ load($0).lent < left }) else { return false }
        lent += 1
        for key in keys { load(key).lent += 1 }
        finish(origin, groups: groups)
        return true
    }

    /// Takes a lent slot back, even if all slots are in use.
    func takeBack(_ origin: Origin, groups: [TransferGroup] = []) {
        finishLent(origin, groups: groups)
        occupy(keys(origin, groups))
    }

    /// Ends a request whose slot is lent.
    func finishLent(_ origin: Origin, groups: [TransferGroup] = []) {
        lent -= 1
        for key in keys(origin, groups) {
            loads[key]?.lent -= 1
            dropIfIdle(key)
        }
    }

    /// The number of requests to an origin whose slots are lent.
    func lent(by origin: Origin) -> Int { loads[.origin(origin)]?.lent ?? 0 }

    // MARK: Waiting requests

    /// Raises the origin's limit to `streamLimit`, now and for later requests.
    func noteMultiplexing(_ origin: Origin) {
        guard !multiplexed.contains(origin) else { return }
        if multiplexed.count >= 1024 { multiplexed = [] }
        multiplexed.insert(origin)
        guard let load = loads[.origin(origin)] else { return }
        load.limit = streamLimit
        unpark(from: .origin(origin), count: streamLimit - load.running)
    }

    /// Removes a waiting request. Returns `false` if it is not in the queue.
    @discardableResult
    func remove(_ element: Element) -> Bool {
        guard let entry = entries.removeValue(forKey: ObjectIdentifier(element)) else { return false }
        switch entry.position {
        case .ready(let ticket): ready.remove(ticket)
        case .parked(let ticket, let key): loads[key]?.parked.remove(ticket)
        case nil: break
        }
        countWaiting(entry, -1)
        for key in entry.keys { dropIfIdle(key) }
        return true
    }

    func move(_ element: Element, to priority: LoadPriority) {
        guard let entry = entries[ObjectIdentifier(element)] else { return }
        entry.priority = priority
        switch entry.position {
        case .ready(let ticket): moveReady(entry, ticket)
        case .parked(let ticket, let key):
            // With its new priority, the entry may come before the one that would have got the free slot.
            loads[key]?.parked.move(ticket, to: priority)
            if hasRoom(key) { unpark(from: key, count: 1) }
        case nil: break
        }
    }

    /// Moves a ready entry, unless another entry parked at the same key now comes first.
    private func moveReady(_ entry: Entry, _ ticket: PriorityLanes<Entry>.Ticket) {
        guard let former = entry.former, loads[former]?.parked.isEmpty == false else {
            return ready.move(ticket, to: entry.priority)
        }
        ready.remove(ticket)
        park(entry, at: former)
        unpark(from: former, count: 1)
    }

    func removeAll() -> [Element] {
        defer {
            entries = [:]
            ready = PriorityLanes()
            waitingForClients = 0
            for load in loads.values { (load.parked, load.waiting) = (PriorityLanes(), 0) }
        }
        return entries.values.map(\.element)
    }

    // MARK: Origins and groups

    private func keys(_ origin: Origin, _ groups: [TransferGroup]) -> [Key] {
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

    /// Returns whether a slot is free that a request of this priority may take.
    private func hasSlot(for priority: LoadPriority) -> Bool {
        running < (priority.isBackground ? max(limit - 1, 1) : limit)
    }

    private func hasRoom(_ key: Key) -> Bool {
        guard let load = loads[key], load.running > 0 else { return true }
        guard case .group(let group) = key else { return load.running < load.limit }
        if case .client = group, load.lent == 0, waitingForClients == load.waiting { return true }
        let free = limit - running
        return load.running < free && free > limit / 8
    }

    private func occupy(_ keys: [Key]) {
        running += 1
        for key in keys { load(key).running += 1 }
    }

    private func dropIfIdle(_ key: Key) {
        if let load = loads[key], load.running == 0, load.lent == 0, load.waiting == 0, load.parked.isEmpty {
            loads[key] = nil
        }
    }

    // MARK: Parking

    /// The maximum number of parked requests that one call of `next()` makes ready.
    private static var attempts: Int { 16 }
    /// The maximum number of keys to check for each of these requests.
    private static var looks: Int { 64 }

    private func park(_ entry: Entry, at key: Key) {
        entry.former = nil
        entry.position = .parked(load(key).parked.push(entry, priority: entry.priority), key)
        if listedKeys.insert(key).inserted { parkedKeys.append(key) }
    }

    private func unpark(from key: Key, count: Int) {
        guard let load = loads[key] else { return }
        for _ in 0..<max(count, 0) {
            guard let entry = load.parked.pop() else { return }
            entry.former = key
            entry.position = .ready(ready.push(entry, priority: entry.priority))
        }
    }

    /// Makes a parked request ready if its key has a free slot now, although no request of that key has ended: a
    /// group's share may have grown, or the request made ready before was cancelled or parked at another key.
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
            guard hasRoom(key), let (_, first) = load.parked.peek(), hasSlot(for: first.priority) else { continue }
            unpark(from: key, count: 1)
            return true
        }
        return false
    }
}
