import CalotypeBase

/// Remembers objects for as long as somebody else holds them.
///
/// A hit while a view still shows the image, and no memory of its own beyond a table of weak references. That table is
/// swept whenever it has doubled, so it stays within twice the number of living objects and 64.
///
/// A value is gone with its last user: put a cache that holds on below it if scrolling back should not decode again.
public final class WeakObjectCache<ID: Hashable, Value: AnyObject>: RemovableSyncCache {
    private struct Reference {
        weak var value: Value?
    }

    private struct State {
        var references: [ID: Reference] = [:]
        var sweepAt = 64
        var report = CacheReport(count: 0)

        mutating func store(_ value: Value, for id: ID) -> Released {
            references[id] = Reference(value: value)
            report.stores += 1
            return references.count > sweepAt ? sweep() : Released()
        }

        mutating func sweep() -> Released {
            var released = Released(references: references)
            // Each object is held while it is looked at, and may have lost its other holders meanwhile.
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

    /// The objects held under the lock, to be released outside: the last release runs a user's `deinit`, which may use
    /// the cache.
    private struct Released {
        var references: [ID: Reference] = [:]
        var values: [Value] = []
    }

    private let state: Locked<State>

    /// - Parameter preloadedValues: what it knows from the start, held weakly like everything else.
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

    /// Remembers the object for as long as it is used elsewhere.
    public func store(value: Value, for id: ID) {
        _ = state.withLock { $0.store(value, for: id) }
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

    /// `count` is the number of living objects; `evictions` those whose death a sweep has noticed.
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
    /// This cache for async chains. It has a lock of its own, so nothing waits, and `immediateValue(for:)` reads it.
    public func makeAsync() -> some RemovableAsyncCache<ID, Value> { concurrent(isCheap: true) }
}
