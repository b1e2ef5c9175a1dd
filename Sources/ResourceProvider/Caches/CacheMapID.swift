// A cache's identifiers should be as distinct as what they name: `mapID(\.lastPathComponent)` would serve one image
// for `/x/photo.jpg?w=100` and `/y/photo.jpg?w=200`.

extension SyncCache where Self: Sendable {
    /// Keeps values under the identifier that `transform` makes of the one given. Takes a key path, too.
    ///
    /// Two identifiers that give the same one share an entry.
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
    /// Keeps values under the identifier that `transform` makes of the one given. Takes a key path, too.
    ///
    /// Two identifiers that give the same one share an entry.
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
    /// Keeps values under the identifier that `transform` makes of the one given, and removes them by it.
    public func mapID<OtherID: Hashable & SendableMetatype>(
        _ transform: @escaping @Sendable (OtherID) -> ID
    ) -> some RemovableSyncCache<OtherID, Value> & Sendable {
        keepingRemoval(in: eraseToAnyCache().mapID(transform), mapID: transform)
    }
}

extension RemovableAsyncCache {
    /// Keeps values under the identifier that `transform` makes of the one given, and removes them by it.
    public func mapID<OtherID: Hashable & Sendable>(
        _ transform: @escaping @Sendable (OtherID) -> ID
    ) -> some RemovableAsyncCache<OtherID, Value> {
        keepingRemoval(in: eraseToAnyCache().mapID(transform), mapID: transform)
    }
}
