import CSQLite

extension StoreError {
    init(status: Int32, of database: OpaquePointer?, doing what: String) {
        let reason = database.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(status))
        self.init(StoreError.code(for: status), "\(what): \(reason)")
    }

    private static func code(for status: Int32) -> Code {
        // A short read: the file is shorter than the database's header announces.
        if status == SQLITE_IOERR | (2 << 8) { return .indexDamaged }
        return switch status & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: .indexDamaged
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_FULL: .diskFull
        case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM: .directoryUnusable
        case SQLITE_IOERR: .ioFailed
        default: .indexFailed
        }
    }
}
