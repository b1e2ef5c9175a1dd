import CalotypeBase

extension AsyncProvider where Failure: InterruptibleFailure {
    /// Does the work once for all who ask for the same identifier while it runs.
    ///
    /// - A caller whose task is cancelled gets `Failure.cancelled` at once; the others notice nothing. When the last one
    ///   has left, the work is cancelled, and asking again starts afresh.
    /// - A failure reaches every caller and leaves nothing behind: the next request tries again.
    /// - The work runs in a task of its own, off every actor, without the first caller's task-local values. Its
    ///   `DynamicPriority.current` is the highest among the callers', and follows them.
    ///
    /// Usually the last modifier. Requests are shared only by those who ask *this* instance: build it once and hand it
    /// round. Two identifiers that lead to one download share it if there is a `coordinated()` below the `mapID` too.
    ///
    /// A request that misses a cache above this modifier may join just after the work has ended, and would repeat it. Put
    /// the cache (or a second look into it) below, and it finds what was stored; `immediateValue(for:)` passes through.
    public func coordinated() -> some AsyncProvider<ID, Value, Failure> {
        coordinated(by: Coordinator(cancelled: .cancelled))
    }
}

extension AsyncProvider where Failure == any Error {
    /// Does the work once for all who ask for the same identifier while it runs.
    ///
    /// A caller whose task is cancelled gets `Interruption.cancelled` at once. All else is as in the overload for
    /// `InterruptibleFailure`.
    public func coordinated() -> some AsyncProvider<ID, Value, any Error> {
        coordinated(by: Coordinator(cancelled: Interruption.cancelled))
    }
}

extension AsyncProvider where Failure == Never {
    /// Does the work once for all who ask for the same identifier while it runs.
    ///
    /// Without an error to throw, a cancelled caller waits for the value like all others, and the work is not cancelled.
    public func coordinated() -> some AsyncProvider<ID, Value, Never> {
        coordinated(by: Coordinator(cancelled: nil))
    }
}

extension AsyncProvider {
    func coordinated(
        by coordinator: Coordinator<ID, Never, Value, Failure>
    ) -> AnyAsyncProvider<ID, Value, Failure> {
        replacingValue { (id) async throws(Failure) in
            try await coordinator.value(for: id) { _ in await result(for: id) }
        }
    }

    func result(for id: ID) async -> Result<Value, Failure> {
        do throws(Failure) { return .success(try await value(for: id)) } catch { return .failure(error) }
    }
}
