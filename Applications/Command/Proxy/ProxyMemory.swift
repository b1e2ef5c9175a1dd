import CAllocator

/// The functions that return freed memory, which the allocator would keep, to the system.
enum ProxyMemory {
    /// The time between two checks whether traffic has calmed down.
    private static let interval = Duration.seconds(2)
    /// `M_MMAP_THRESHOLD`, a macro that Swift does not import.
    private static let mapThreshold: Int32 = -3

    /// Makes the allocator return each block of 128 KiB or more to the system when it is freed.
    ///
    /// Otherwise glibc raises this limit up to 32 MiB, and keeps all memory below a block in use.
    static func prepare() { _ = mallopt(mapThreshold, 128 << 10) }

    /// Returns memory to the system whenever traffic has calmed down, until the task is cancelled.
    static func giveBack(after metrics: ProxyMetrics) async {
        while !Task.isCancelled {
            try? await Task.sleep(for: interval)
            guard metrics.hasCalmedDown() else { continue }
            // A request counts as ended a moment before its buffers are freed.
            try? await Task.sleep(for: interval)
            _ = malloc_trim(0)
        }
    }
}
