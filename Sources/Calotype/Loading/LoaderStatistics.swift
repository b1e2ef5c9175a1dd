public import CalotypeMemory

/// A loader at one moment.
public struct LoaderStatistics: Sendable {
    /// Pictures being made, those on the way to others included.
    public let pictures: Int
    /// Who waits for them.
    public let pictureWaiters: Int
    /// Sources being read: from disk, or from where they are.
    public let sources: Int
    /// Who waits for them.
    public let sourceWaiters: Int
    /// Downloads that wait to start.
    public let downloadQueue: Int
    /// Bytes of pictures that are there and not decoded yet.
    public let undecodedBytes: Int
    /// Jobs that run on codec threads.
    public let codecs: Int
    /// Jobs that wait for a codec thread.
    public let codecQueue: Int
    /// The counters of the memory cache.
    public let memory: MemoryCacheStatistics
}
