public import Foundation
public import ResourceProvider

/// Foundation's `NSCache` as a cache of the algebra: objects by objects, in memory, forgotten under pressure.
///
/// For values that are objects already. It has no promise about what it forgets first, and unless told what a value
/// costs it keeps all of them; `MemoryCache` has an order, a budget and no need for objects.
public struct NSCacheCache<ID: Hashable & AnyObject, Value: AnyObject>: SyncCache {
    private let cache: NSCache<ID, Value>
    private let costOf: @Sendable (Value) -> Int

    /// - Parameters:
    ///   - preexistingCache: where values are kept. Set its `totalCostLimit` or `countLimit` to bound it.
    ///   - cost: what a value counts against `totalCostLimit`. Nothing by default.
    public init(
        preexistingCache: NSCache<ID, Value> = NSCache(), cost: @escaping @Sendable (Value) -> Int = { _ in 0 }
    ) {
        cache = preexistingCache
        costOf = cost
    }

    public func value(for id: ID) -> Value? { cache.object(forKey: id) }

    /// Stores a value under an identifier.
    public func store(value: Value, for id: ID) { cache.setObject(value, forKey: id, cost: costOf(value)) }

    /// Forgets the value for `id`. Nothing happens if there is none.
    public func removeValue(for id: ID) { cache.removeObject(forKey: id) }

    /// Forgets everything.
    public func removeAll() { cache.removeAllObjects() }
}

// Unchecked: `NSCache` says of itself that it may be used from several threads without a lock.
extension NSCacheCache: @unchecked Sendable where ID: Sendable, Value: Sendable {}

extension NSCacheCache where ID: Sendable, Value: Sendable {
    /// This cache for async chains. Nothing waits, and `immediateValue(for:)` reads it.
    public func makeAsync() -> some AsyncCache<ID, Value> { concurrent(isCheap: true) }
}
