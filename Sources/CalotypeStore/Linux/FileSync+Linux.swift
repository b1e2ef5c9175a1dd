import Glibc

/// Forces bytes to the disk.
enum FileSync {
    /// Returns 0, or -1 with the reason in `errno`.
    static func sync(_ descriptor: Int32) -> Int32 { fsync(descriptor) }

    /// Empty: SQLite calls `fsync` without further statements.
    static let pragmas = ""
}
