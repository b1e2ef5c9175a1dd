/// A synchronous cache of one thread, made of closures that may capture what is not `Sendable`. Without closures, it is
/// a cache that never holds anything.
///
/// `forceSendable()` makes it one that takes modifiers.
public struct AnySyncCache<ID: Hashable, Value>: SyncCache {
    /// Reads the value of an identifier.
    public let valueForID: (ID) -> Value?
    /// Stores the value of an identifier.
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

    /// Stores a value under an identifier.
    public func store(value: Value, for id: ID) { storeValueForID(value, id) }
}

/// Any synchronous cache that may be used from every thread, as a type that can be stored.
public struct AnySendableSyncCache<ID: Hashable, Value>: SyncCache, Sendable {
    /// Reads the value of an identifier.
    public let valueForID: @Sendable (ID) -> Value?
    /// Stores the value of an identifier.
    public let storeValueForID: @Sendable (Value, ID) -> Void

    /// Creates a cache from closures.
    public init(
        valueForID: @escaping @Sendable (ID) -> Value?, storeValueForID: @escaping @Sendable (Value, ID) -> Void
    ) {
        self.valueForID = valueForID
        self.storeValueForID = storeValueForID
    }

    public func value(for id: ID) -> Value? { valueForID(id) }

    /// Stores a value under an identifier.
    public func store(value: Value, for id: ID) { storeValueForID(value, id) }
}

extension SyncCache where Self: Sendable {
    /// This cache behind a type that names only its ID and value. Erasing twice does not wrap twice.
    public func eraseToAnyCache() -> AnySendableSyncCache<ID, Value> {
        if let erased = self as? AnySendableSyncCache<ID, Value> { return erased }
        return AnySendableSyncCache(valueForID: { value(for: $0) }, storeValueForID: { store(value: $0, for: $1) })
    }
}
