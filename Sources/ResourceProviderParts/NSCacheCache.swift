public import Foundation
public import ResourceProvider

/// Foundation's `NSCache` as a `SyncCache`, for keys and values that are objects. Apple's `NSCache` also evicts values
/// when memory is short.
///
/// `NSCache` documents no eviction order, and has no limit by default. `ValueCache` has an order and a limit, and does
/// not require objects.
public struct NSCacheCache<ID: Hashable & AnyObject, Value: AnyObject>: SyncCache {
    private let cache: NSCache<ID, Value>
    private let costOf: @Sendable (Value) -> Int

    /// - Parameters:
    ///   - preexistingCache: The underlying cache. To bound it, set its `totalCostLimit` or `countLimit`.
    ///   - cost: Returns a value's cost, which counts against `totalCostLimit`. The default is 0.
    public init(
        preexistingCache: NSCache<ID, Value> = NSCache(), cost: @escaping @Sendable (Value) -> Int = { _ in 0 }
    ) {
        cache = preexistingCache
        costOf = cost
    }

    public func value(for id: ID) -> Value? { cache.object(forKey: id) }

    public func store(value: Value, for id: ID) { cache.setObject(value, forKey: id, cost: costOf(value)) }

    /// Removes the value for `id`, if any.
    public func removeValue(for id: ID) { cache.removeObject(forKey: id) }

    /// Removes all values.
    public func removeAll() { cache.removeAllObjects() }
}

// Unchecked: `NSCache` is documented as thread-safe.
extension NSCacheCache: @unchecked Sendable where ID: Sendable, Value: Sendable {}

extension NSCacheCache where ID: Sendable, Value: Sendable {
    /// Returns an asynchronous view of this cache. Its calls never suspend, and `immediateValue(for:)` reads the cache.
    public func makeAsync() -> some AsyncCache<ID, Value> { concurrent(isCheap: true) }
}
