public import CalotypeBase

extension SyncProvider where Self: Sendable, ID: Sendable, Value: Sendable {
    /// Returns an asynchronous version of this provider inside an actor, which makes one call at a time.
    ///
    /// Use this for providers that compute, and `serialized(on:)` for providers that block (files, databases, codecs).
    public func serialized() -> some AsyncProvider<ID, Value, Failure> {
        let serial = SerialActor()
        return AnyAsyncProvider { (id) async throws(Failure) in
            try await serial.run { () throws(Failure) in try value(for: id) }
        }
    }
}

extension SyncProvider where Self: Sendable, ID: Sendable, Value: Sendable, Failure: InterruptibleFailure {
    /// Returns an asynchronous version of this provider that makes one call at a time, on threads of `pool`.
    public func serialized(on pool: BlockingPool) -> some AsyncProvider<ID, Value, Failure> {
        concurrent(on: pool).limited(to: 1)
    }
}

extension SyncProvider where Self: Sendable, ID: Sendable, Value: Sendable, Failure == any Error {
    /// Returns an asynchronous version of this provider that makes one call at a time, on threads of `pool`.
    public func serialized(on pool: BlockingPool) -> some AsyncProvider<ID, Value, any Error> {
        concurrent(on: pool).limited(to: 1)
    }
}

actor SerialActor {
    func run<Result: Sendable, Failure: Error>(
        _ body: @Sendable () throws(Failure) -> Result
    ) throws(Failure) -> Result { try body() }
}
