extension SyncProvider where Self: Sendable {
    /// Returns values from `cache`. On a miss, requests the value from this provider and stores it.
    ///
    /// Caches stack: a hit in a cache added earlier is stored in the caches added later.
    public func cache(
        _ cache: some SyncCache<ID, Value> & Sendable
    ) -> some SyncProvider<ID, Value, Failure> & Sendable {
        sideEffect { (value, id) throws(Failure) in cache.store(value: value, for: id) }
            .interject { (id) throws(Failure) in cache.value(for: id) }
    }
}

extension AsyncProvider {
    /// Returns values from `cache`. On a miss, requests the value from this provider and stores it.
    ///
    /// Caches stack: a hit in a cache added earlier is stored in the caches added later. `immediateValue(for:)` reads
    /// the cache, then the chain below, and stores nothing.
    ///
    /// Add the cache before `coordinated()`: a request that arrives just after the shared work has ended then reads the
    /// cache first and finds the stored value.
    ///
    /// - Parameters:
    ///   - writes: `.through` returns a value after storing it; `.behind(limit:)` returns it at once.
    ///   - mayRead: Returns `false` for requests that must bypass the cache (a forced reload). Their values are stored,
    ///     too.
    public func cache(
        _ cache: some AsyncCache<ID, Value>,
        writes: CacheWrites = .through,
        readingWhen mayRead: @escaping @Sendable (ID) -> Bool = { _ in true }
    ) -> some AsyncProvider<ID, Value, Failure> {
        let cache = writes.applied(to: cache)
        return AnyAsyncProvider { (id) async throws(Failure) in
            if mayRead(id), let stored = await cache.value(for: id) { return stored }
            let value = try await value(for: id)
            await cache.store(value: value, for: id)
            return value
        } immediateValueForID: { id in
            guard mayRead(id) else { return nil }
            return cache.immediateValue(for: id) ?? immediateValue(for: id)
        }
    }
}
