extension SyncProvider where Self: Sendable {
    /// Asks `answer` first. If it has a value, this provider is not asked.
    ///
    /// Of two interjections the one added last is asked first. It throws the chain's own `Failure`, as in `mapValue`.
    public func interject(
        _ answer: @escaping @Sendable (ID) -> Value?
    ) -> some SyncProvider<ID, Value, Failure> & Sendable {
        interject { (id) throws(Failure) in answer(id) }
    }

    /// Asks `answer` first. If it has a value, this provider is not asked.
    @_disfavoredOverload
    public func interject(
        _ answer: @escaping @Sendable (ID) throws(Failure) -> Value?
    ) -> some SyncProvider<ID, Value, Failure> & Sendable {
        AnySendableSyncProvider { (id) throws(Failure) in
            if let value = try answer(id) { return value }
            return try value(for: id)
        }
    }
}

extension AsyncProvider {
    /// Asks `answer` first. If it has a value, this provider is not asked.
    ///
    /// Of two interjections the one added last is asked first. It throws the chain's own `Failure`, as in `mapValue`.
    /// `immediateValue(for:)` answers nil here: what the chain below has at hand might not be what `answer` says.
    public func interject(
        _ answer: @escaping @Sendable (ID) async -> Value?
    ) -> some AsyncProvider<ID, Value, Failure> {
        interject { (id) async throws(Failure) in await answer(id) }
    }

    /// Asks `answer` first. If it has a value, this provider is not asked.
    @_disfavoredOverload
    public func interject(
        _ answer: @escaping @Sendable (ID) async throws(Failure) -> Value?
    ) -> some AsyncProvider<ID, Value, Failure> {
        AnyAsyncProvider { (id) async throws(Failure) in
            if let value = try await answer(id) { return value }
            return try await value(for: id)
        }
    }
}
