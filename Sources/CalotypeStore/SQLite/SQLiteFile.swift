/// A database file that processes share, and a lock beside it: while one process replaces the file, no other one opens it.
package struct SQLiteFile: Sendable {
    /// Whose tables a database has.
    package enum Owner { case nobody, this, other }

    package let path: String
    private let lock: String
    private let patience: Duration
    private let name: String
    private let settings: String
    private let version: Int
    private let application: Int

    /// - Parameters:
    ///   - lock: The path of the lock.
    ///   - patience: The longest wait for another process.
    ///   - name: The database in messages. The default is "the index".
    ///   - settings: The statements for each new connection.
    ///   - version: The number that the schema of this version sets as `user_version`.
    ///   - application: The number that it sets as `application_id`. The default is 0, which is SQLite's.
    package init(
        _ path: String, lock: String, patience: Duration, name: String = "the index", settings: String, version: Int,
        application: Int = 0
    ) {
        (self.path, self.lock, self.patience, self.name) = (path, lock, patience, name)
        (self.settings, self.version, self.application) = (settings, version, application)
    }

    package func connect(creates: Bool) throws(StoreError) -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, creates: creates, busyTimeout: patience, name: name)
        try connection.script(settings)
        return connection
    }

    package func owner(of connection: SQLiteConnection) throws(StoreError) -> Owner {
        let found = try connection.first("PRAGMA user_version") { $0.int(0) }
        let owner = try connection.first("PRAGMA application_id") { $0.int(0) }
        if found == version && owner == application { return .this }
        let tables = try connection.first("SELECT count(*) FROM sqlite_schema") { $0.int(0) }
        return found == 0 && tables == 0 ? .nobody : .other
    }

    /// The suffixes of the files: the database, its log, the log's shared memory, and a journal.
    static let suffixes = ["", "-wal", "-shm", "-journal"]

    /// Deletes the files, except those that cannot be deleted.
    package func remove() {
        for suffix in Self.suffixes { FileSystem.remove(path + suffix) }
    }

    /// Runs `body` while no other process opens or replaces the database: SQLite must not mix an old file and a new log.
    package func whileLocked<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try UninterruptedWork.perform { () throws(StoreError) in
            try withExtendedLifetime(FileLock(lock, timeout: patience), body)
        }
    }
}
