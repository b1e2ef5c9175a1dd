/// A provider of values by identifier. A request for a value may suspend.
///
/// Many tasks call an async provider concurrently, so the provider, its identifiers and its values are `Sendable`.
/// `value(for:)` runs on the caller's executor unless a modifier moves it: for example, `coordinated()` moves it to a
/// detached task, and `concurrent(on:)` to a thread that may block.
public protocol AsyncProvider<ID, Value, Failure>: Sendable {
    /// The type of identifiers: any `Hashable & Sendable` type, such as a URL, or a struct with a URL and a size.
    associatedtype ID: Hashable & Sendable
    /// The type of the values.
    associatedtype Value: Sendable
    /// The type of the errors, or `Never` if the provider cannot fail.
    associatedtype Failure: Error

    /// Returns the value for an identifier.
    func value(for id: ID) async throws(Failure) -> Value

    /// Returns the value if it is available without waiting, from the chain's caches on the caller's thread.
    ///
    /// Never starts work, never suspends and changes nothing (a cache may count the read). `nil` means that the caller
    /// should use `value(for:)`, not that the value does not exist. Sources return `nil`; so do modifiers whose
    /// closures might be slow or must see every request. All other modifiers forward the call.
    func immediateValue(for id: ID) -> Value?
}

extension AsyncProvider {
    public func immediateValue(for id: ID) -> Value? { nil }
}
