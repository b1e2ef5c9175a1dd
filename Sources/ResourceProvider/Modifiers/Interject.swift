extension SyncProvider where Self: Sendable {
    /// Calls `answer` first. If it returns a value, this provider is not called.
    ///
    /// The interjection added last runs first.
    public func interject(
        _ answer: @escaping @Sendable (ID) -> Value?
    ) -> some SyncProvider<ID, Value, Failure> & Sendable {
        interject { (id) throws(Failure) in answer(id) }
    }

    /// Calls `answer` first. If it returns a value, this provider is not called; if it throws, the request fails.
    ///
    /// The interjection added last runs first.
    @_disfavoredOverload
    public func interject(
        _ answer: @escaping @Sendable (ID) throws(Failure) -> Value?
    ) -> some SyncProvider<ID, Value, Failure> & Sendable {
        AnySendableSyncProvider { (id) throws(Failure) in
            if let value = try answer(id) { return value }
            return try value(for: id)
        }
    }

    /// Calls `answer` first. If it returns a value, this provider is not called; if it throws, the request fails, with
    /// `any Error` as the chain's error type from here on.
    ///
    /// The interjection added last runs first.
    @_disfavoredOverload
    public func interject(
        _ answer: @escaping @Sendable (ID) throws -> Value?
    ) -> some SyncProvider<ID, Value, any Error> & Sendable {
        AnySendableSyncProvider { (id) throws in
            if let value = try answer(id) { return value }
            return try value(for: id)
        }
    }
}

extension AsyncProvider {
    /// Calls `answer` first. If it returns a value, this provider is not called.
    ///
    /// The interjection added last runs first. `immediateValue(for:)` returns `nil` here: a value from the chain below
    /// might differ from the result of `answer`.
    public func interject(
        _ answer: @escaping @Sendable (ID) async -> Value?
    ) -> some AsyncProvider<ID, Value, Failure> {
        interject { (id) async throws(Failure) in await answer(id) }
    }

    /// Calls `answer` first. If it returns a value, this provider is not called; if it throws, the request fails.
    ///
    /// Otherwise like the overload for closures that do not throw.
    @_disfavoredOverload
    public func interject(
        _ answer: @escaping @Sendable (ID) async throws(Failure) -> Value?
    ) -> some AsyncProvider<ID, Value, Failure> {
        AnyAsyncProvider { (id) async throws(Failure) in
            if let value = try await answer(id) { return value }
            return try await value(for: id)
        }
    }

    /// Calls `answer` first. If it returns a value, this provider is not called; if it throws, the request fails, with
    /// `any Error` as the chain's error type from here on.
    ///
    /// Otherwise like the overload for closures that do not throw.
    @_disfavoredOverload
    public func interject(
        _ answer: @escaping @Sendable (ID) async throws -> Value?
    ) -> some AsyncProvider<ID, Value, any Error> {
        AnyAsyncProvider { (id) async throws in
            if let value = try await answer(id) { return value }
            return try await value(for: id)
        }
    }
}
