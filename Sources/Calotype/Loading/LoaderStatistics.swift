public import CalotypeMemory

/// A loader at one moment.
public struct LoaderStatistics: Sendable {
    /// The number of images in the making, including those that others are made from.
    public let images: Int
    /// The number of waiters for images.
    public let imageWaiters: Int
    /// The number of sources being read, from the disk, the network or wherever they are.
    public let sources: Int
    /// The number of waiters for sources.
    public let sourceWaiters: Int
    /// The number of downloads that wait to start.
    public let downloadQueue: Int
    /// The size of images that have arrived and are not decoded yet, in bytes.
    public let undecodedBytes: Int
    /// The number of jobs that run on codec threads.
    public let codecs: Int
    /// The number of jobs that wait for a codec thread.
    public let codecQueue: Int
    /// The number of originals that each layer has given since the loader was created: the disk fresh, revalidated or stale, the
    /// network, or a source. Requests that share a download count once.
    public let originals: [ImageResponse.Origin: Int]
    /// The number of entries that were found in the disk store, of all its users.
    public let diskHits: Int
    /// The number of entries that were looked up in the disk store and not found.
    public let diskMisses: Int
    /// The number of entries written to the disk store. Its size is in `DiskStore.statistics()`.
    public let diskWrites: Int
    /// The counters of the memory cache.
    public let memory: MemoryCacheStatistics
}
