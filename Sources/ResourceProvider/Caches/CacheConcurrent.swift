public import CalotypeBase

extension SyncCache where Self: Sendable, ID: Sendable, Value: Sendable {
    /// Returns an asynchronous version of this cache. Tasks call the cache concurrently, each on its own executor.
    ///
    /// Use this for memory caches, and `concurrent(on:)` for caches that block (files, databases).
    ///
    /// - Parameter isCheap: Whether reads are fast enough for the main thread. If so, `immediateValue(for:)` reads the
    ///   cache; otherwise it returns `nil`.
    public func concurrent(isCheap: Bool = false) -> some AsyncCache<ID, Value> {
        inPlace(isCheap: isCheap)
    }

    /// Returns an asynchronous version of this cache that runs on the threads of `pool` and may block them.
    ///
    /// A read is a miss and a store is dropped if the task is cancelled while its call waits, or if the pool's queue is
    /// full. With a pool of one thread the cache receives one call at a time.
    public func concurrent(on pool: BlockingPool) -> some AsyncCache<ID, Value> {
        onThreads(of: pool)
    }

    /// Returns an asynchronous version of this cache inside an actor, which makes one call at a time.
    ///
    /// Use this for memory caches. A cache that blocks would block a thread of Swift's cooperative pool: for such a
    /// cache, use `concurrent(on:)` with a pool of one thread.
    public func serialized() -> some AsyncCache<ID, Value> {
        let serial = SerialActor()
        return AnyAsyncCache { id in
            await serial.run { value(for: id) }
        } storeValueForID: { value, id in
            await serial.run { store(value: value, for: id) }
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
    /// Returns a removable asynchronous version of this cache. Otherwise works like the method of `SyncCache`.
    public func concurrent(isCheap: Bool = false) -> some RemovableAsyncCache<ID, Value> {
        AnyRemovableAsyncCache(
            cache: inPlace(isCheap: isCheap), removeValueForID: { removeValue(for: $0) },
            removeAllValues: { removeAll() }, reportNow: { report })
    }

    /// Returns a removable asynchronous version of this cache that runs on the threads of `pool`.
    ///
    /// Removals are never dropped: they ignore cancellation, and with a full queue they run on the caller's executor.
    /// Otherwise like the method of `SyncCache`.
    public func concurrent(on pool: BlockingPool) -> some RemovableAsyncCache<ID, Value> {
        AnyRemovableAsyncCache(
            cache: onThreads(of: pool),
            removeValueForID: { id in await pool.runSurely { removeValue(for: id) } },
            removeAllValues: { await pool.runSurely { removeAll() } },
            reportNow: { await pool.runSurely { report } })
    }
}

extension BlockingPool {
    /// Runs `body` even if the task is cancelled. If the queue is full, runs it on the caller's executor.
    fileprivate func runSurely<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        // Run the job in a new task: cancelling the current task must not remove the job from the queue.
        let outcome = await Task { try? await run { () throws(Interruption) in body() } }.value
        return outcome ?? body()
    }
}
