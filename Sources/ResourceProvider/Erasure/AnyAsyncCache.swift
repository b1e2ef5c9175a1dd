/// Any asynchronous cache, as a type that can be stored. Made without closures, it is a cache that never holds anything.
public struct AnyAsyncCache<ID: Hashable & Sendable, Value: Sendable>: AsyncCache {
    /// Reads the value of an identifier.
    public let valueForID: @Sendable (ID) async -> Value?
    /// Stores the value of an identifier.
    public let storeValueForID: @Sendable (Value, ID) async -> Void
    /// Reads the value of an identifier if that takes no waiting.
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

    /// Stores a value under an identifier.
    public func store(value: Value, for id: ID) async { await storeValueForID(value, id) }

    public func immediateValue(for id: ID) -> Value? { immediateValueForID(id) }
}

extension AsyncCache {
    /// This cache behind a type that names only its ID and value. Erasing twice does not wrap twice.
    public func eraseToAnyCache() -> AnyAsyncCache<ID, Value> {
        if let erased = self as? AnyAsyncCache<ID, Value> { return erased }
        return AnyAsyncCache(
            valueForID: { await value(for: $0) },
            storeValueForID: { await store(value: $0, for: $1) },
            immediateValueForID: { immediateValue(for: $0) })
    }
}
