extension SyncProvider {
    /// Asks `answer` first. If it has a value, this provider is not asked.
    ///
    /// Of two interjections the one added last is asked first. The errors combine as in `mapValue`.
    public func interject(
        _ answer: @escaping (ID) -> Value?
    ) -> some SyncProvider<ID, Value, Failure> {
        interject { (id) throws(Failure) in answer(id) }
    }

    /// Asks `answer` first. If it has a value, this provider is not asked.
    @_disfavoredOverload
    public func interject(
        _ answer: @escaping (ID) throws(Failure) -> Value?
    ) -> some SyncProvider<ID, Value, Failure> {
        AnySyncProvider { (id) throws(Failure) in
            if let value = try answer(id) { return value }
            return try value(for: id)
        }
    }

    /// Asks `answer` first. If it has a value, this provider is not asked.
    @_disfavoredOverload
    public func interject<NewFailure: Error>(
        _ answer: @escaping (ID) throws(NewFailure) -> Value?
    ) -> some SyncProvider<ID, Value, NewFailure> where Failure == Never {
        widened(to: NewFailure.self).interject(answer)
    }

    /// Asks `answer` first. If it has a value, this provider is not asked.
    @_disfavoredOverload
    public func interject<NewFailure: Error>(
        _ answer: @escaping (ID) throws(NewFailure) -> Value?
    ) -> some SyncProvider<ID, Value, any Error> {
        widened().interject { (id) throws(any Error) in try answer(id) }
    }
}

extension SyncProvider where Self: Sendable {
    /// Asks `answer` first. If it has a value, this provider is not asked.
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

    /// Asks `answer` first. If it has a value, this provider is not asked.
    @_disfavoredOverload
    public func interject<NewFailure: Error>(
        _ answer: @escaping @Sendable (ID) throws(NewFailure) -> Value?
    ) -> some SyncProvider<ID, Value, NewFailure> & Sendable where Failure == Never {
        widened(to: NewFailure.self).interject(answer)
    }

    /// Asks `answer` first. If it has a value, this provider is not asked.
    @_disfavoredOverload
    public func interject<NewFailure: Error>(
        _ answer: @escaping @Sendable (ID) throws(NewFailure) -> Value?
    ) -> some SyncProvider<ID, Value, any Error> & Sendable {
        widened().interject { (id) throws(any Error) in try answer(id) }
    }
}

extension AsyncProvider {
    /// Asks `answer` first. If it has a value, this provider is not asked.
    ///
    /// Of two interjections the one added last is asked first. The errors combine as in `mapValue`.
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

    /// Asks `answer` first. If it has a value, this provider is not asked.
    @_disfavoredOverload
    public func interject<NewFailure: Error>(
        _ answer: @escaping @Sendable (ID) async throws(NewFailure) -> Value?
    ) -> some AsyncProvider<ID, Value, NewFailure> where Failure == Never {
        widened(to: NewFailure.self).interject(answer)
    }

    /// Asks `answer` first. If it has a value, this provider is not asked.
    @_disfavoredOverload
    public func interject<NewFailure: Error>(
        _ answer: @escaping @Sendable (ID) async throws(NewFailure) -> Value?
    ) -> some AsyncProvider<ID, Value, any Error> {
        widened().interject { (id) async throws(any Error) in try await answer(id) }
    }
}
