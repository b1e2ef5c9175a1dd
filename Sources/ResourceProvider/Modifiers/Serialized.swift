public import CalotypeBase

extension SyncProvider where Self: Sendable, ID: Sendable, Value: Sendable {
    /// Returns an asynchronous version of this provider inside an actor, which makes one call at a time.
    ///
    /// For providers that compute. Use `serialized(on:)` for providers that block (files, databases, codecs).
    public func serialized() -> some AsyncProvider<ID, Value, Failure> {
        let owner = ProviderActor(self)
        return AnyAsyncProvider { (id) async throws(Failure) in try await owner.value(for: id) }
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

private actor ProviderActor<Base: SyncProvider & Sendable> where Base.ID: Sendable, Base.Value: Sendable {
    private let base: Base

    init(_ base: Base) { self.base = base }

    func value(for id: Base.ID) throws(Base.Failure) -> Base.Value { try base.value(for: id) }
}
