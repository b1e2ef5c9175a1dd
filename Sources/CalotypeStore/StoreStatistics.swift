/// The contents of the store, and its counters since this instance was created.
public struct StoreStatistics: Sendable, Hashable {
    /// The number of entries, including those of other processes.
    public var entries = 0
    /// The size that counts against the limit, in bytes: bodies, metadata, keys and `DiskStoreOptions.entryOverhead`
    /// per entry.
    public var bytes = 0
    /// The size of the bodies alone, in bytes.
    public var bodyBytes = 0
    /// The size limit, in bytes.
    public var byteLimit = 0

    /// The number of reads by this instance that found an entry.
    public var hits = 0
    /// The number of reads by this instance that found no entry.
    public var misses = 0
    /// The number of entries that this instance wrote.
    public var writes = 0
    /// The number of entries that this instance failed to write.
    public var failedWrites = 0
    /// The number of entries that this instance removed in trims and sweeps.
    public var evictions = 0
    /// The number of damaged entries that this instance found.
    public var damaged = 0

    package init() {}
}

/// The result of `DiskStore.verify()`. Invalid entries have been deleted.
package struct StoreVerification: Sendable, Hashable {
    package var checked = 0
    package var damaged = 0
    package var missing = 0
    /// The number of files without an entry, left by killed processes.
    package var orphans = 0
    package var totalsWereWrong = false
    /// Whether the index was damaged and replaced by an empty one, so that all entries are lost.
    package var indexWasReplaced = false

    init() {}

    /// `true` if no entry was lost and the totals were right. Ignores `orphans`, which do no harm.
    package var isClean: Bool { damaged == 0 && missing == 0 && !totalsWereWrong && !indexWasReplaced }
}
