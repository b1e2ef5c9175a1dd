import CalotypeConcurrency

/// Who may start next: by priority, within a limit altogether and one for each origin.
///
/// A request whose origin is full is parked with that origin, so that looking for the next one never passes it again
/// until a place there is free. Everything takes constant time on average.
///
/// One that is under way may lend its place to others while it waits for its own client.
final class TransferQueue<Element: AnyObject, Origin: Hashable> {
    private enum Place { case ready(PriorityLanes<Entry>.Ticket), parked(PriorityLanes<Entry>.Ticket) }

    private final class Entry {
        let element: Element
        let origin: Origin
        var priority: LoadPriority
        var place: Place?

        init(_ element: Element, _ origin: Origin, _ priority: LoadPriority) {
            self.element = element
            self.origin = origin
            self.priority = priority
        }
    }

    private final class OriginLoad {
        var running = 0
        var limit: Int
        var parked = PriorityLanes<Entry>()

        init(limit: Int) { self.limit = limit }

        var isIdle: Bool { running == 0 && parked.isEmpty }
    }

    private let limit: Int
    private let limitPerOrigin: Int
    private let streamLimit: Int
    private let lendingLimit: Int
    private let sharesPlaces: Bool
    private(set) var running = 0
    private(set) var lent = 0
    private var ready = PriorityLanes<Entry>()
    private var origins: [Origin: OriginLoad] = [:]
    /// Those with parked requests, where a place that becomes free elsewhere may be one for them. In turn.
    private var parkedOrigins: [Origin] = []
    private var listedOrigins: Set<Origin> = []
    private var nextParked = 0
    private var entries: [ObjectIdentifier: Entry] = [:]
    /// Origins known to take many requests on one connection. Bounded: forgotten all together when there are many.
    private var multiplexed: Set<Origin> = []

    /// - Parameters:
    ///   - limit: requests under way altogether.
    ///   - limitPerOrigin: requests under way to one origin.
    ///   - streamLimit: the same for an origin that multiplexes.
    ///   - lendingLimit: how many may lend their places at the same time.
    ///   - sharesPlaces: whether an origin may have only as many places as are free for others.
    init(limit: Int, limitPerOrigin: Int, streamLimit: Int, lendingLimit: Int = 0, sharesPlaces: Bool = false) {
        self.limit = max(limit, 1)
        self.limitPerOrigin = max(limitPerOrigin, 1)
        self.streamLimit = max(streamLimit, 1)
        self.lendingLimit = max(lendingLimit, 0)
        self.sharesPlaces = sharesPlaces
    }

    /// How many wait.
    var waiting: Int { entries.count }

    func push(_ element: Element, origin: Origin, priority: LoadPriority) {
        let entry = Entry(element, origin, priority)
        entries[ObjectIdentifier(element)] = entry
        entry.place = .ready(ready.push(entry, priority: priority))
    }

    /// Takes a place for the next one that may start; nil while none may.
    func next() -> Element? {
        guard running < limit else { return nil }
        while let entry = ready.pop() {
            let load = load(of: entry.origin)
            guard hasRoom(load) else {
                entry.place = .parked(load.parked.push(entry, priority: entry.priority))
                noteParked(entry.origin)
                continue
            }
            entries[ObjectIdentifier(entry.element)] = nil
            occupy(load)
            return entry.element
        }
        return nil
    }

    /// Takes a place without queueing, where nobody waits who would be overtaken.
    func startAtOnce(_ origin: Origin) -> Bool {
        guard entries.isEmpty, running < limit else { return false }
        let load = load(of: origin)
        guard hasRoom(load) else { return false }
        occupy(load)
        return true
    }

    /// Gives a place back.
    func finish(_ origin: Origin) {
        guard let load = origins[origin], load.running > 0 else { return }
        running -= 1
        load.running -= 1
        unpark(from: load, count: 1)
        if load.isIdle { origins[origin] = nil }
        unparkElsewhere()
    }

    // MARK: Places that are lent

    /// Lets others have the place of one that waits for its client.
    ///
    /// - Returns: `false` if as many are lent as may be. It then keeps its place.
    func lend(_ origin: Origin) -> Bool {
        guard lent < lendingLimit else { return false }
        lent += 1
        finish(origin)
        return true
    }

