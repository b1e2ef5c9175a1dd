/// The choice whether a request waits until the cache has stored its value.
public struct CacheWrites: Hashable, Sendable {
    private let limit: Int?

    /// The request returns its value after storing it.
    public static let through = CacheWrites(limit: nil)

    /// The request returns its value at once; the cache stores it in the background. See ``WriteBehindCache``.
    ///
    /// - Parameter limit: The maximum number of outstanding stores. The next request waits until one has finished.
    public static func behind(limit: Int) -> CacheWrites { CacheWrites(limit: limit) }

    func applied<ID, Value>(to cache: some AsyncCache<ID, Value>) -> AnyAsyncCache<ID, Value> {
        guard let limit else { return cache.eraseToAnyCache() }
        return WriteBehindCache(cache, limit: limit).eraseToAnyCache()
    }
}
