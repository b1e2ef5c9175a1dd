extension AsyncProvider {
    /// Asks `other` for what this provider failed to give. Its failure, if it fails too, is the one thrown.
    ///
    /// Not once the caller's task is cancelled, if the two share an error type: see ``fallback(to:when:)``.
    /// `immediateValue(for:)` asks this provider only.
    @_disfavoredOverload
    public func fallback<OtherFailure: Error>(
        to other: some AsyncProvider<ID, Value, OtherFailure>
    ) -> some AsyncProvider<ID, Value, OtherFailure> {
        `catch` { (_, id) async throws(OtherFailure) in try await other.value(for: id) }
    }

    /// Asks `other` for what this provider failed to give, after failures that `shouldFallBack` agrees to.
    ///
    /// Once the caller's task is cancelled, `other` is not asked. Alternatives in order:
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
