/// The facts about a value. The value itself is added by `MemoryCache`, which alone knows its type.
@usableFromInline class CacheItem {
    final let key: CacheKey
    final let cost: Int
    /// By the wall clock, in seconds; infinity for never.
    final let expires: Double
    @usableFromInline final let isPreview: Bool

    init(key: CacheKey, cost: Int, expires: Double, isPreview: Bool) {
        self.key = key
        self.cost = cost
        self.expires = expires
        self.isPreview = isPreview
    }
}
