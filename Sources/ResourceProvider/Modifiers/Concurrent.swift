public import CalotypeBase

extension SyncProvider where Self: Sendable, ID: Sendable, Value: Sendable {
    /// The same provider with an `async` face. It is called in place, by many tasks at once.
    ///
    /// For parts that compute. Parts that block (files, databases, codecs) belong on `concurrent(on:)`.
    public func concurrent() -> some AsyncProvider<ID, Value, Failure> {
        AnyAsyncProvider { (id) async throws(Failure) in try value(for: id) }
    }
}

extension SyncProvider where Self: Sendable, ID: Sendable, Value: Sendable, Failure: InterruptibleFailure {
    /// The same provider, called on the threads of `pool`, which may block. Swift's own threads never do.
    ///
    /// A request that is cancelled before its turn throws `cancelled` and never runs; one that finds the pool's queue
    /// full throws `overloaded`. Waits by `DynamicPriority.current`.
    public func concurrent(on pool: BlockingPool) -> some AsyncProvider<ID, Value, Failure> {
        concurrent(on: pool, InterruptionErrors())
    }
}

extension SyncProvider where Self: Sendable, ID: Sendable, Value: Sendable, Failure == any Error {
    /// The same provider, called on the threads of `pool`, which may block. Swift's own threads never do.
    ///
    /// Throws `Interruption.cancelled` and `Interruption.overloaded` besides the provider's own errors.
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
                result = try await pool.run { () throws(Interruption) in self.result(for: id) }
            } catch {
                throw words.failure(for: error)
            }
            return try result.get()
        }
    }

    private func result(for id: ID) -> Result<Value, Failure> {
        do throws(Failure) { return .success(try value(for: id)) } catch { return .failure(error) }
    }
}
