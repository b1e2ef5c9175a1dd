extension SyncProvider where Self: Sendable {
    /// Calls `effect` with each value before returning it. An error of `effect` fails the request.
    ///
    /// `effect` is not called if the request fails. It may throw the chain's `Failure`, as in `mapValue`.
    public func sideEffect(
        _ effect: @escaping @Sendable (Value, ID) -> Void
    ) -> some SyncProvider<ID, Value, Failure> & Sendable {
        sideEffect { (value, id) throws(Failure) in effect(value, id) }
    }

    /// Calls `effect` with each value before returning it. An error of `effect` fails the request.
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
    /// Calls `effect` with each value before returning it. An error of `effect` fails the request.
    ///
    /// `effect` is not called if the request fails. It may throw the chain's `Failure`, as in `mapValue`.
    /// `immediateValue(for:)` returns `nil` here: no value bypasses an effect that might reject it.
    public func sideEffect(
        _ effect: @escaping @Sendable (Value, ID) async -> Void
    ) -> some AsyncProvider<ID, Value, Failure> {
        sideEffect { (value, id) async throws(Failure) in await effect(value, id) }
    }

    /// Calls `effect` with each value before returning it. An error of `effect` fails the request.
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
