import CAllocator

/// Memory that the proxy has freed, and that the allocator would keep.
enum ProxyMemory {
    /// The time between two looks at whether requests have become few.
    private static let interval = Duration.seconds(2)
    /// `M_MMAP_THRESHOLD`, a macro that Swift does not see.
    private static let mapThreshold: Int32 = -3

    /// Has each block of 128 KiB or more go back to the system when it is freed.
    ///
    /// By itself the allocator raises this limit up to 32 MiB, and then nothing below a block in use goes back.
    static func prepare() { _ = mallopt(mapThreshold, 128 << 10) }

    /// Gives memory back each time that many requests have become few, until the task is cancelled.
    static func giveBack(after metrics: ProxyMetrics) async {
        while !Task.isCancelled {
            try? await Task.sleep(for: interval)
            guard metrics.hasCalmedDown() else { continue }
            // A request is counted as ended a moment before its buffers are freed.
            try? await Task.sleep(for: interval)
            _ = malloc_trim(0)
        }
    }
}
