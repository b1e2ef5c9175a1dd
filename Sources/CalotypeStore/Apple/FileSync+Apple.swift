#if canImport(Darwin)
    import Darwin

    /// How bytes are forced to the disk. `fsync` leaves them in the drive's own memory on Apple's systems.
    enum FileSync {
        /// Returns 0, or -1 with the reason in `errno`.
        static func sync(_ descriptor: Int32) -> Int32 {
            // Some file systems, of network drives above all, do not know it.
            fcntl(descriptor, F_FULLFSYNC) == 0 ? 0 : fsync(descriptor)
        }

        /// Statements that make the index do the same.
        static let pragmas = "PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON"
    }
#endif
