/// The numbers of removals by key, from which work detects that its key was removed while the work was in progress.
///
/// Uses constant memory: keys share 1,024 counters. If two keys share a counter, removing one key also prevents work in
/// progress for the other from caching its result.
package final class Removals: Sendable {
    private struct State {
        /// The number of removals of all keys at once.
        var all: UInt64 = 0
        var counts = [UInt64](repeating: 0, count: 1 << 10)
    }

    private let state = Locked(State())

    package init() {}

    /// Returns the removal count for `key`. If two calls return the same count, the key was not removed in between.
    package func count(for key: some Hashable) -> UInt64 {
        let index = index(of: key)
        return state.withLock { $0.all &+ $0.counts[index] }
    }

    /// Counts a removal of `key`. Call this before deleting the entries, so that work in progress adds none afterwards.
    package func note(_ key: some Hashable) {
        let index = index(of: key)
        state.withLock { $0.counts[index] &+= 1 }
    }

    package func noteAll() { state.withLock { $0.all &+= 1 } }

    private func index(of key: some Hashable) -> Int { key.hashValue & (1 << 10 - 1) }
}
