/// A synchronous provider of one thread, made of a closure that may capture what is not `Sendable`.
///
/// `forceSendable()` makes it one that takes modifiers.
public struct AnySyncProvider<ID: Hashable, Value, Failure: Error>: SyncProvider {
    /// Gets the value of an identifier.
    public let valueForID: (ID) throws(Failure) -> Value

    /// Creates a provider from a closure.
    public init(valueForID: @escaping (ID) throws(Failure) -> Value) {
        self.valueForID = valueForID
    }

    /// Gets the value of an identifier.
    public func value(for id: ID) throws(Failure) -> Value { try valueForID(id) }
}

/// Any synchronous provider that may be used from every thread, as a type that can be stored. Also the quickest way to
/// a mock.
public struct AnySendableSyncProvider<ID: Hashable, Value, Failure: Error>: SyncProvider, Sendable {
    /// Gets the value of an identifier.
    public let valueForID: @Sendable (ID) throws(Failure) -> Value

    /// Creates a provider from a closure.
    public init(valueForID: @escaping @Sendable (ID) throws(Failure) -> Value) {
        self.valueForID = valueForID
    }

    /// Gets the value of an identifier.
    public func value(for id: ID) throws(Failure) -> Value { try valueForID(id) }
}

extension SyncProvider where Self: Sendable {
    /// This provider behind a type that names only its ID, value and failure. Erasing twice does not wrap twice.
    public func eraseToAnyProvider() -> AnySendableSyncProvider<ID, Value, Failure> {
        if let erased = self as? AnySendableSyncProvider<ID, Value, Failure> { return erased }
        return AnySendableSyncProvider { (id) throws(Failure) in try value(for: id) }
    }
}
