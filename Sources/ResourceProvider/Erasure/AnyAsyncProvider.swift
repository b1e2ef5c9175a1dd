/// Any asynchronous provider, as a type that can be stored. Also the quickest way to a mock.
public struct AnyAsyncProvider<ID: Hashable & Sendable, Value: Sendable, Failure: Error>: AsyncProvider {
    /// Gets the value of an identifier.
    public let valueForID: @Sendable (ID) async throws(Failure) -> Value
    /// Gets the value of an identifier if that takes no waiting.
    public let immediateValueForID: @Sendable (ID) -> Value?

    /// - Parameter immediateValueForID: what ``AsyncProvider/immediateValue(for:)`` answers; nil by default.
    public init(
        valueForID: @escaping @Sendable (ID) async throws(Failure) -> Value,
        immediateValueForID: @escaping @Sendable (ID) -> Value? = { _ in nil }
    ) {
        self.valueForID = valueForID
        self.immediateValueForID = immediateValueForID
    }

    /// Gets the value of an identifier.
    public func value(for id: ID) async throws(Failure) -> Value { try await valueForID(id) }

    public func immediateValue(for id: ID) -> Value? { immediateValueForID(id) }
}

extension AsyncProvider {
    /// This provider behind a type that names only its ID, value and failure. Erasing twice does not wrap twice.
    public func eraseToAnyProvider() -> AnyAsyncProvider<ID, Value, Failure> {
        if let erased = self as? AnyAsyncProvider<ID, Value, Failure> { return erased }
        return AnyAsyncProvider { (id) async throws(Failure) in
            try await value(for: id)
        } immediateValueForID: { id in
            immediateValue(for: id)
        }
    }

    /// A provider of the same identifiers that gets its value by `load` and hands the synchronous peek to this one.
    func replacingValue<NewFailure: Error>(
        _ load: @escaping @Sendable (ID) async throws(NewFailure) -> Value
    ) -> AnyAsyncProvider<ID, Value, NewFailure> {
        AnyAsyncProvider(valueForID: load) { id in immediateValue(for: id) }
    }
}
