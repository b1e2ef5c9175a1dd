/// The namespace for sources: `Provider.source { id in … }`.
///
/// A *provider* returns the value for an identifier. To build one, start from a source and add modifiers, each of which
/// returns a new provider:
///
/// ```swift
/// let thumbnails = Provider.source { (url: URL) async throws in try await download(url) }
///     .mapValue { data, _ in try decode(data) }   // invalid data is never stored
///     .cache(memory)
///     .coordinated()                              // concurrent requests share one download
/// ```
///
/// Read such a chain from the end: a request reaches the last modifier first and the source last, and the value returns
/// in the order written.
public enum Provider {}

extension Provider {
    /// Returns a provider, for use by any thread, that calls `valueForID` for each request on the caller's thread.
    ///
    /// For functions that are not `@Sendable`, use ``AnySyncProvider`` and `forceSendable()` instead.
    public static func source<ID: Hashable, Value, Failure: Error>(
        _ valueForID: @escaping @Sendable (ID) throws(Failure) -> Value
    ) -> some SyncProvider<ID, Value, Failure> & Sendable {
        AnySendableSyncProvider(valueForID: valueForID)
    }

    /// Returns a provider that awaits `valueForID` for each request.
    public static func source<ID: Hashable & Sendable, Value: Sendable, Failure: Error>(
        _ valueForID: @escaping @Sendable (ID) async throws(Failure) -> Value
    ) -> some AsyncProvider<ID, Value, Failure> {
        AnyAsyncProvider(valueForID: valueForID)
    }
}
