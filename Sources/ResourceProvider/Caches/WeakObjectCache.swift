import CalotypeBase

/// A cache that holds objects weakly, for as long as other code retains them.
///
/// For example, a read finds an image only while a view shows it. To avoid decoding the image again when the user
/// scrolls back, precede this cache by one that retains images. This cache drops the entries of dead objects whenever
/// the number of entries has doubled, from 64 on.
public final class WeakObjectCache<ID: Hashable, Value: AnyObject>: RemovableSyncCache {
    private struct Reference {
        weak var value: Value?
    }

    private struct State {
        var references: [ID: Reference] = [:]
        var sweepAt = 64
        var report = CacheReport(count: 0)

        mutating func sweep() -> Released {
            var released = Released(references: references)
            // Retain each object that is checked: if all other owners release it meanwhile, the last release happens
            // outside the lock.
            references = references.filter { entry in
                guard let value = entry.value.value else { return false }
                released.values.append(value)
                return true
            }
            report.evictions += released.references.count - references.count
            sweepAt = max(64, 2 * references.count)
            return released
        }
    }

    /// Objects to release outside the lock: the last release may run a user's `deinit`, which may call the cache.
    private struct Released {
        var references: [ID: Reference] = [:]
        var values: [Value] = []
    }

    private let state: Locked<State>

    /// - Parameter preloadedValues: The initial values, also held weakly.
    public init(preloadedValues: [ID: Value] = [:]) {
        state = Locked(State())
        for (id, value) in preloadedValues { store(value: value, for: id) }
    }

    public func value(for id: ID) -> Value? {
        state.withLock { state in
            let value = state.references[id]?.value
            if value == nil { state.report.misses += 1 } else { state.report.hits += 1 }
            return value
        }
    }

    /// Caches the object while other code retains it.
    public func store(value: Value, for id: ID) {
        _ = state.withLock { state in
            state.references[id] = Reference(value: value)
            state.report.stores += 1
            return state.references.count > state.sweepAt ? state.sweep() : Released()
        }
    }

    public func removeValue(for id: ID) {
        _ = state.withLock { state in
            state.references.index(forKey: id).map { state.references.remove(at: $0) }
        }
    }

    public func removeAll() {
        _ = state.withLock { state in
            defer { state.references = [:] }
            return Released(references: state.references)
        }
    }

    /// The report. `count` is the number of living objects; `evictions` is the number of entries that sweeps removed
    /// after their objects died.
    public var report: CacheReport {
        let (report, _) = state.withLock { state in
            let released = state.sweep()
            var report = state.report
            report.count = state.references.count
            return (report, released)
        }
        return report
    }
}

extension WeakObjectCache: Sendable where ID: Sendable, Value: Sendable {}

extension WeakObjectCache where ID: Sendable, Value: Sendable {
    /// Returns an asynchronous version of this cache. `immediateValue(for:)` reads the cache, because a read is brief.
    public func makeAsync() -> some RemovableAsyncCache<ID, Value> { concurrent(isCheap: true) }
}
