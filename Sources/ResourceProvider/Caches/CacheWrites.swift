/// The choice whether a request waits until its value is stored.
public struct CacheWrites: Hashable, Sendable {
    private let limit: Int?

    /// The value is returned when it is stored.
    public static let through = CacheWrites(limit: nil)

    /// The value is returned at once and stored meanwhile. See ``WriteBehindCache``.
    ///
    /// - Parameter limit: how many stores may be outstanding. One more request waits until one of them has ended.
    public static func behind(limit: Int) -> CacheWrites { CacheWrites(limit: limit) }

    func applied<ID, Value>(to cache: some AsyncCache<ID, Value>) -> AnyAsyncCache<ID, Value> {
        guard let limit else { return cache.eraseToAnyCache() }
        return WriteBehindCache(cache, limit: limit).eraseToAnyCache()
    }
}
