extension AsyncProvider {
    /// Requests the value from `other` if this provider fails. If `other` fails, too, its error is thrown.
    ///
    /// If both have the same error type, `other` is not called for a cancelled task: see ``fallback(to:when:)``.
    /// `immediateValue(for:)` uses only this provider.
    @_disfavoredOverload
    public func fallback<OtherFailure: Error>(
        to other: some AsyncProvider<ID, Value, OtherFailure>
    ) -> some AsyncProvider<ID, Value, OtherFailure> {
        `catch` { (_, id) async throws(OtherFailure) in try await other.value(for: id) }
    }

    /// Requests the value from `other` if this provider fails and `shouldFallBack` returns `true`.
    ///
    /// Does not call `other` once the caller's task is cancelled. To try several alternatives in order:
    /// `first.fallback(to: second).fallback(to: third)`.
    public func fallback(
        to other: some AsyncProvider<ID, Value, Failure>,
        when shouldFallBack: @escaping @Sendable (Failure) -> Bool = { _ in true }
    ) -> some AsyncProvider<ID, Value, Failure> {
        `catch` { (failure, id) async throws(Failure) in
            guard !Task.isCancelled, shouldFallBack(failure) else { throw failure }
            return try await other.value(for: id)
        }
    }
}
