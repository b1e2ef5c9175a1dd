/// The place where providers begin: `Provider.source { id in … }`.
///
/// A *provider* gives the value that an identifier stands for. Providers are built by starting from a source and adding
/// modifiers, each of which returns a new provider:
///
/// ```swift
/// let thumbnails = Provider.source { (url: URL) async throws in try await download(url) }
///     .mapValue { data, _ in try decode(data) }   // what does not decode is never stored
///     .cache(memory)
///     .coordinated()                              // one download for all who ask at the same time
/// ```
///
/// Read such a chain from the end: a request meets the last modifier first and the source last, and the value travels
/// back in the order written.
public enum Provider {}

extension Provider {
    /// A provider that calls `valueForID` for each request, where it is asked, from any thread.
    ///
    /// A function that is not `@Sendable`, or captures what is not, goes into ``AnySyncProvider`` and through
    /// `forceSendable()` instead.
    public static func source<ID: Hashable, Value, Failure: Error>(
        _ valueForID: @escaping @Sendable (ID) throws(Failure) -> Value
    ) -> some SyncProvider<ID, Value, Failure> & Sendable {
        AnySendableSyncProvider(valueForID: valueForID)
    }

    /// A provider that awaits `valueForID` for each request.
    public static func source<ID: Hashable & Sendable, Value: Sendable, Failure: Error>(
        _ valueForID: @escaping @Sendable (ID) async throws(Failure) -> Value
    ) -> some AsyncProvider<ID, Value, Failure> {
        AnyAsyncProvider(valueForID: valueForID)
    }
}
