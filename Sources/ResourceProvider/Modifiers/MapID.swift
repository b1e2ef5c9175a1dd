extension SyncProvider where Self: Sendable {
    /// Asks this provider for the identifier that `transform` makes of the one requested. Takes a key path, too.
    ///
    /// The result gets requests by the new identifier: a provider of `Data` by `URL` becomes one of `Data` by `Photo`
    /// with `.mapID(\Photo.url)`.
    public func mapID<OtherID: Hashable & SendableMetatype>(
        _ transform: @escaping @Sendable (OtherID) -> ID
    ) -> some SyncProvider<OtherID, Value, Failure> & Sendable {
        AnySendableSyncProvider { (id) throws(Failure) in try value(for: transform(id)) }
    }
}

extension AsyncProvider {
    /// Asks this provider for the identifier that `transform` makes of the one requested. Takes a key path, too.
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
