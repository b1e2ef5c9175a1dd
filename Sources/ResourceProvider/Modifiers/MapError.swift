extension SyncProvider where Self: Sendable {
    /// Transforms the chain's error, and thereby changes its error type. For examples, see the asynchronous version.
    public func mapError<NewFailure: Error>(
        _ transform: @escaping @Sendable (Failure) -> NewFailure
    ) -> some SyncProvider<ID, Value, NewFailure> & Sendable {
        `catch` { (error, _) throws(NewFailure) in throw transform(error) }
    }
}

extension AsyncProvider {
    /// Transforms the chain's error, and thereby changes its error type.
    ///
    /// A closure of `mapValue`, `sideEffect` or `interject` that throws another error type widens the chain to `any Error`.
    /// To keep a type, add this before it: `.mapError(MyError.init)`, or `.mapError { _ -> MyError in }` for a chain that
    /// cannot fail.
    public func mapError<NewFailure: Error>(
        _ transform: @escaping @Sendable (Failure) -> NewFailure
    ) -> some AsyncProvider<ID, Value, NewFailure> {
        `catch` { (error, _) async throws(NewFailure) in throw transform(error) }
    }
}
