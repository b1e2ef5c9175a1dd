public import CalotypeMemory

/// The state of a loader at one moment. Read without I/O: the size on disk is in `DiskStore.statistics()`.
public struct LoaderStatistics: Sendable {
    /// The number of images in flight, including intermediate images, animations that are encoded, and calls for several
    /// sizes.
    public let images: Int
    /// The number of waiters for images.
    public let imageWaiters: Int
    /// The number of sources being read, whether on disk, on the network or elsewhere.
    public let sources: Int
    /// The number of waiters for sources.
    public let sourceWaiters: Int
    /// The number of download slots in use. A download whose server is silent has lent its slot and does not count.
    public let downloads: Int
    /// The number of downloads and of reads of stored bodies that wait to start.
    public let downloadQueue: Int
    /// The size of received but undecoded images, in bytes.
    public let undecodedBytes: Int
    /// The number of jobs running on codec threads.
    public let codecs: Int
    /// The number of jobs waiting for a codec thread.
    public let codecQueue: Int
    /// The number of originals (undecoded images) that each layer has returned since the loader was created: the disk
    /// (fresh, revalidated or stale), the network, or a source. Requests that share a download count once.
    public let originals: [ImageResponse.Origin: Int]
    /// The number of lookups in the disk store that found an entry, including those by other users of the store.
    public let diskHits: Int
    /// The number of lookups in the disk store that found no entry, including those by other users of the store.
    public let diskMisses: Int
    /// The number of entries written to the disk store.
    public let diskWrites: Int
    /// The size of the images in the memory cache, in bytes.
    public var memoryBytes: Int { memory.cost }
    /// The counters of the memory cache.
    public let memory: MemoryCacheStatistics
}
