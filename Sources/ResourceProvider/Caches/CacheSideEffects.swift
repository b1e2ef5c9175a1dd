extension SyncCache where Self: Sendable {
    /// Calls `sideEffect` after each read, with the value found or `nil`.
    public func valueForSideEffect(
        sideEffect: @escaping @Sendable (Value?, ID) -> Void
    ) -> some SyncCache<ID, Value> & Sendable {
        AnySendableSyncCache { id in
            let value = value(for: id)
            sideEffect(value, id)
            return value
        } storeValueForID: { value, id in
            store(value: value, for: id)
        }
    }

    /// Calls `sideEffect` after each store.
    public func storeValueForSideEffect(
        sideEffect: @escaping @Sendable (Value, ID) -> Void
    ) -> some SyncCache<ID, Value> & Sendable {
        AnySendableSyncCache { id in
            value(for: id)
        } storeValueForID: { value, id in
            store(value: value, for: id)
            sideEffect(value, id)
        }
    }
}

extension AsyncCache {
    /// Calls `sideEffect` after each read, with the value found or `nil`.
    ///
    /// `immediateValue(for:)` returns `nil` here, so that no read bypasses the side effect. To observe immediate reads,
    /// add the side effect to the synchronous cache, before `concurrent(isCheap: true)`.
    public func valueForSideEffect(
        sideEffect: @escaping @Sendable (Value?, ID) async -> Void
    ) -> some AsyncCache<ID, Value> {
        AnyAsyncCache { id in
            let value = await value(for: id)
            await sideEffect(value, id)
            return value
        } storeValueForID: { value, id in
            await store(value: value, for: id)
        }
    }

    /// Calls `sideEffect` after each store.
    public func storeValueForSideEffect(
        sideEffect: @escaping @Sendable (Value, ID) async -> Void
    ) -> some AsyncCache<ID, Value> {
        AnyAsyncCache { id in
            await value(for: id)
        } storeValueForID: { value, id in
            await store(value: value, for: id)
            await sideEffect(value, id)
        } immediateValueForID: { id in
            immediateValue(for: id)
        }
    }
}
