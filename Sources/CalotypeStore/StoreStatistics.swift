/// The contents of the store, and its counters since this instance was created.
public struct StoreStatistics: Sendable, Hashable {
    /// How many entries there are, those of other processes included.
    public var entries = 0
    /// The size that counts against the limit: bodies, metadata, keys and `DiskStoreOptions.entryOverhead` for each
    /// entry.
    public var bytes = 0
    /// Bytes of the bodies alone.
    public var bodyBytes = 0
    /// The size limit, in bytes.
    public var byteLimit = 0

    /// Reads by this instance that found an entry, and that did not.
    public var hits = 0
    /// The number of reads that found nothing.
    public var misses = 0
    /// Entries that this instance wrote, and that it failed to write.
    public var writes = 0
    /// The number of writes that failed.
    public var failedWrites = 0
    /// Entries that this instance removed for want of room or for their age.
    public var evictions = 0
    /// Damaged entries that this instance met.
    public var damaged = 0
}

/// The findings of `DiskStore.verify()`. Entries that were wrong have been deleted.
package struct StoreVerification: Sendable, Hashable {
    /// How many entries were read and compared with their checksums.
    package var checked = 0
    /// Entries whose body or metadata were damaged.
    package var damaged = 0
    /// Entries whose file was gone.
    package var missing = 0
    /// Files without an entry: what a process that was killed had begun.
    package var orphans = 0
    /// The count of entries or bytes in the index was wrong.
    package var totalsWereWrong = false

    package init() {}

    /// No entry was lost and nothing counted wrongly. Orphans do no harm.
    package var isClean: Bool { damaged == 0 && missing == 0 && !totalsWereWrong }
}
