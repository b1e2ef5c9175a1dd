/// A type-erased asynchronous cache. A cache created without closures is always empty.
public struct AnyAsyncCache<ID: Hashable & Sendable, Value: Sendable>: AsyncCache {
    /// Returns the value for an identifier.
    public let valueForID: @Sendable (ID) async -> Value?
    /// Stores a value for an identifier.
    public let storeValueForID: @Sendable (Value, ID) async -> Void
    /// Returns the value for an identifier if it is available without waiting.
    public let immediateValueForID: @Sendable (ID) -> Value?

    /// Creates a cache from closures.
    public init(
        valueForID: @escaping @Sendable (ID) async -> Value? = { _ in nil },
        storeValueForID: @escaping @Sendable (Value, ID) async -> Void = { _, _ in },
        immediateValueForID: @escaping @Sendable (ID) -> Value? = { _ in nil }
    ) {
        self.valueForID = valueForID
        self.storeValueForID = storeValueForID
        self.immediateValueForID = immediateValueForID
    }

    public func value(for id: ID) async -> Value? { await valueForID(id) }

    public func store(value: Value, for id: ID) async { await storeValueForID(value, id) }

    public func immediateValue(for id: ID) -> Value? { immediateValueForID(id) }
}

extension AsyncCache {
    /// Returns this cache, type-erased. A type-erased cache is returned unchanged.
    public func eraseToAnyCache() -> AnyAsyncCache<ID, Value> {
        if let erased = self as? AnyAsyncCache<ID, Value> { return erased }
        return AnyAsyncCache(
            valueForID: { await value(for: $0) },
            storeValueForID: { await store(value: $0, for: $1) },
            immediateValueForID: { immediateValue(for: $0) })
    }
}
