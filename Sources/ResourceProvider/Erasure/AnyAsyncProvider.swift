/// A type-erased asynchronous provider. Also the quickest way to create a mock.
public struct AnyAsyncProvider<ID: Hashable & Sendable, Value: Sendable, Failure: Error>: AsyncProvider {
    /// Returns the value for an identifier.
    public let valueForID: @Sendable (ID) async throws(Failure) -> Value
    /// Returns the value for an identifier if it is available without waiting.
    public let immediateValueForID: @Sendable (ID) -> Value?

    /// - Parameter immediateValueForID: Implements ``AsyncProvider/immediateValue(for:)``. Returns `nil` by default.
    public init(
        valueForID: @escaping @Sendable (ID) async throws(Failure) -> Value,
        immediateValueForID: @escaping @Sendable (ID) -> Value? = { _ in nil }
    ) {
        self.valueForID = valueForID
        self.immediateValueForID = immediateValueForID
    }

    public func value(for id: ID) async throws(Failure) -> Value { try await valueForID(id) }

    public func immediateValue(for id: ID) -> Value? { immediateValueForID(id) }
}

extension AsyncProvider {
    /// Returns this provider, type-erased. A type-erased provider is returned unchanged.
    public func eraseToAnyProvider() -> AnyAsyncProvider<ID, Value, Failure> {
        if let erased = self as? AnyAsyncProvider<ID, Value, Failure> { return erased }
        return AnyAsyncProvider { (id) async throws(Failure) in
            try await value(for: id)
        } immediateValueForID: { id in
            immediateValue(for: id)
        }
    }

    /// Returns a provider that loads values with `load` and takes immediate values from this one.
    func replacingValue<NewFailure: Error>(
        _ load: @escaping @Sendable (ID) async throws(NewFailure) -> Value
    ) -> AnyAsyncProvider<ID, Value, NewFailure> {
        AnyAsyncProvider(valueForID: load) { id in immediateValue(for: id) }
    }
}
