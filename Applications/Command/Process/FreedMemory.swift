import CAllocator

/// Functions that return freed memory to the system, because the allocator would keep it.
enum FreedMemory {
    /// The time between checks for calm traffic, and the delay before memory is returned once traffic is calm.
    private static let interval = Duration.seconds(2)
    /// `M_MMAP_THRESHOLD` and `M_TRIM_THRESHOLD`, macros that Swift does not import.
    private static let (mapThreshold, trimThreshold): (Int32, Int32) = (-3, -1)

    /// Makes the allocator return each block of 1 MiB or more to the system when it is freed.
    ///
    /// By default, glibc raises this threshold to as much as 32 MiB. It keeps smaller blocks in heaps, which return only
    /// what is free at their ends, also from 1 MiB; ``giveBack(whenever:)`` returns the rest. A lower threshold costs a
    /// small thumbnail a tenth of its time: the system clears the pages of its source and its result each time.
    static func prepare() {
        _ = mallopt(mapThreshold, 1 << 20)
        _ = mallopt(trimThreshold, 1 << 20)
    }

    /// Returns memory to the system whenever traffic has calmed down, until the task is cancelled.
    ///
    /// - Parameter hasCalmedDown: Whether traffic has calmed down since the last call that returned `true`.
    static func giveBack(whenever hasCalmedDown: @Sendable () -> Bool) async {
        while !Task.isCancelled {
            try? await Task.sleep(for: interval)
            guard hasCalmedDown() else { continue }
            // Waits, because a request counts as ended a moment before its buffers are freed.
            try? await Task.sleep(for: interval)
            _ = malloc_trim(0)
        }
    }
}
