// Each modifier whose closure may fail has three overloads: for closures that do not throw, for closures that throw the
// chain's error, and for all others, which widen the chain to `any Error`. The second and third are disfavored: in the
// middle of a long chain Swift has to choose an overload before it knows the chain's `Failure`, and would infer `Never`
// from a closure that does not throw. Where both fit, Swift chooses the second, whose parameter is the more special.

extension SyncProvider where Self: Sendable {
    /// Transforms each value, given the requested identifier.
    public func mapValue<Other>(
        _ transform: @escaping @Sendable (Value, ID) -> Other
    ) -> some SyncProvider<ID, Other, Failure> & Sendable {
        mapValue { (value, id) throws(Failure) in transform(value, id) }
    }

    /// Transforms each value, given the requested identifier. If `transform` throws, the request fails.
    ///
    /// Add this before `cache` to keep values that `transform` rejects out of the cache.
    @_disfavoredOverload
    public func mapValue<Other>(
        _ transform: @escaping @Sendable (Value, ID) throws(Failure) -> Other
    ) -> some SyncProvider<ID, Other, Failure> & Sendable {
        AnySendableSyncProvider { (id) throws(Failure) in try transform(value(for: id), id) }
    }

    /// Transforms each value, given the requested identifier. If `transform` throws, the request fails, with `any Error`
    /// as the chain's error type from here on.
    ///
    /// To keep an error type, declare that of the closure, and add `mapError` first if the chain has another one.
    @_disfavoredOverload
    public func mapValue<Other>(
        _ transform: @escaping @Sendable (Value, ID) throws -> Other
    ) -> some SyncProvider<ID, Other, any Error> & Sendable {
        AnySendableSyncProvider { (id) throws in try transform(value(for: id), id) }
    }
}

extension AsyncProvider {
    /// Transforms each value, given the requested identifier.
    ///
    /// `transform` runs on the caller's executor. Add `coordinated()` after heavy work, and run work that blocks on a
    /// `BlockingPool`. `immediateValue(for:)` returns `nil` here; see `mapValue(isCheap:_:)`.
    public func mapValue<Other: Sendable>(
        _ transform: @escaping @Sendable (Value, ID) async -> Other
    ) -> some AsyncProvider<ID, Other, Failure> {
        mapValue { (value, id) async throws(Failure) in await transform(value, id) }
    }

    /// Transforms each value, given the requested identifier. If `transform` throws, the request fails.
    ///
    /// Add this before `cache` to keep values that `transform` rejects out of the cache. Otherwise like the overload for
    /// closures that do not throw.
    @_disfavoredOverload
    public func mapValue<Other: Sendable>(
        _ transform: @escaping @Sendable (Value, ID) async throws(Failure) -> Other
    ) -> some AsyncProvider<ID, Other, Failure> {
        AnyAsyncProvider { (id) async throws(Failure) in try await transform(value(for: id), id) }
    }

    /// Transforms each value, given the requested identifier. If `transform` throws, the request fails, with `any Error`
    /// as the chain's error type from here on.
    ///
    /// ```swift
    /// Provider.networkDataSource().mapValue { data, _ in try decode(data) }
    /// ```
    ///
    /// To keep an error type, declare that of the closure, and add `mapError` first if the chain has another one.
    @_disfavoredOverload
    public func mapValue<Other: Sendable>(
        _ transform: @escaping @Sendable (Value, ID) async throws -> Other
    ) -> some AsyncProvider<ID, Other, any Error> {
        AnyAsyncProvider { (id) async throws in try await transform(value(for: id), id) }
    }

    /// Transforms each value, given the requested identifier, and immediate values too if `isCheap`.
    ///
    /// Cheap means fast enough for the main thread during scrolling: reading a property, but not decoding. `transform`
    /// cannot throw; if it may fail, use `mapValue(_:)`.
    public func mapValue<Other: Sendable>(
        isCheap: Bool, _ transform: @escaping @Sendable (Value, ID) -> Other
    ) -> some AsyncProvider<ID, Other, Failure> {
        AnyAsyncProvider { (id) async throws(Failure) in
            try await transform(value(for: id), id)
        } immediateValueForID: { id in
            isCheap ? immediateValue(for: id).map { transform($0, id) } : nil
        }
    }
}
