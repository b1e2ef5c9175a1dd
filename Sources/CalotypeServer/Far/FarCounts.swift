import CalotypeBase

/// The counts of a far store, for operators.
package struct FarCounts: Hashable, Sendable {
    /// Whether results are read: not before the purges of other nodes are known, or while they cannot be read.
    package var isRead = true
    /// Reads of the far store, each for all requests that waited for it.
    package var lookups = 0
    /// Lookups that found a page.
    package var hits = 0
    /// Lookups that found no page, or one that could not be used.
    package var misses = 0
    /// Lookups that took longer than the limit.
    package var timeouts = 0
    /// Lookups that failed.
    package var failures = 0
    /// Results that were looked up near alone: the far store fails, is not read, rarely has one, or has too many lookups in
    /// progress.
    package var skips = 0
    package var writes = 0
    package var failedWrites = 0
    /// Results that were not written: the queue was full, the far store failed, or the server ended.
    package var drops = 0
    /// Bytes of results that wait to be written, or are being written.
    package var queuedBytes = 0
}

/// The counters of a far store.
final class FarCounters: Sendable {
    let lookups = AtomicInteger(0), hits = AtomicInteger(0), misses = AtomicInteger(0)
    let timeouts = AtomicInteger(0), failures = AtomicInteger(0), skips = AtomicInteger(0)
    let writes = AtomicInteger(0), failedWrites = AtomicInteger(0), drops = AtomicInteger(0)
    let queuedBytes = AtomicInteger(0)

    var values: FarCounts {
        FarCounts(
            lookups: lookups.load(), hits: hits.load(), misses: misses.load(), timeouts: timeouts.load(),
            failures: failures.load(), skips: skips.load(), writes: writes.load(), failedWrites: failedWrites.load(),
            drops: drops.load(), queuedBytes: queuedBytes.load())
    }
}