    /// Goes on, in a place that is there for it even if all are taken meanwhile.
    func takeBack(_ origin: Origin) {
        lent -= 1
        occupy(load(of: origin))
    }

    /// Ends while its place is lent.
    func finishLent() { lent -= 1 }

    // MARK: Those that wait

    /// Raises the origin's limit to that for streams, now and for later.
    func noteMultiplexing(_ origin: Origin) {
        guard !multiplexed.contains(origin) else { return }
        if multiplexed.count >= 1024 { multiplexed = [] }
        multiplexed.insert(origin)
        guard let load = origins[origin] else { return }
        load.limit = streamLimit
        unpark(from: load, count: streamLimit - load.running)
    }

    /// Takes out one that waits. False when it does not.
    @discardableResult
    func remove(_ element: Element) -> Bool {
        guard let entry = entries.removeValue(forKey: ObjectIdentifier(element)) else { return false }
        switch entry.place {
        case .ready(let ticket): ready.remove(ticket)
        case .parked(let ticket): origins[entry.origin]?.parked.remove(ticket)
        case nil: break
        }
        return true
    }

    func move(_ element: Element, to priority: LoadPriority) {
        guard let entry = entries[ObjectIdentifier(element)] else { return }
        entry.priority = priority
        switch entry.place {
        case .ready(let ticket): moveReady(entry, ticket)
        case .parked(let ticket): moveParked(entry, ticket)
        case nil: break
        }
    }

    /// One that was to have its origin's free place may now come after another that is parked there.
    private func moveReady(_ entry: Entry, _ ticket: PriorityLanes<Entry>.Ticket) {
        guard let load = origins[entry.origin], !load.parked.isEmpty else {
            return ready.move(ticket, to: entry.priority)
        }
        ready.remove(ticket)
        entry.place = .parked(load.parked.push(entry, priority: entry.priority))
        unpark(from: load, count: 1)
    }

    /// One that is parked may come before another that was to have the free place.
    private func moveParked(_ entry: Entry, _ ticket: PriorityLanes<Entry>.Ticket) {
        guard let load = origins[entry.origin] else { return }
        load.parked.move(ticket, to: entry.priority)
        if hasRoom(load) { unpark(from: load, count: 1) }
    }

    /// Empties the queue.
    func removeAll() -> [Element] {
        defer {
            entries = [:]
            ready = PriorityLanes()
            for load in origins.values { load.parked = PriorityLanes() }
        }
        return entries.values.map(\.element)
    }

    private func load(of origin: Origin) -> OriginLoad {
        if let load = origins[origin] { return load }
        let load = OriginLoad(limit: multiplexed.contains(origin) ? streamLimit : limitPerOrigin)
        origins[origin] = load
        return load
    }

    private func hasRoom(_ load: OriginLoad) -> Bool {
        load.running < load.limit && (!sharesPlaces || load.running < limit - running)
    }

    private func occupy(_ load: OriginLoad) {
        load.running += 1
        running += 1
    }

    private func unpark(from load: OriginLoad, count: Int) {
        for _ in 0..<max(count, 0) {
            guard let entry = load.parked.pop() else { return }
            entry.place = .ready(ready.push(entry, priority: entry.priority))
        }
    }

    private func noteParked(_ origin: Origin) {
        guard sharesPlaces, listedOrigins.insert(origin).inserted else { return }
        parkedOrigins.append(origin)
    }

    /// Where an origin may have as many places as are free, one more is free for all of them.
    private func unparkElsewhere() {
        guard !parkedOrigins.isEmpty else { return }
        nextParked = nextParked + 1 < parkedOrigins.count ? nextParked + 1 : 0
        let origin = parkedOrigins[nextParked]
        guard let load = origins[origin], !load.parked.isEmpty else {
            listedOrigins.remove(origin)
            parkedOrigins.swapAt(nextParked, parkedOrigins.count - 1)
            parkedOrigins.removeLast()
            return
        }
        if hasRoom(load) { unpark(from: load, count: 1) }
    }
}
