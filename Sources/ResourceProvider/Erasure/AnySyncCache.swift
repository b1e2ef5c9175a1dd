/// A synchronous cache for one thread, made of closures that need not be `Sendable`. A cache created without closures
/// is always empty.
///
/// Call `forceSendable()` to add modifiers.
public struct AnySyncCache<ID: Hashable, Value>: SyncCache {
    /// Returns the value for an identifier.
    public let valueForID: (ID) -> Value?
    /// Stores a value for an identifier.
    public let storeValueForID: (Value, ID) -> Void

    /// Creates a cache from closures.
    public init(
        valueForID: @escaping (ID) -> Value? = { _ in nil },
        storeValueForID: @escaping (Value, ID) -> Void = { _, _ in }
    ) {
        self.valueForID = valueForID
        self.storeValueForID = storeValueForID
    }

    public func value(for id: ID) -> Value? { valueForID(id) }

    public func store(value: Value, for id: ID) { storeValueForID(value, id) }
}

/// A type-erased synchronous cache that any thread may use.
public struct AnySendableSyncCache<ID: Hashable, Value>: SyncCache, Sendable {
    /// Returns the value for an identifier.
    public let valueForID: @Sendable (ID) -> Value?
    /// Stores a value for an identifier.
    public let storeValueForID: @Sendable (Value, ID) -> Void

    /// Creates a cache from closures.
    public init(
        valueForID: @escaping @Sendable (ID) -> Value?, storeValueForID: @escaping @Sendable (Value, ID) -> Void
    ) {
        self.valueForID = valueForID
        self.storeValueForID = storeValueForID
    }

    public func value(for id: ID) -> Value? { valueForID(id) }

    public func store(value: Value, for id: ID) { storeValueForID(value, id) }
}

extension SyncCache where Self: Sendable {
    /// Returns this cache, type-erased. A type-erased cache is returned unchanged.
    public func eraseToAnyCache() -> AnySendableSyncCache<ID, Value> {
        if let erased = self as? AnySendableSyncCache<ID, Value> { return erased }
        return AnySendableSyncCache(valueForID: { value(for: $0) }, storeValueForID: { store(value: $0, for: $1) })
    }
}
