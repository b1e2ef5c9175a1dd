/// A cache that removes values on request and reports its statistics.
///
/// The modifiers `mapID`, `mapValueToStorage` and `concurrent` return removable caches, too. `mapValueToStorage`
/// removes entries that it cannot convert back on a read.
public protocol RemovableSyncCache<ID, Value>: SyncCache {
    /// Removes the value for `id`. Does nothing if it is absent.
    func removeValue(for id: ID)

    /// Removes all values.
    func removeAll()

    /// The current contents and statistics of the cache.
    var report: CacheReport { get }
}

/// An asynchronous cache that removes values on request and reports its statistics.
///
/// The modifiers `mapID` and `mapValueToStorage` return removable caches, too.
public protocol RemovableAsyncCache<ID, Value>: AsyncCache {
    /// Removes the value for `id`. Does nothing if it is absent.
    func removeValue(for id: ID) async

    /// Removes all values.
    func removeAll() async

    /// The current contents and statistics of the cache.
    var report: CacheReport { get async }
}
