import CalotypeBase

extension AsyncProvider where Failure: InterruptibleFailure {
    /// Coalesces concurrent requests for the same identifier into one.
    ///
    /// - A caller whose task is cancelled receives `Failure.cancelled` at once; other callers are not affected. When
    ///   the last caller has left, the work is cancelled, and the next request starts again.
    /// - A failure reaches every caller and is not cached: the next request tries again.
    /// - The work runs in a detached task, off every actor, without the first caller's task-local values. Its
    ///   `DynamicPriority.current` is the highest among the callers' and follows their changes.
    ///
    /// This is usually the last modifier. Only callers of *this* instance share requests: build it once and pass it on.
    /// Two identifiers that map to one download share it if there is another `coordinated()` before the `mapID`.
    ///
    /// Add a cache before this modifier, not after it: a request that misses a later cache may arrive just after the
    /// work has ended, and repeat the work. `immediateValue(for:)` is forwarded.
    public func coordinated() -> some AsyncProvider<ID, Value, Failure> {
        coordinated(by: Coordinator(cancelled: .cancelled))
    }
}

extension AsyncProvider where Failure == any Error {
    /// Coalesces concurrent requests for the same identifier into one.
    ///
    /// A caller whose task is cancelled receives `Interruption.cancelled` at once. Otherwise this works like the
    /// overload for `InterruptibleFailure`.
    public func coordinated() -> some AsyncProvider<ID, Value, any Error> {
        coordinated(by: Coordinator(cancelled: Interruption.cancelled))
    }
}

extension AsyncProvider where Failure == Never {
    /// Coalesces concurrent requests for the same identifier into one.
    ///
    /// As the provider cannot throw, a cancelled caller waits like all others, and the work is not cancelled.
    public func coordinated() -> some AsyncProvider<ID, Value, Never> {
        coordinated(by: Coordinator(cancelled: nil))
    }
}

extension AsyncProvider {
    func coordinated(
        by coordinator: Coordinator<ID, Never, Value, Failure>
    ) -> AnyAsyncProvider<ID, Value, Failure> {
        replacingValue { (id) async throws(Failure) in
            try await coordinator.value(for: id) { _ in
                await Result(awaiting: { () async throws(Failure) in try await value(for: id) })
            }
        }
    }
}
