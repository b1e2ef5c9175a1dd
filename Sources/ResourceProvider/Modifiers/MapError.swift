extension SyncProvider where Self: Sendable {
    /// Throws what `transform` makes of the chain's error, and with that changes its error type.
    ///
    /// Modifiers that may fail throw the chain's own `Failure`. Before one with another error type, widen the chain:
    /// `.mapError { $0 as any Error }`, or `.mapError { _ -> MyError in }` where it could not fail.
    public func mapError<NewFailure: Error>(
        _ transform: @escaping @Sendable (Failure) -> NewFailure
    ) -> some SyncProvider<ID, Value, NewFailure> & Sendable {
        `catch` { (error, _) throws(NewFailure) in throw transform(error) }
    }
}

extension AsyncProvider {
    /// Throws what `transform` makes of the chain's error, and with that changes its error type.
    ///
    /// Modifiers that may fail throw the chain's own `Failure`. Before one with another error type, widen the chain:
    /// `.mapError { $0 as any Error }`, or `.mapError { _ -> MyError in }` where it could not fail.
    public func mapError<NewFailure: Error>(
        _ transform: @escaping @Sendable (Failure) -> NewFailure
    ) -> some AsyncProvider<ID, Value, NewFailure> {
        `catch` { (error, _) async throws(NewFailure) in throw transform(error) }
    }
}
