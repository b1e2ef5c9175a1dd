import CalotypeBase

/// A cache in memory within a limit, for values of any type.
///
/// ```swift
/// let memory = ValueCache<URL, Data>(limit: 64 << 20) { $0.count }
/// let provider = source.cache(memory.makeAsync()).coordinated()
/// ```
///
/// Beyond the limit the cache evicts by SIEVE: the oldest values first, but not those that were read since the cache last
/// passed over them. A pass over many values therefore does not evict the ones that are read again and again. Any thread
/// may call the cache, which releases values and identifiers outside its lock.
public final class ValueCache<ID: Hashable, Value>: RemovableSyncCache {
    private typealias Memory = SieveMemory<ID, Value>

    private struct State {
        var memory: Memory
        var report = CacheReport(count: 0)
    }

    /// The maximum total cost of the values.
    public let limit: Int
    private let cost: @Sendable (Value) -> Int
    private let state: Locked<State>

    /// - Parameters:
    ///   - limit: The maximum total cost. The cache rejects a value that costs more than that; with 0, it keeps nothing.
    ///   - cost: Returns a value's cost, such as its size in bytes. By default each value costs 1, so that `limit` is a
    ///     number of values. A cost below 1 counts as 1. Called once per `store`.
    public init(limit: Int, cost: @escaping @Sendable (Value) -> Int = { _ in 1 }) {
        self.limit = max(limit, 0)
        self.cost = cost
        state = Locked(State(memory: Memory(limit: self.limit)))
    }

    public func value(for id: ID) -> Value? {
        state.withLock { state in
            let value = state.memory.value(for: id)
            if value == nil { state.report.misses += 1 } else { state.report.hits += 1 }
            return value
        }
    }

    /// Stores a value in place of the identifier's previous one, and evicts others until all fit within the limit.
    public func store(value: Value, for id: ID) {
        let cost = max(cost(value), 1)
        var released: (replaced: Memory.Entry?, evicted: [Memory.Entry]) = (nil, [])
        state.withLock { state in
            released.replaced = state.memory.remove(id)
            guard cost <= limit else {
                state.report.rejections += 1
                return
            }
            released.evicted = state.memory.set(value, cost: cost, for: id)
            state.report.stores += 1
            state.report.evictions += released.evicted.count
        }
        withExtendedLifetime(released) {}
    }

    public func removeValue(for id: ID) {
        let removed = state.withLock { $0.memory.remove(id) }
        withExtendedLifetime(removed) {}
    }

    public func removeAll() {
        let removed = state.withLock { state in
            defer { state.memory = Memory(limit: limit) }
            return state.memory
        }
        withExtendedLifetime(removed) {}
    }

    /// The counters of the cache. `cost` is the total cost of its values.
    public var report: CacheReport {
        state.withLock { state in
            var report = state.report
            report.count = state.memory.count
            report.cost = state.memory.cost
            return report
        }
    }
}

extension ValueCache: Sendable where ID: Sendable, Value: Sendable {}

extension ValueCache where ID: Sendable, Value: Sendable {
    /// Returns an asynchronous version of this cache. `immediateValue(for:)` reads the cache, because a read is brief.
    public func makeAsync() -> some RemovableAsyncCache<ID, Value> { concurrent(isCheap: true) }
}
