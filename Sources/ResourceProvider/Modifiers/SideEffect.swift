extension SyncProvider {
    /// Calls `effect` with each value before it is returned. An error that it throws fails the request.
    ///
    /// Not called when the request fails. The errors combine as in `mapValue`.
    public func sideEffect(
        _ effect: @escaping (Value, ID) -> Void
    ) -> some SyncProvider<ID, Value, Failure> {
        sideEffect { (value, id) throws(Failure) in effect(value, id) }
    }

    /// Calls `effect` with each value before it is returned. An error that it throws fails the request.
    @_disfavoredOverload
    public func sideEffect(
        _ effect: @escaping (Value, ID) throws(Failure) -> Void
    ) -> some SyncProvider<ID, Value, Failure> {
        mapValue { (value, id) throws(Failure) in
            try effect(value, id)
            return value
        }
    }

    /// Calls `effect` with each value before it is returned. An error that it throws fails the request.
    @_disfavoredOverload
    public func sideEffect<NewFailure: Error>(
        _ effect: @escaping (Value, ID) throws(NewFailure) -> Void
    ) -> some SyncProvider<ID, Value, NewFailure> where Failure == Never {
        widened(to: NewFailure.self).sideEffect(effect)
    }

    /// Calls `effect` with each value before it is returned. An error that it throws fails the request.
    @_disfavoredOverload
    public func sideEffect<NewFailure: Error>(
        _ effect: @escaping (Value, ID) throws(NewFailure) -> Void
    ) -> some SyncProvider<ID, Value, any Error> {
        widened().sideEffect { (value, id) throws(any Error) in try effect(value, id) }
    }
}

extension SyncProvider where Self: Sendable {
    /// Calls `effect` with each value before it is returned. An error that it throws fails the request.
    public func sideEffect(
        _ effect: @escaping @Sendable (Value, ID) -> Void
    ) -> some SyncProvider<ID, Value, Failure> & Sendable {
        sideEffect { (value, id) throws(Failure) in effect(value, id) }
    }

    /// Calls `effect` with each value before it is returned. An error that it throws fails the request.
    @_disfavoredOverload
    public func sideEffect(
        _ effect: @escaping @Sendable (Value, ID) throws(Failure) -> Void
    ) -> some SyncProvider<ID, Value, Failure> & Sendable {
        mapValue { (value, id) throws(Failure) in
            try effect(value, id)
            return value
        }
    }

    /// Calls `effect` with each value before it is returned. An error that it throws fails the request.
    @_disfavoredOverload
    public func sideEffect<NewFailure: Error>(
        _ effect: @escaping @Sendable (Value, ID) throws(NewFailure) -> Void
    ) -> some SyncProvider<ID, Value, NewFailure> & Sendable where Failure == Never {
        widened(to: NewFailure.self).sideEffect(effect)
    }

    /// Calls `effect` with each value before it is returned. An error that it throws fails the request.
    @_disfavoredOverload
    public func sideEffect<NewFailure: Error>(
        _ effect: @escaping @Sendable (Value, ID) throws(NewFailure) -> Void
    ) -> some SyncProvider<ID, Value, any Error> & Sendable {
        widened().sideEffect { (value, id) throws(any Error) in try effect(value, id) }
    }
}

extension AsyncProvider {
    /// Calls `effect` with each value before it is returned. An error that it throws fails the request.
    ///
    /// Not called when the request fails. The errors combine as in `mapValue`. `immediateValue(for:)` answers nil here:
    /// no value gets past an effect that might refuse it.
    public func sideEffect(
        _ effect: @escaping @Sendable (Value, ID) async -> Void
    ) -> some AsyncProvider<ID, Value, Failure> {
        sideEffect { (value, id) async throws(Failure) in await effect(value, id) }
    }

    /// Calls `effect` with each value before it is returned. An error that it throws fails the request.
    @_disfavoredOverload
    public func sideEffect(
        _ effect: @escaping @Sendable (Value, ID) async throws(Failure) -> Void
    ) -> some AsyncProvider<ID, Value, Failure> {
        mapValue { (value, id) async throws(Failure) in
            try await effect(value, id)
            return value
        }
    }

    /// Calls `effect` with each value before it is returned. An error that it throws fails the request.
    @_disfavoredOverload
    public func sideEffect<NewFailure: Error>(
        _ effect: @escaping @Sendable (Value, ID) async throws(NewFailure) -> Void
    ) -> some AsyncProvider<ID, Value, NewFailure> where Failure == Never {
        widened(to: NewFailure.self).sideEffect(effect)
    }

    /// Calls `effect` with each value before it is returned. An error that it throws fails the request.
    @_disfavoredOverload
    public func sideEffect<NewFailure: Error>(
        _ effect: @escaping @Sendable (Value, ID) async throws(NewFailure) -> Void
    ) -> some AsyncProvider<ID, Value, any Error> {
        widened().sideEffect { (value, id) async throws(any Error) in try await effect(value, id) }
    }
}
