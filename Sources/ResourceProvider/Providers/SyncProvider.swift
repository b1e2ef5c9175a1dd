/// Gives the value that an identifier stands for, or throws.
///
/// There is no third outcome: a provider never answers "perhaps later" and never nil, unless its `Value` is an optional.
/// `Failure` is part of the type and survives every modifier; a provider whose `Failure` is `Never` needs no `try`.
///
/// An error leaves nothing behind. To retry is to ask again.
public protocol SyncProvider<ID, Value, Failure> {
    /// The type of identifiers: any `Hashable` type, such as a URL, or a struct with a URL and a size.
    associatedtype ID: Hashable
    /// The type of the values.
    associatedtype Value
    /// The type of the errors; `Never` if there are none.
    associatedtype Failure: Error

    /// Gets the value of an identifier.
    func value(for id: ID) throws(Failure) -> Value
}

extension SyncProvider where Failure == Never {
    /// The same as `value(for:)`, for providers that cannot fail.
    public subscript(id: ID) -> Value { value(for: id) }
}
