// Each modifier whose closure may fail has two overloads: one for closures that throw nothing, and one for those that
// throw the chain's own error. The second is disfavoured: in the middle of a long chain Swift has to choose before it
// knows the chain's `Failure`, and would bind that to `Never` for the sake of a literal that throws nothing.

extension SyncProvider where Self: Sendable {
    /// Gives what `transform` makes of the value and the requested identifier, or throws its error.
    ///
    /// Put it before `cache` to keep what `transform` refuses out of the cache. `transform` throws the chain's own
    /// `Failure`; for another error type, add `mapError` first.
    public func mapValue<Other>(
        _ transform: @escaping @Sendable (Value, ID) -> Other
    ) -> some SyncProvider<ID, Other, Failure> & Sendable {
        mapValue { (value, id) throws(Failure) in transform(value, id) }
    }

    /// Gives what `transform` makes of the value and the requested identifier, or throws its error.
    @_disfavoredOverload
    public func mapValue<Other>(
        _ transform: @escaping @Sendable (Value, ID) throws(Failure) -> Other
    ) -> some SyncProvider<ID, Other, Failure> & Sendable {
        AnySendableSyncProvider { (id) throws(Failure) in try transform(value(for: id), id) }
    }
}

extension AsyncProvider {
    /// Gives what `transform` makes of the value and the requested identifier, or throws its error.
    ///
    /// Put it before `cache` to keep what `transform` refuses out of the cache. `transform` throws the chain's own
    /// `Failure`; for another error type, add `mapError` first.
    ///
    /// `transform` runs on the caller's executor, so heavy work belongs below a `coordinated()` or, if it blocks, on a
    /// `BlockingPool`. `immediateValue(for:)` answers nil here; see `mapValue(isCheap:_:)`.
    public func mapValue<Other: Sendable>(
        _ transform: @escaping @Sendable (Value, ID) async -> Other
    ) -> some AsyncProvider<ID, Other, Failure> {
        mapValue { (value, id) async throws(Failure) in await transform(value, id) }
    }

    /// Gives what `transform` makes of the value and the requested identifier, or throws its error.
    @_disfavoredOverload
    public func mapValue<Other: Sendable>(
        _ transform: @escaping @Sendable (Value, ID) async throws(Failure) -> Other
    ) -> some AsyncProvider<ID, Other, Failure> {
        AnyAsyncProvider { (id) async throws(Failure) in try await transform(value(for: id), id) }
    }

    /// Gives what `transform` makes of the value; told that this is cheap, also in `immediateValue(for:)`.
    ///
    /// Cheap means: fit for the main thread while it scrolls. Reading a property is; decoding is not. What may fail is
    /// not cheap: use `mapValue(_:)`.
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
