extension SyncProvider where Self: Sendable {
    /// Calls `effect` with each value before returning it.
    public func sideEffect(
        _ effect: @escaping @Sendable (Value, ID) -> Void
    ) -> some SyncProvider<ID, Value, Failure> & Sendable {
        sideEffect { (value, id) throws(Failure) in effect(value, id) }
    }

    /// Calls `effect` with each value before returning it. If `effect` throws, the request fails.
    @_disfavoredOverload
    public func sideEffect(
        _ effect: @escaping @Sendable (Value, ID) throws(Failure) -> Void
    ) -> some SyncProvider<ID, Value, Failure> & Sendable {
        mapValue { (value, id) throws(Failure) in
            try effect(value, id)
            return value
        }
    }

    /// Calls `effect` with each value before returning it. If `effect` throws, the request fails, with `any Error` as the
    /// chain's error type from here on.
    @_disfavoredOverload
    public func sideEffect(
        _ effect: @escaping @Sendable (Value, ID) throws -> Void
    ) -> some SyncProvider<ID, Value, any Error> & Sendable {
        AnySendableSyncProvider { (id) throws in
            let value = try value(for: id)
            try effect(value, id)
            return value
        }
    }
}

extension AsyncProvider {
    /// Calls `effect` with each value before returning it.
    ///
    /// `immediateValue(for:)` returns `nil` here, so that no value bypasses the effect.
    public func sideEffect(
        _ effect: @escaping @Sendable (Value, ID) async -> Void
    ) -> some AsyncProvider<ID, Value, Failure> {
        sideEffect { (value, id) async throws(Failure) in await effect(value, id) }
    }

    /// Calls `effect` with each value before returning it. If `effect` throws, the request fails.
    ///
    /// `immediateValue(for:)` returns `nil`, so that no value bypasses the effect.
    @_disfavoredOverload
    public func sideEffect(
        _ effect: @escaping @Sendable (Value, ID) async throws(Failure) -> Void
    ) -> some AsyncProvider<ID, Value, Failure> {
        mapValue { (value, id) async throws(Failure) in
            try await effect(value, id)
            return value
        }
    }

    /// Calls `effect` with each value before returning it. If `effect` throws, the request fails, with `any Error` as the
    /// chain's error type from here on.
    ///
    /// `immediateValue(for:)` returns `nil`, so that no value bypasses the effect.
    @_disfavoredOverload
    public func sideEffect(
        _ effect: @escaping @Sendable (Value, ID) async throws -> Void
    ) -> some AsyncProvider<ID, Value, any Error> {
        AnyAsyncProvider { (id) async throws in
            let value = try await value(for: id)
            try await effect(value, id)
            return value
        }
    }
}
