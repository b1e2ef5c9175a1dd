import CSQLite
import CalotypeBase
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A connection to a database, with its prepared statements. Not thread-safe.
package final class SQLiteConnection {
    private let handle: OpaquePointer
    /// The database in messages.
    private let name: String
    private var statements: [ByteString: SQLiteStatement] = [:]

    /// - Parameter name: The database in messages. The default is "the index".
    package convenience init(
        path: String, creates: Bool, busyTimeout: Duration, name: String = "the index"
    ) throws(StoreError) {
        if creates { SQLiteConnection.makeFile(path) }
        try self.init(path, SQLITE_OPEN_READWRITE | (creates ? SQLITE_OPEN_CREATE : 0), name: name)
        sqlite3_busy_timeout(handle, Int32(min(max(busyTimeout / .milliseconds(1), 0), Double(Int32.max))))
    }

    /// Opens a database file as immutable: SQLite then takes no locks and reads no log.
    convenience init(immutable path: String) throws(StoreError) {
        // Three slashes before an absolute path: SQLite reads the text after two slashes as a host name.
        let url = (path.utf8.first == UInt8(ascii: "/") ? "file://" : "file:") + SQLiteConnection.escaped(path)
        try self.init(url + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
    }

    private init(_ path: String, _ flags: Int32, name: String = "the index") throws(StoreError) {
        var opened: OpaquePointer?
        let status = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        // SQLite returns a handle on most failures, too: it holds the reason and has to be closed.
        guard status == SQLITE_OK, let opened else {
            defer { sqlite3_close_v2(opened) }
            throw StoreError(status: status, of: opened, doing: "opening \(name)")
        }
        (handle, self.name) = (opened, name)
        sqlite3_extended_result_codes(handle, 1)
    }

    /// Escapes the characters of the path that are special in a URI.
    private static func escaped(_ path: String) -> String {
        ByteString(path).percentEncoded { !"%?#".utf8.contains($0) }.string
    }

    /// Creates the file for this user only; SQLite would let other users read it. SQLite gives its log the same mode.
    ///
    /// Leaves an existing file alone: if the file is open elsewhere in this process, closing a second descriptor would
    /// release the process's locks on it. SQLite reports errors of this step when it opens the file.
    private static func makeFile(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    deinit {
        statements = [:]
        sqlite3_close_v2(handle)
    }

    /// `true` if the path no longer leads to the file that is open here: other processes would not see further writes.
    package var hasMoved: Bool { calotype_has_moved(handle) != 0 }

    func statement(_ sql: String) throws(StoreError) -> SQLiteStatement {
        let key = ByteString(sql)
        if let statement = statements[key] { return statement }
        let statement = try SQLiteStatement(sql, on: handle, named: name)
        statements[key] = statement
        return statement
    }

    package func run(_ sql: String, _ values: SQLiteValue...) throws(StoreError) {
        try statement(sql).forEachRow(values) { _ in }
    }

    package func first<Result>(
        _ sql: String, _ values: SQLiteValue..., read: (SQLiteRow) -> Result
    ) throws(StoreError) -> Result? {
        var result: Result?
        try statement(sql).forEachRow(values) { row in
            if result == nil { result = read(row) }
        }
        return result
    }

    package func all<Result>(
        _ sql: String, _ values: SQLiteValue..., read: (SQLiteRow) -> Result
    ) throws(StoreError) -> [Result] {
        var results: [Result] = []
        try statement(sql).forEachRow(values) { results.append(read($0)) }
        return results
    }

    /// Executes several statements without caching them, for schemas, pragmas and other statements that run rarely.
    package func script(_ sql: String) throws(StoreError) {
        let status = sqlite3_exec(handle, sql, nil, nil, nil)
        guard status == SQLITE_OK else { throw StoreError(status: status, of: handle, doing: "setting up \(name)") }
    }

    /// Runs `body` as a transaction. Takes the write lock first, so that rows cannot change after `body` has read them.
    package func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try run("BEGIN IMMEDIATE")
        do throws(StoreError) {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // Ignore errors: after some failures, SQLite has rolled back already.
            try? run("ROLLBACK")
            throw error
        }
    }
}

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
