import CalotypeBase

/// Stores later: `store` returns before the cache behind has stored, so that a slow disk delays nobody.
///
/// - Stores for one identifier are done in order, and one that a newer has overtaken is left out.
/// - A value that waits to be stored can be read already.
/// - At most `limit` identifiers have a store outstanding; one more waits until one of those has ended.
/// - What is still outstanding when the process ends is lost: `await flush()` before.
///
/// Remove from the cache behind only after `flush()`, or an outstanding store brings the value back.
public final class WriteBehindCache<Base: AsyncCache>: AsyncCache {
    private struct Entry {
        var value: Base.Value
        var isNewerThanStored = false
    }

    private struct State {
        var outstanding: [Base.ID: Entry] = [:]

        /// Returns whether a store for `id` is outstanding, which then takes the value along.
        mutating func replace(_ value: Base.Value, for id: Base.ID) -> Bool {
            guard outstanding[id] != nil else { return false }
            outstanding[id] = Entry(value: value, isNewerThanStored: true)
            return true
        }

        mutating func replaceOrBegin(_ value: Base.Value, for id: Base.ID) -> Bool {
            let isReplaced = replace(value, for: id)
            if !isReplaced { outstanding[id] = Entry(value: value) }
            return isReplaced
        }

        /// The value that came while the last one was being stored; without one, the identifier is done.
        mutating func takeNewer(for id: Base.ID) -> Base.Value? {
            guard let entry = outstanding[id], entry.isNewerThanStored else {
                outstanding[id] = nil
                return nil
            }
            outstanding[id]?.isNewerThanStored = false
            return entry.value
        }
    }

    private let base: Base
    private let room: Limiter
    /// Where flushes wait.
    private let state = WaitingRoom<State, Void>(State()) { state, _ in state.outstanding.isEmpty }

    /// - Parameter limit: how many identifiers may have a store outstanding; at least 1. 256 by default.
    public init(_ base: Base, limit: Int = 256) {
        self.base = base
        room = Limiter(limit: limit)
    }

    /// How many identifiers have a store outstanding.
    public var outstanding: Int { state.read { $0.outstanding.count } }

    public func value(for id: Base.ID) async -> Base.Value? {
        if let value = outstandingValue(for: id) { return value }
        return await base.value(for: id)
    }

    public func immediateValue(for id: Base.ID) -> Base.Value? {
        outstandingValue(for: id) ?? base.immediateValue(for: id)
    }

    /// Queues the value, and returns at once unless the queue is full.
    public func store(value: Base.Value, for id: Base.ID) async {
        if state.update({ $0.replace(value, for: id) }) { return }
        await room.enterUninterruptibly()
        // Meanwhile another may have begun for the same identifier; that one takes this value along.
        if state.update({ $0.replaceOrBegin(value, for: id) }) { return room.leave() }
        Task.detached { [self] in
            await write(value, for: id)
            room.leave()
        }
    }

    /// Returns when no store is outstanding any more.
    public func flush() async { await state.enterUninterruptibly(()) }

    private func outstandingValue(for id: Base.ID) -> Base.Value? {
        state.read { $0.outstanding[id]?.value }
    }

    private func write(_ first: Base.Value, for id: Base.ID) async {
        var next: Base.Value? = first
        while let value = next {
            await base.store(value: value, for: id)
            next = state.update { $0.takeNewer(for: id) }
        }
    }
}
