extension SyncProvider where Self: Sendable {
    /// Calls `effect` with each value before it is returned. An error that it throws fails the request.
    ///
    /// Not called when the request fails. It throws the chain's own `Failure`, as in `mapValue`.
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
}

extension AsyncProvider {
    /// Calls `effect` with each value before it is returned. An error that it throws fails the request.
    ///
    /// Not called when the request fails. It throws the chain's own `Failure`, as in `mapValue`. `immediateValue(for:)`
    /// answers nil here: no value gets past an effect that might refuse it.
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
}
