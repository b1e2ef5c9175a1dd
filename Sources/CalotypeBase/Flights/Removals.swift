/// Counts removals by key, so that work can tell whether its key was removed while it was under way.
///
/// Constant in size: keys share 1,024 counters. Now and then a key counts another's removal, which costs its work a place in
/// a cache and nothing else.
package final class Removals: Sendable {
    private struct State {
        /// Removals of everything.
        var all: UInt64 = 0
        var counts = [UInt64](repeating: 0, count: 1 << 10)
    }

    private let state = Locked(State())

    package init() {}

    /// The same as before if the key was not removed in between.
    package func count(for key: some Hashable) -> UInt64 {
        let index = index(of: key)
        return state.withLock { $0.all &+ $0.counts[index] }
    }

    /// To be called before the removal, so that what was stored until then is removed, and what comes later is not stored.
    package func note(_ key: some Hashable) {
        let index = index(of: key)
        state.withLock { $0.counts[index] &+= 1 }
    }

    package func noteAll() { state.withLock { $0.all &+= 1 } }

    private func index(of key: some Hashable) -> Int { key.hashValue & (1 << 10 - 1) }
}
