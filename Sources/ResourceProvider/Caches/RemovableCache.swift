/// A cache that forgets on demand and tells how it does.
///
/// `mapID`, `mapValueToStorage` and `concurrent` keep this ability. `mapValueToStorage` uses it: what does not convert
/// back is removed, so that a damaged entry is a miss once and not for ever.
public protocol RemovableSyncCache<ID, Value>: SyncCache {
    /// Forgets the value for `id`. Nothing happens if there is none.
    func removeValue(for id: ID)

    /// Forgets everything.
    func removeAll()

    /// How the cache does at this moment.
    var report: CacheReport { get }
}

/// A cache that forgets on demand and tells how it does; each may take time.
///
/// `mapID` and `mapValueToStorage` keep this ability. `mapValueToStorage` uses it: what does not convert back is
/// removed, so that a damaged entry is a miss once and not for ever.
public protocol RemovableAsyncCache<ID, Value>: AsyncCache {
    /// Forgets the value for `id`. Nothing happens if there is none.
    func removeValue(for id: ID) async

    /// Forgets everything.
    func removeAll() async

    /// How the cache does at this moment.
    var report: CacheReport { get async }
}
