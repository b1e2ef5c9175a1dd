public import CalotypeBase

extension SyncProvider where Self: Sendable, ID: Sendable, Value: Sendable {
    /// The same provider inside an actor: asked by many, called one at a time.
    ///
    /// For parts that compute. One that blocks would hold a thread of Swift's own pool: use `serialized(on:)`.
    public func serialized() -> some AsyncProvider<ID, Value, Failure> {
        let owner = ProviderActor(self)
        return AnyAsyncProvider { (id) async throws(Failure) in try await owner.value(for: id) }
    }
}

extension SyncProvider where Self: Sendable, ID: Sendable, Value: Sendable, Failure: InterruptibleFailure {
    /// The same provider, called one at a time on a thread of `pool`, which may block. Swift's own threads never do.
    public func serialized(on pool: BlockingPool) -> some AsyncProvider<ID, Value, Failure> {
        concurrent(on: pool).limited(to: 1)
    }
}

extension SyncProvider where Self: Sendable, ID: Sendable, Value: Sendable, Failure == any Error {
    /// The same provider, called one at a time on a thread of `pool`, which may block. Swift's own threads never do.
    public func serialized(on pool: BlockingPool) -> some AsyncProvider<ID, Value, any Error> {
        concurrent(on: pool).limited(to: 1)
    }
}

private actor ProviderActor<Base: SyncProvider & Sendable> where Base.ID: Sendable, Base.Value: Sendable {
    private let base: Base

    init(_ base: Base) { self.base = base }

    func value(for id: Base.ID) throws(Base.Failure) -> Base.Value { try base.value(for: id) }
}
