public import CalotypeBase

extension SyncProvider where Self: Sendable, ID: Sendable, Value: Sendable {
    /// Returns an asynchronous version of this provider, which tasks call concurrently, each on its own executor.
    ///
    /// Use this for providers that compute, and `concurrent(on:)` for providers that block (files, databases, codecs).
    public func concurrent() -> some AsyncProvider<ID, Value, Failure> {
        AnyAsyncProvider { (id) async throws(Failure) in try value(for: id) }
    }
}

extension SyncProvider where Self: Sendable, ID: Sendable, Value: Sendable, Failure: InterruptibleFailure {
    /// Returns an asynchronous version of this provider that runs on the threads of `pool` and may block them.
    ///
    /// A request cancelled while it waits throws `cancelled` and never runs; if the pool's queue is full, the request
    /// throws `overloaded`. Waiting requests are ordered by `DynamicPriority.current`.
    public func concurrent(on pool: BlockingPool) -> some AsyncProvider<ID, Value, Failure> {
        concurrent(on: pool, InterruptionErrors())
    }
}

extension SyncProvider where Self: Sendable, ID: Sendable, Value: Sendable, Failure == any Error {
    /// Returns an asynchronous version of this provider that runs on the threads of `pool` and may block them.
    ///
    /// Throws `Interruption.cancelled` and `Interruption.overloaded` in addition to the provider's errors.
    public func concurrent(on pool: BlockingPool) -> some AsyncProvider<ID, Value, any Error> {
        concurrent(on: pool, InterruptionErrors())
    }
}

extension SyncProvider where Self: Sendable, ID: Sendable, Value: Sendable {
    func concurrent(on pool: BlockingPool, _ words: InterruptionErrors<Failure>) -> AnyAsyncProvider<ID, Value, Failure>
    {
        AnyAsyncProvider { (id) async throws(Failure) in
            let result: Result<Value, Failure>
            do throws(Interruption) {
                result = try await pool.run { () throws(Interruption) in
                    Result { () throws(Failure) in try value(for: id) }
                }
            } catch {
                throw words.failure(error)
            }
            return try result.get()
        }
    }
}
