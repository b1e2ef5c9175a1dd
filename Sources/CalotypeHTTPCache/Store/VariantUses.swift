internal import CalotypeBase

/// The order in which the variants of URLs with several variants were last used.
///
/// It has its own memory, because a store may decode a variant for each request. A variant without an entry, as after
/// a restart, counts as used when it was last received or validated, and before each one with an entry.
final class VariantUses: Sendable {
    /// The number of recent uses after which those before them are forgotten.
    private static let limit = 1 << 15

    private struct State {
        var count: UInt64 = 0
        /// Two generations, so that forgetting takes no search.
        var recent: [StoredVariant.ID: UInt64] = [:]
        var former: [StoredVariant.ID: UInt64] = [:]

        func use(of id: StoredVariant.ID) -> UInt64 { recent[id] ?? former[id] ?? 0 }
    }

    private let state = Locked(State())

    func note(_ id: StoredVariant.ID) {
        state.withLock { state in
            state.count += 1
            state.recent[id] = state.count
            if state.recent.count > Self.limit { (state.former, state.recent) = (state.recent, [:]) }
        }
    }

    /// Returns the variants beyond the `count` most recently used ones.
    func leastUsed(of variants: [StoredVariant], keeping count: Int) -> [StoredVariant.ID] {
        guard variants.count > count else { return [] }
        let uses = state.withLock { state in variants.map { state.use(of: $0.id) } }
        let order = variants.indices.sorted { left, right in
            if uses[left] != uses[right] { return uses[left] < uses[right] }
            let times = (variants[left].head.responseTime, variants[right].head.responseTime)
            return times.0 != times.1 ? times.0 < times.1 : left < right
        }
        return order.prefix(variants.count - max(count, 0)).map { variants[$0].id }
    }
}
