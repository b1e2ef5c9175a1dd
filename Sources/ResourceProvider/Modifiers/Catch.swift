extension SyncProvider where Self: Sendable {
    /// Answers a failure with a value, or with an error of another type.
    ///
    /// Not called on success. A closure that cannot throw makes the provider one that cannot fail.
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
    /// Answers a failure with a value, or with an error of another type.
    ///
    /// Not called on success. A closure that cannot throw makes the provider one that cannot fail. Cancellation arrives
    /// as a failure too, where the chain knows a word for it.
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
