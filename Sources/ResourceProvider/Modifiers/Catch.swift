extension SyncProvider where Self: Sendable {
    /// Replaces a failure with a value, or with an error of another type.
    ///
    /// `recover` is not called on success. If it cannot throw, the new provider cannot fail.
    public func `catch`<NewFailure: Error>(
        _ recover: @escaping @Sendable (Failure, ID) throws(NewFailure) -> Value
    ) -> some SyncProvider<ID, Value, NewFailure> & Sendable {
        AnySendableSyncProvider { (id) throws(NewFailure) in
            let failure: Failure
            do throws(Failure) { return try value(for: id) } catch { failure = error }
            return try recover(failure, id)
        }
    }
}

extension AsyncProvider {
    /// Replaces a failure with a value, or with an error of another type.
    ///
    /// `recover` is not called on success. If it cannot throw, the new provider cannot fail. Cancellation also arrives
    /// as a failure if the chain's error type can express it.
    public func `catch`<NewFailure: Error>(
        _ recover: @escaping @Sendable (Failure, ID) async throws(NewFailure) -> Value
    ) -> some AsyncProvider<ID, Value, NewFailure> {
        replacingValue { (id) async throws(NewFailure) in
            let failure: Failure
            do throws(Failure) { return try await value(for: id) } catch { failure = error }
            return try await recover(failure, id)
        }
    }
}
