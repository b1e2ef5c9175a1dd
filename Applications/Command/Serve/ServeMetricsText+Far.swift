import CalotypeServer

extension MetricsText {
    mutating func addFar(_ counts: FarCounts) {
        gauge(
            "far_readable", "1 if the far store is read; 0 while the purges of other nodes are unknown.",
            [.init(counts.isRead ? 1 : 0)])
        counter("far_lookups_total", "Lookups in the far store.", [.init(counts.lookups)])
        counter("far_hits_total", "Lookups in the far store that found a result.", [.init(counts.hits)])
        counter("far_misses_total", "Lookups in the far store that found none.", [.init(counts.misses)])
        counter("far_timeouts_total", "Lookups in the far store that took too long.", [.init(counts.timeouts)])
        counter("far_failures_total", "Lookups in the far store that failed.", [.init(counts.failures)])
        counter(
            "far_skips_total",
            "Misses without a lookup: the far store fails, is not readable, rarely has a result, or is busy.",
            [.init(counts.skips)])
        counter("far_writes_total", "Results written to the far store.", [.init(counts.writes)])
        counter(
            "far_failed_writes_total", "Results that could not be written to the far store.",
            [.init(counts.failedWrites)])
        counter("far_drops_total", "Results that were not written for lack of room or time.", [.init(counts.drops)])
        gauge("far_queued_bytes", "Bytes that wait to be written to the far store.", [.init(counts.queuedBytes)])
    }
}
