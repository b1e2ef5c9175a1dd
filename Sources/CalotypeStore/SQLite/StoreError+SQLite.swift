import CSQLite

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension StoreError {
    init(status: Int32, of database: OpaquePointer?, doing what: String) {
        let reason = database.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(status))
        let isFull = database.map { [ENOSPC, EDQUOT, EFBIG].contains(sqlite3_system_errno($0)) } ?? false
        self.init(StoreError.code(for: status, isFull: isFull), "\(what): \(reason)")
    }

    /// - Parameter isFull: Whether the file system has refused to let a file grow. Of its reasons, SQLite has a code of its
    ///   own for one alone.
    private static func code(for status: Int32, isFull: Bool) -> Code {
        // A short read: the file ends where the database says there is more.
        if status == SQLITE_IOERR | (2 << 8) { return .indexDamaged }
        return switch status & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: .indexDamaged
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_FULL: .diskFull
        case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM: .directoryUnusable
        case SQLITE_IOERR: isFull ? .diskFull : .ioFailed
        default: .indexFailed
        }
    }
}
