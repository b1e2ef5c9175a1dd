extension SyncCache where Self: Sendable {
    /// Returns a cache that maps each identifier with `transform`, which may be a key path.
    ///
    /// Identifiers with the same result of `transform` share an entry.
    public func mapID<OtherID: Hashable & SendableMetatype>(
        _ transform: @escaping @Sendable (OtherID) -> ID
    ) -> some SyncCache<OtherID, Value> & Sendable {
        AnySendableSyncCache { id in
            value(for: transform(id))
        } storeValueForID: { value, id in
            store(value: value, for: transform(id))
        }
    }
}

extension AsyncCache {
    /// Returns a cache that maps each identifier with `transform`, which may be a key path.
    ///
    /// Identifiers with the same result of `transform` share an entry.
    public func mapID<OtherID: Hashable & Sendable>(
        _ transform: @escaping @Sendable (OtherID) -> ID
    ) -> some AsyncCache<OtherID, Value> {
        AnyAsyncCache { id in
            await value(for: transform(id))
        } storeValueForID: { value, id in
            await store(value: value, for: transform(id))
        } immediateValueForID: { id in
            immediateValue(for: transform(id))
        }
    }
}

extension RemovableSyncCache where Self: Sendable {
    /// Returns a removable cache that maps each identifier with `transform`.
    public func mapID<OtherID: Hashable & SendableMetatype>(
        _ transform: @escaping @Sendable (OtherID) -> ID
    ) -> some RemovableSyncCache<OtherID, Value> & Sendable {
        keepingRemoval(in: eraseToAnyCache().mapID(transform), mapID: transform)
    }
}

extension RemovableAsyncCache {
    /// Returns a removable cache that maps each identifier with `transform`.
    public func mapID<OtherID: Hashable & Sendable>(
        _ transform: @escaping @Sendable (OtherID) -> ID
    ) -> some RemovableAsyncCache<OtherID, Value> {
        keepingRemoval(in: eraseToAnyCache().mapID(transform), mapID: transform)
    }
}
