public import CalotypeBase

extension SyncCache where Self: Sendable, ID: Sendable, Value: Sendable {
    /// The same cache with an `async` face. It is called in place, by many tasks at once.
    ///
    /// For caches in memory. Those that block (files, databases) belong on `concurrent(on:)`.
    ///
    /// - Parameter isCheap: that a read is fit for the main thread. Then `immediateValue(for:)` reads; else it is nil.
    public func concurrent(isCheap: Bool = false) -> some AsyncCache<ID, Value> {
        inPlace(isCheap: isCheap)
    }

    /// The same cache, called on the threads of `pool`, which may block. Swift's own threads never do.
    ///
    /// When the task is cancelled before its turn or the pool's queue is full, a read is a miss and a store is dropped.
    /// A pool of one thread asks it one at a time.
    public func concurrent(on pool: BlockingPool) -> some AsyncCache<ID, Value> {
        onThreads(of: pool)
    }

    /// The same cache inside an actor: asked by many, called one at a time.
    ///
    /// For caches in memory. One that blocks would hold a thread of Swift's own pool: use `concurrent(on:)` with a pool
    /// of one thread.
    public func serialized() -> some AsyncCache<ID, Value> {
        let owner = CacheActor(self)
        return AnyAsyncCache { id in
            await owner.value(for: id)
        } storeValueForID: { value, id in
            await owner.store(value: value, for: id)
        }
    }

    func inPlace(isCheap: Bool) -> AnyAsyncCache<ID, Value> {
        AnyAsyncCache { id in
            value(for: id)
        } storeValueForID: { value, id in
            store(value: value, for: id)
        } immediateValueForID: { id in
            isCheap ? value(for: id) : nil
        }
    }

    func onThreads(of pool: BlockingPool) -> AnyAsyncCache<ID, Value> {
        AnyAsyncCache { id in
            let value = try? await pool.run { () throws(Interruption) in self.value(for: id) }
            return value ?? nil
        } storeValueForID: { value, id in
            try? await pool.run { () throws(Interruption) in self.store(value: value, for: id) }
        }
    }
}

extension RemovableSyncCache where Self: Sendable, ID: Sendable, Value: Sendable {
    /// The same cache with an `async` face. It is called in place, by many tasks at once.
    ///
    /// - Parameter isCheap: that a read is fit for the main thread. Then `immediateValue(for:)` reads; else it is nil.
    public func concurrent(isCheap: Bool = false) -> some RemovableAsyncCache<ID, Value> {
        AnyRemovableAsyncCache(
            cache: inPlace(isCheap: isCheap), removeValueForID: { removeValue(for: $0) },
            removeAllValues: { removeAll() }, reportNow: { report })
    }

    /// The same cache, called on the threads of `pool`, which may block. Swift's own threads never do.
    ///
    /// When the task is cancelled before its turn or the pool's queue is full, a read is a miss and a store is dropped.
    /// Removals are never dropped: they heed no cancellation, and with a full queue they run in place.
    public func concurrent(on pool: BlockingPool) -> some RemovableAsyncCache<ID, Value> {
        AnyRemovableAsyncCache(
            cache: onThreads(of: pool),
            removeValueForID: { id in await pool.runSurely { removeValue(for: id) } },
            removeAllValues: { await pool.runSurely { removeAll() } },
            reportNow: { await pool.runSurely { report } })
    }
}

extension BlockingPool {
    /// Runs `body` whatever happens: here, if the queue is full.
    fileprivate func runSurely<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        // A task of its own, because cancelling ours must not take the job out of the queue.
        let outcome = await Task { try? await run { () throws(Interruption) in body() } }.value
        return outcome ?? body()
    }
}

private actor CacheActor<Base: SyncCache & Sendable> where Base.ID: Sendable, Base.Value: Sendable {
    private let base: Base

    init(_ base: Base) { self.base = base }

    func value(for id: Base.ID) -> Base.Value? { base.value(for: id) }
    func store(value: Base.Value, for id: Base.ID) { base.store(value: value, for: id) }
}
