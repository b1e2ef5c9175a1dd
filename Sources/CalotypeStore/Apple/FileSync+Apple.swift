#if canImport(Darwin)
    import Darwin

    /// Forces bytes to the disk. On Apple's systems, `fsync` leaves them in the drive's cache.
    enum FileSync {
        /// Returns 0, or -1 with the reason in `errno`.
        static func sync(_ descriptor: Int32) -> Int32 {
            // Some file systems do not support F_FULLFSYNC, network drives above all.
            fcntl(descriptor, F_FULLFSYNC) == 0 ? 0 : fsync(descriptor)
        }

        /// Statements that make SQLite force its bytes to the disk in the same way.
        static let pragmas = "PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON"
    }
#endif
