extension SyncProvider where Self: Sendable {
    /// Maps each requested identifier to an identifier of this provider by `transform`, which may be a key path.
    ///
    /// For example, `.mapID(\Photo.url)` turns a provider of `Data` by `URL` into a provider by `Photo`.
    public func mapID<OtherID: Hashable & SendableMetatype>(
        _ transform: @escaping @Sendable (OtherID) -> ID
    ) -> some SyncProvider<OtherID, Value, Failure> & Sendable {
        AnySendableSyncProvider { (id) throws(Failure) in try value(for: transform(id)) }
    }
}

extension AsyncProvider {
    /// Maps each requested identifier to an identifier of this provider by `transform`, which may be a key path.
    ///
    /// `immediateValue(for:)` calls `transform` on the caller's thread.
    public func mapID<OtherID: Hashable & Sendable>(
        _ transform: @escaping @Sendable (OtherID) -> ID
    ) -> some AsyncProvider<OtherID, Value, Failure> {
        AnyAsyncProvider { (id) async throws(Failure) in
            try await value(for: transform(id))
        } immediateValueForID: { id in
            immediateValue(for: transform(id))
        }
    }
}
