import CalotypeBase
import CalotypeHTTP
import Foundation

/// The purges of all nodes, as objects of the far store.
struct BucketFeed: Sendable {
    private let objects: any ObjectStore
    /// The beginning of the names, with a slash at its end.
    private let folder: ByteString
    /// The age at which the far store deletes results, in seconds: purges last as long.
    let age: Double
    /// Permits that far results are read and written, or forbids it until the purges are known.
    let setReadable: @Sendable (Bool) -> Void

    init(
        objects: any ObjectStore, folder: ByteString, age: Double, setReadable: @escaping @Sendable (Bool) -> Void
    ) {
        (self.objects, self.folder, self.age, self.setReadable) = (objects, folder, age, setReadable)
    }

    init(_ store: FarStore, age: Double) {
        self.init(objects: store.objects, folder: store.name("purges/"), age: age) {
            [reading = store.reading] isAllowed in
            if isAllowed { reading.open() } else { reading.close() }
        }
    }

    func publish(_ purge: Purge) async throws(TransportError) {
        try await objects.store(Data(("\(purge.text)\n" as ByteString).bytes), as: "\(folder)\(purge.id.text)")
    }

    // MARK: Names

    struct Names: Sendable {
        var ids: [PurgeID] = []
        /// The last purge beyond the limit.
        var dropped: PurgeID?
        /// Names that are older than far results, at most 1,000.
        var old: [PurgeID] = []
        /// The seconds by which the far store's clock is ahead of this node's at the last answer: between these two.
        var lead: ClosedRange<Double>?
    }

    /// Lists the names from a time on; all of them without one. Of more than `limit`, the oldest are dropped.
    func names(
        from start: Double?, _ wallClock: WallClock, limit: Int = PurgeList.limit
    ) async throws(TransportError) -> Names {
        var found = Names()
        let now = wallClock.now
        var last = start.map { "\(folder)\(PurgeID.beginning(at: $0))" as ByteString }
        while true {
            let asked = wallClock.now
            let page = try await objects.list(folder, after: last)
            // The date is in whole seconds, and of a time between the request and now.
            let answered = max(wallClock.now, asked)
            found.lead = page.date.map { $0 - answered...$0 + 1 - asked }
            for text in page.names where text.hasPrefix(folder) {
                // The folder itself is an object in some stores. A node writes no other names.
                guard let id = PurgeID(text.dropFirst(folder.count)) else { continue }
                if id.time + Purge.clockReach >= now - age {
                    found.ids.append(id)
                } else if found.old.count < 1000 {
                    found.old.append(id)
                }
            }
            let surplus = found.ids.count - limit
            if surplus > 0 {
                found.dropped = found.ids[surplus - 1]
                found.ids.removeFirst(surplus)
            }
            guard let next = page.next else { return found }
            // A store that repeats itself would have no end.
            guard last.map({ $0 < next }) ?? true else {
                throw TransportError(.malformedResponse, "the list of purges does not go on")
            }
            last = next
        }
    }

    func remove(_ ids: [PurgeID]) async throws(TransportError) {
        for id in ids { try await objects.remove("\(folder)\(id.text)") }
    }

    // MARK: Objects

    struct Reading: Sendable {
        fileprivate(set) var purges: [Purge] = []
        fileprivate(set) var damaged: [PurgeID] = []
        /// The first failure. The other objects are read all the same.
        fileprivate(set) var failure: TransportError?
    }

    /// Reads objects, 16 at a time. A damaged one may have purged anything: it counts as a hard purge of everything, at the
    /// time in its name.
    func purges(_ ids: some Collection<PurgeID> & Sendable) async -> Reading {
        await withTaskGroup(of: (PurgeID, Result<Purge?, TransportError>).self) { group in
            var rest = ids.makeIterator()
            for id in (0..<16).compactMap({ _ in rest.next() }) { group.addTask { await self.purge(id) } }
            var reading = Reading()
            while let (id, result) = await group.next() {
                if let next = rest.next() { group.addTask { await self.purge(next) } }
                switch result {
                case .success(let purge):
                    reading.purges.append(purge ?? Purge(.all, isHard: true, id: id, learnt: id.time))
                    if purge == nil { reading.damaged.append(id) }
                case .failure(let error): reading.failure = reading.failure ?? error
                }
            }
            return reading
        }
    }

    private func purge(_ id: PurgeID) async -> (PurgeID, Result<Purge?, TransportError>) {
        do throws(TransportError) {
            let data = try await objects.read("\(folder)\(id.text)", limit: Purge.lengthLimit)
            // The list of a store may be ahead of its objects, or behind them.
            guard let data else { throw TransportError(.other, "the object of a purge is listed, but absent") }
            guard data.last == 0x0A else { return (id, .success(nil)) }
            return (id, .success(Purge(data.dropLast(), id: id, learnt: id.time)))
        } catch {
            return (id, error.code == .bodyTooLarge ? .success(nil) : .failure(error))
        }
    }
}
