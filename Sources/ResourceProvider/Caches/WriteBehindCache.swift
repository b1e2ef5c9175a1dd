import CalotypeBase

/// A cache that writes in the background: `store` returns before the base cache has stored the value, so that requests
/// do not wait for a slow disk.
/// - Stores for one identifier run in order; a store superseded by a newer store is skipped.
/// - Reads see values that are waiting to be stored.
/// - At most `limit` identifiers have an outstanding store; the next store waits until one of them has finished.
/// - Stores still outstanding when the process ends are lost: call `await flush()` first.
///
/// Remove values from the base cache only after `flush()`; otherwise an outstanding store may restore them.
public final class WriteBehindCache<Base: AsyncCache>: AsyncCache {
    private struct Entry {
        var value: Base.Value
        var isNewerThanStored = false
    }

    private struct State {
        var outstanding: [Base.ID: Entry] = [:]

        /// Replaces the value of an outstanding store. Returns `false` if there is no outstanding store for `id`.
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

        /// Returns the value that arrived during the last store. If there is none, removes `id` and returns `nil`.
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
    /// The outstanding stores. `flush()` waits until the state is empty.
    private let state = WaitingRoom<State, Void>(State()) { state, _ in state.outstanding.isEmpty }

    /// - Parameter limit: The maximum number of identifiers with an outstanding store, at least 1. The default is 256.
    public init(_ base: Base, limit: Int = 256) {
        self.base = base
        room = Limiter(limit: limit)
    }

    /// The number of identifiers with an outstanding store.
    public var outstanding: Int { state.read { $0.outstanding.count } }

    public func value(for id: Base.ID) async -> Base.Value? {
        if let value = outstandingValue(for: id) { return value }
        return await base.value(for: id)
    }

    public func immediateValue(for id: Base.ID) -> Base.Value? {
        outstandingValue(for: id) ?? base.immediateValue(for: id)
    }

    /// Queues the value. Waits only if `limit` other identifiers have an outstanding store.
    public func store(value: Base.Value, for id: Base.ID) async {
        if state.update({ $0.replace(value, for: id) }) { return }
        await room.enterUninterruptibly()
        // Another store for the same identifier may have begun while this one waited; the other store then writes this
        // value, too.
        if state.update({ $0.replaceOrBegin(value, for: id) }) { return room.leave() }
        Task.detached { [self] in
            await write(value, for: id)
            room.leave()
        }
    }

    /// Waits until no write is outstanding.
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
