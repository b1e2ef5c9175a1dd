import CalotypeBase
import ResourceProvider

/// A dictionary whose contents tests can inspect.
final class ProbeCache<ID: Hashable & Sendable, Value: Sendable>: RemovableSyncCache, Sendable {
    private struct State {
        var values: [ID: Value]
        var report = CacheReport(count: 0)
    }

    private let state: Locked<State>

    init(_ values: [ID: Value] = [:]) { state = Locked(State(values: values)) }

    var values: [ID: Value] { state.withLock { $0.values } }

    func value(for id: ID) -> Value? {
        state.withLock { state in
            if state.values[id] == nil { state.report.misses += 1 } else { state.report.hits += 1 }
            return state.values[id]
        }
    }

    func store(value: Value, for id: ID) {
        state.withLock { state in
            state.values[id] = value
            state.report.stores += 1
        }
    }

    func removeValue(for id: ID) { state.withLock { $0.values[id] = nil } }

    func removeAll() { state.withLock { $0.values = [:] } }

    var report: CacheReport {
        state.withLock { state in
            var report = state.report
            report.count = state.values.count
            return report
        }
    }
}
