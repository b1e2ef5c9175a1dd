import CalotypeConcurrency

extension SyncProvider {
    /// Gives what `transform` makes of the value and the requested identifier, or throws its error.
    ///
    /// Put it before `cache` to keep what `transform` refuses out of the cache. `transform` may throw the chain's own
    /// `Failure`; with another error type the result throws that type if the chain could not fail before, else `any Error`.
    public func mapValue<Other>(
        _ transform: @escaping (Value, ID) -> Other
    ) -> some SyncProvider<ID, Other, Failure> {
        mapValue { (value, id) throws(Failure) in transform(value, id) }
    }

    /// Gives what `transform` makes of the value and the requested identifier, or throws its error.
    @_disfavoredOverload
    public func mapValue<Other>(
        _ transform: @escaping (Value, ID) throws(Failure) -> Other
    ) -> some SyncProvider<ID, Other, Failure> {
        AnySyncProvider { (id) throws(Failure) in try transform(value(for: id), id) }
    }

    /// Gives what `transform` makes of the value, or throws its error.
    @_disfavoredOverload
    public func mapValue<Other, NewFailure: Error>(
        _ transform: @escaping (Value, ID) throws(NewFailure) -> Other
    ) -> some SyncProvider<ID, Other, NewFailure> where Failure == Never {
        widened(to: NewFailure.self).mapValue(transform)
    }

    /// Gives what `transform` makes of the value, or throws either's error.
    @_disfavoredOverload
    public func mapValue<Other, NewFailure: Error>(
        _ transform: @escaping (Value, ID) throws(NewFailure) -> Other
    ) -> some SyncProvider<ID, Other, any Error> {
        widened().mapValue { (value, id) throws(any Error) in try transform(value, id) }
    }
}

extension SyncProvider where Self: Sendable {
    /// Gives what `transform` makes of the value and the requested identifier, or throws its error.
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

    /// Gives what `transform` makes of the value, or throws its error.
    @_disfavoredOverload
    public func mapValue<Other, NewFailure: Error>(
        _ transform: @escaping @Sendable (Value, ID) throws(NewFailure) -> Other
    ) -> some SyncProvider<ID, Other, NewFailure> & Sendable where Failure == Never {
        widened(to: NewFailure.self).mapValue(transform)
    }

    /// Gives what `transform` makes of the value, or throws either's error.
    @_disfavoredOverload
    public func mapValue<Other, NewFailure: Error>(
        _ transform: @escaping @Sendable (Value, ID) throws(NewFailure) -> Other
    ) -> some SyncProvider<ID, Other, any Error> & Sendable {
        widened().mapValue { (value, id) throws(any Error) in try transform(value, id) }
    }
}

extension AsyncProvider {
    /// Gives what `transform` makes of the value and the requested identifier, or throws its error.
    ///
    /// Put it before `cache` to keep what `transform` refuses out of the cache. `transform` may throw the chain's own
    /// `Failure`; with another error type the result throws that type if the chain could not fail before, else `any Error`.
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

    /// Gives what `transform` makes of the value, or throws its error.
    @_disfavoredOverload
    public func mapValue<Other: Sendable, NewFailure: Error>(
        _ transform: @escaping @Sendable (Value, ID) async throws(NewFailure) -> Other
    ) -> some AsyncProvider<ID, Other, NewFailure> where Failure == Never {
        widened(to: NewFailure.self).mapValue(transform)
    }

    /// Gives what `transform` makes of the value, or throws either's error.
    @_disfavoredOverload
    public func mapValue<Other: Sendable, NewFailure: Error>(
        _ transform: @escaping @Sendable (Value, ID) async throws(NewFailure) -> Other
    ) -> some AsyncProvider<ID, Other, any Error> {
        widened().mapValue { (value, id) async throws(any Error) in try await transform(value, id) }
    }

    /// Gives what `transform` makes of the value; told that this is cheap, also in `immediateValue(for:)`.
    ///
    /// Cheap means: fit for the main thread while it scrolls. Reading a property is; decoding is not.
    public func mapValue<Other: Sendable>(
        isCheap: Bool, _ transform: @escaping @Sendable (Value, ID) -> Other
    ) -> some AsyncProvider<ID, Other, Failure> {
        mapValue(isCheap: isCheap) { (value, id) throws(Failure) in transform(value, id) }
    }

    /// Gives what `transform` makes of the value; told that this is cheap, also in `immediateValue(for:)`.
    ///
    /// An error makes the immediate answer nil; `value(for:)` then reports it.
    @_disfavoredOverload
    public func mapValue<Other: Sendable>(
        isCheap: Bool, _ transform: @escaping @Sendable (Value, ID) throws(Failure) -> Other
    ) -> some AsyncProvider<ID, Other, Failure> {
        AnyAsyncProvider { (id) async throws(Failure) in
            try await transform(value(for: id), id)
        } immediateValueForID: { id in
            guard isCheap, let value = immediateValue(for: id) else { return nil }
            return try? transform(value, id)
        }
    }
}
