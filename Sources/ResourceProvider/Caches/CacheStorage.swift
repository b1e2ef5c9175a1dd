extension SyncCache where Self: Sendable {
    /// Keeps values in another form: images as their bytes, say.
    ///
    /// - Parameters:
    ///   - toStorage: the form to keep. Nil: this value is not stored.
    ///   - fromStorage: back again. Nil: what was stored is of no use, which is a miss and no error.
    public func mapValueToStorage<Other>(
        _ toStorage: @escaping @Sendable (Other, ID) -> Value?,
        fromStorage: @escaping @Sendable (Value, ID) -> Other?
    ) -> some SyncCache<ID, Other> & Sendable {
        AnySendableSyncCache { id in
            value(for: id).flatMap { fromStorage($0, id) }
        } storeValueForID: { value, id in
            if let stored = toStorage(value, id) { store(value: stored, for: id) }
        }
    }
}

extension AsyncCache {
    /// Keeps values in another form. Nil to storage is not stored, nil from storage is a miss.
    ///
    /// `immediateValue(for:)` answers nil here, because a conversion is seldom fit for the caller's thread.
    public func mapValueToStorage<Other: Sendable>(
        _ toStorage: @escaping @Sendable (Other, ID) async -> Value?,
        fromStorage: @escaping @Sendable (Value, ID) async -> Other?
    ) -> some AsyncCache<ID, Other> {
        AnyAsyncCache { id in
            guard let stored = await value(for: id) else { return nil }
            return await fromStorage(stored, id)
        } storeValueForID: { value, id in
            if let stored = await toStorage(value, id) { await store(value: stored, for: id) }
        }
    }
}

extension RemovableSyncCache where Self: Sendable, ID: SendableMetatype {
    /// Keeps values in another form. Nil to storage is not stored; nil from storage is a miss, and the entry is removed.
    public func mapValueToStorage<Other>(
        _ toStorage: @escaping @Sendable (Other, ID) -> Value?,
        fromStorage: @escaping @Sendable (Value, ID) -> Other?
    ) -> some RemovableSyncCache<ID, Other> & Sendable {
        let converting = eraseToAnyCache().mapValueToStorage(toStorage) { stored, id in
            let value = fromStorage(stored, id)
            if value == nil { removeValue(for: id) }
            return value
        }
        return keepingRemoval(in: converting, mapID: { $0 })
    }
}

extension RemovableAsyncCache {
    /// Keeps values in another form. Nil to storage is not stored; nil from storage is a miss, and the entry is removed.
    ///
    /// If another task stores a new value while the old one is found to be of no use, the new one may go with it.
    public func mapValueToStorage<Other: Sendable>(
        _ toStorage: @escaping @Sendable (Other, ID) async -> Value?,
        fromStorage: @escaping @Sendable (Value, ID) async -> Other?
    ) -> some RemovableAsyncCache<ID, Other> {
        let converting = eraseToAnyCache().mapValueToStorage(toStorage) { stored, id in
            let value = await fromStorage(stored, id)
            if value == nil { await removeValue(for: id) }
            return value
        }
        return keepingRemoval(in: converting, mapID: { $0 })
    }
}
