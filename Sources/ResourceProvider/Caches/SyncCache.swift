/// A cache of values by identifier.
///
/// The only promise: *if* `value(for:)` returns a value, it is the last one stored for that identifier. A cache may
/// evict values at any time and decline to store them. A ``RemovableSyncCache`` also removes values on request and
/// reports statistics.
public protocol SyncCache<ID, Value> {
    /// The type of the identifiers.
    associatedtype ID: Hashable
    /// The type of the values.
    associatedtype Value

    /// Returns the last value stored for `id`, or `nil` if it is absent, was evicted or cannot be read.
    func value(for id: ID) -> Value?

    /// Stores a value under an identifier. The cache may decline to store it.
    func store(value: Value, for id: ID)
}

extension SyncCache {
    /// Returns `value(for:)`. The subscript has no setter, because the cache may decline to store a value.
    public subscript(id: ID) -> Value? { value(for: id) }
}
