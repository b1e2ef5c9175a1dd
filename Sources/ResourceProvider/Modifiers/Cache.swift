extension SyncProvider where Self: Sendable {
    /// Looks into `cache` first. On a miss asks this provider, stores its value and returns it.
    ///
    /// Caches stack: a hit in one added earlier is stored in those added later.
    public func cache(
        _ cache: some SyncCache<ID, Value> & Sendable
    ) -> some SyncProvider<ID, Value, Failure> & Sendable {
        sideEffect { (value, id) throws(Failure) in cache.store(value: value, for: id) }
            .interject { (id) throws(Failure) in cache.value(for: id) }
    }
}

extension AsyncProvider {
    /// Looks into `cache` first. On a miss asks this provider, stores its value and returns it.
    ///
    /// Caches stack: a hit in one added earlier is stored in those added later. `immediateValue(for:)` asks the cache
    /// and then the chain below, and stores nothing.
    ///
    /// To let a request look again after it has waited for a `coordinated()` that just ended, put the cache below that
    /// modifier: the look is then part of the work that is shared.
    ///
    /// - Parameters:
    ///   - writes: `.through` returns a value when it is stored; `.behind(limit:)` returns it at once.
    ///   - mayRead: false for requests that must not be answered from the cache (a forced reload). Their value is
    ///     stored all the same.
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
