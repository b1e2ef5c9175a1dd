/// Gives the value that an identifier stands for, some time later, or throws.
///
/// Async providers are asked from many tasks at once, so they, their identifiers and their values are `Sendable`.
/// `value(for:)` runs where its caller runs until a modifier moves it: `coordinated()` into a task of its own,
/// `concurrent(on:)` to a thread that may block.
public protocol AsyncProvider<ID, Value, Failure>: Sendable {
    /// The type of identifiers: any `Hashable & Sendable` type, such as a URL, or a struct with a URL and a size.
    associatedtype ID: Hashable & Sendable
    /// The type of the values.
    associatedtype Value: Sendable
    /// The type of the errors; `Never` if there are none.
    associatedtype Failure: Error

    /// Gets the value of an identifier.
    func value(for id: ID) async throws(Failure) -> Value

    /// Returns the value that is available without waiting: a look into the synchronous caches of the chain, on the
    /// caller's thread.
    ///
    /// Never starts work, never suspends and changes nothing (a cache may count the read). Nil means "ask
    /// `value(for:)`", not "there is none". Sources answer nil; so do modifiers whose closure might be heavy or has to
    /// see every request. The rest pass the question on.
    func immediateValue(for id: ID) -> Value?
}

extension AsyncProvider {
    public func immediateValue(for id: ID) -> Value? { nil }
}
