/// Keeps values by identifier, for as long as it sees fit.
///
/// The one promise: *if* `value(for:)` returns a value, it is the last one stored for that identifier. A cache may
/// forget at any time and may decline to store. One that can also forget on demand and tell how it does is a
/// ``RemovableSyncCache``.
public protocol SyncCache<ID, Value> {
    /// The type of the identifiers.
    associatedtype ID: Hashable
    /// The type of the values.
    associatedtype Value

    /// The last value stored for `id`, or nil when it is absent, was forgotten or cannot be read.
    func value(for id: ID) -> Value?

    /// Stores a value under an identifier. The cache may decline.
    func store(value: Value, for id: ID)
}

extension SyncCache {
    /// The same as `value(for:)`. There is no setter: a cache that declines to store would belie it.
    public subscript(id: ID) -> Value? { value(for: id) }
}
