import Darwin

/// Forces bytes to the disk. On Apple's systems, `fsync` leaves them in the drive's cache.
enum FileSync {
    /// Returns 0, or -1 with the reason in `errno`.
    static func sync(_ descriptor: Int32) -> Int32 {
        // Some file systems, above all network drives, do not support F_FULLFSYNC: fall back to `fsync`.
        fcntl(descriptor, F_FULLFSYNC) == 0 ? 0 : fsync(descriptor)
    }

    /// Statements that make SQLite use F_FULLFSYNC, too.
    static let pragmas = "PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON"
}
