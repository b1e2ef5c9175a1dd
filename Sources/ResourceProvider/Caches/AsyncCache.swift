/// Keeps values by identifier, for as long as it sees fit; reading and writing may take time.
///
/// The one promise: *if* `value(for:)` returns a value, it is the last one stored for that identifier. A cache may
/// forget at any time and may decline to store. One that can also forget on demand and tell how it does is a
/// ``RemovableAsyncCache``.
public protocol AsyncCache<ID, Value>: Sendable {
    /// The type of the identifiers.
    associatedtype ID: Hashable & Sendable
    /// The type of the values.
    associatedtype Value: Sendable

    /// The last value stored for `id`, or nil when it is absent, was forgotten or cannot be read.
    func value(for id: ID) async -> Value?

    /// Stores a value under an identifier. The cache may decline.
    func store(value: Value, for id: ID) async

    /// The value, if it can be had in no time on the caller's thread. Nil by default.
    ///
    /// For caches in memory. Must be fit for the main thread while it scrolls.
    func immediateValue(for id: ID) -> Value?
}

extension AsyncCache {
    public func immediateValue(for id: ID) -> Value? { nil }
}
