import CAllocator

/// Functions that return freed memory to the system, because the allocator would keep it.
enum ProxyMemory {
    /// The time between checks for calm traffic, and the delay before memory is returned once traffic is calm.
    private static let interval = Duration.seconds(2)
    /// `M_MMAP_THRESHOLD`, a macro that Swift does not import.
    private static let mapThreshold: Int32 = -3

    /// Makes the allocator return each block of 128 KiB or more to the system when it is freed.
    ///
    /// By default, glibc raises this threshold to as much as 32 MiB. It keeps smaller blocks in a heap, which cannot
    /// shrink below its last block in use.
    static func prepare() { _ = mallopt(mapThreshold, 128 << 10) }

    /// Returns memory to the system whenever traffic has calmed down, until the task is cancelled.
    static func giveBack(after metrics: ProxyMetrics) async {
        while !Task.isCancelled {
            try? await Task.sleep(for: interval)
            guard metrics.hasCalmedDown() else { continue }
            // Waits, because a request counts as ended a moment before its buffers are freed.
            try? await Task.sleep(for: interval)
            _ = malloc_trim(0)
        }
    }
}
