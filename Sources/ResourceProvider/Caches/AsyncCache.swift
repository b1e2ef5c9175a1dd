/// A cache of values by identifier. Reads and writes may suspend.
///
/// The only promise: *if* `value(for:)` returns a value, it is the last one stored for that identifier. A cache may
/// evict values at any time and decline to store them. A ``RemovableAsyncCache`` also removes values on request and
/// reports statistics.
public protocol AsyncCache<ID, Value>: Sendable {
    /// The type of the identifiers.
    associatedtype ID: Hashable & Sendable
    /// The type of the values.
    associatedtype Value: Sendable

    /// Returns the last value stored for `id`, or `nil` if it is absent, was evicted or cannot be read.
    func value(for id: ID) async -> Value?

    /// Stores a value under an identifier. The cache may decline to store it.
    func store(value: Value, for id: ID) async

    /// Returns the value if the caller's thread can read it without waiting. The default implementation returns `nil`.
    ///
    /// Memory caches implement this. The read must be fast enough for the main thread during scrolling.
    func immediateValue(for id: ID) -> Value?
}

extension AsyncCache {
    public func immediateValue(for id: ID) -> Value? { nil }
}
