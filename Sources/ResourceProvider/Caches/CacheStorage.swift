extension SyncCache where Self: Sendable {
    /// Returns a cache that stores values in another form, such as images as encoded bytes.
    ///
    /// - Parameters:
    ///   - toStorage: Converts a value to its stored form. The cache does not store the value if this returns `nil`.
    ///   - fromStorage: Converts a stored value back. If this returns `nil`, the read is a miss, not an error.
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
    /// Returns a cache that stores values in another form. It does not store a value if `toStorage` returns `nil`; a
    /// read is a miss if `fromStorage` returns `nil`.
    ///
    /// `immediateValue(for:)` returns `nil`, because conversions are rarely fast enough for the caller's thread.
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
    /// Returns a cache that stores values in another form. It does not store a value if `toStorage` returns `nil`. If
    /// `fromStorage` returns `nil`, the read is a miss and removes the entry.
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
    /// Returns a cache that stores values in another form. It does not store a value if `toStorage` returns `nil`. If
    /// `fromStorage` returns `nil`, the read is a miss and removes the entry, even if another task has stored a new
    /// value meanwhile.
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
