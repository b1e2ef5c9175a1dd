/// A synchronous provider for one thread, made of a closure that may capture non-`Sendable` values.
///
/// Call `forceSendable()` to add modifiers.
public struct AnySyncProvider<ID: Hashable, Value, Failure: Error>: SyncProvider {
    /// Returns the value for an identifier.
    public let valueForID: (ID) throws(Failure) -> Value

    /// Creates a provider from a closure.
    public init(valueForID: @escaping (ID) throws(Failure) -> Value) {
        self.valueForID = valueForID
    }

    public func value(for id: ID) throws(Failure) -> Value { try valueForID(id) }
}

/// A type-erased synchronous provider that any thread may use. Also the quickest way to create a mock.
public struct AnySendableSyncProvider<ID: Hashable, Value, Failure: Error>: SyncProvider, Sendable {
    /// Returns the value for an identifier.
    public let valueForID: @Sendable (ID) throws(Failure) -> Value

    /// Creates a provider from a closure.
    public init(valueForID: @escaping @Sendable (ID) throws(Failure) -> Value) {
        self.valueForID = valueForID
    }

    public func value(for id: ID) throws(Failure) -> Value { try valueForID(id) }
}

extension SyncProvider where Self: Sendable {
    /// Returns this provider, type-erased. A type-erased provider is returned unchanged.
    public func eraseToAnyProvider() -> AnySendableSyncProvider<ID, Value, Failure> {
        if let erased = self as? AnySendableSyncProvider<ID, Value, Failure> { return erased }
        return AnySendableSyncProvider { (id) throws(Failure) in try value(for: id) }
    }
}
