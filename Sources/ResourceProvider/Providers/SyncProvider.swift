/// A provider of values by identifier.
///
/// Every request returns a value or throws; it never returns `nil` unless `Value` is an optional. `Failure` is part of
/// the type, and every modifier preserves it; a provider whose `Failure` is `Never` needs no `try`.
///
/// Errors are not cached. To retry, call the provider again.
public protocol SyncProvider<ID, Value, Failure> {
    /// The type of identifiers: any `Hashable` type, such as a URL, or a struct with a URL and a size.
    associatedtype ID: Hashable
    /// The type of the values.
    associatedtype Value
    /// The type of the errors, or `Never` if the provider cannot fail.
    associatedtype Failure: Error

    /// Returns the value for an identifier.
    func value(for id: ID) throws(Failure) -> Value
}

extension SyncProvider where Failure == Never {
    /// Returns `value(for:)`, for providers that cannot fail.
    public subscript(id: ID) -> Value { value(for: id) }
}
