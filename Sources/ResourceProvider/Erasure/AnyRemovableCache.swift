/// A type-erased removable cache, which modifiers of removable caches return.
struct AnyRemovableSyncCache<ID: Hashable, Value>: RemovableSyncCache, Sendable {
    let cache: AnySendableSyncCache<ID, Value>
    let removeValueForID: @Sendable (ID) -> Void
    let removeAllValues: @Sendable () -> Void
    let reportNow: @Sendable () -> CacheReport

    func value(for id: ID) -> Value? { cache.value(for: id) }
    func store(value: Value, for id: ID) { cache.store(value: value, for: id) }
    func removeValue(for id: ID) { removeValueForID(id) }
    func removeAll() { removeAllValues() }
    var report: CacheReport { reportNow() }
}

struct AnyRemovableAsyncCache<ID: Hashable & Sendable, Value: Sendable>: RemovableAsyncCache {
    let cache: AnyAsyncCache<ID, Value>
    let removeValueForID: @Sendable (ID) async -> Void
    let removeAllValues: @Sendable () async -> Void
    let reportNow: @Sendable () async -> CacheReport

    func value(for id: ID) async -> Value? { await cache.value(for: id) }
    func store(value: Value, for id: ID) async { await cache.store(value: value, for: id) }
    func immediateValue(for id: ID) -> Value? { cache.immediateValue(for: id) }
    func removeValue(for id: ID) async { await removeValueForID(id) }
    func removeAll() async { await removeAllValues() }
    var report: CacheReport { get async { await reportNow() } }
}

extension RemovableSyncCache where Self: Sendable {
    /// Returns `cache`, which wraps this cache, as a removable cache: removals and reports call this cache.
    func keepingRemoval<OtherID: Hashable & SendableMetatype, Other>(
        in cache: some SyncCache<OtherID, Other> & Sendable, mapID: @escaping @Sendable (OtherID) -> ID
    ) -> AnyRemovableSyncCache<OtherID, Other> {
        AnyRemovableSyncCache(
            cache: cache.eraseToAnyCache(), removeValueForID: { removeValue(for: mapID($0)) },
            removeAllValues: { removeAll() }, reportNow: { report })
    }
}

extension RemovableAsyncCache {
    /// Returns `cache`, which wraps this cache, as a removable cache: removals and reports call this cache.
    func keepingRemoval<OtherID: Hashable & Sendable, Other: Sendable>(
        in cache: some AsyncCache<OtherID, Other>, mapID: @escaping @Sendable (OtherID) -> ID
    ) -> AnyRemovableAsyncCache<OtherID, Other> {
        AnyRemovableAsyncCache(
            cache: cache.eraseToAnyCache(), removeValueForID: { await removeValue(for: mapID($0)) },
            removeAllValues: { await removeAll() }, reportNow: { await report })
    }
}
