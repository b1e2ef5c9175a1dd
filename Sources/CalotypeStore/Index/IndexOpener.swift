import Foundation

/// Opens the index, creates a missing one, and replaces a damaged one.
struct IndexOpener: Sendable {
    let layout: StoreLayout
    let options: DiskStoreOptions
    private let file: SQLiteFile

    init(layout: StoreLayout, options: DiskStoreOptions) {
        (self.layout, self.options) = (layout, options)
        let sync = options.survivesPowerLoss ? "FULL; \(FileSync.pragmas)" : "NORMAL"
        // After a checkpoint, SQLite truncates a longer log to the limit. Without it, the log never shrinks.
        file = SQLiteFile(
            layout.index, lock: layout.indexLock, patience: options.busyTimeout,
            settings: "PRAGMA journal_size_limit = 16777216; PRAGMA cache_size = -4096; PRAGMA synchronous = \(sync)",
            version: IndexSchema.version, application: IndexSchema.applicationID)
    }

    /// Opens the index for reading. Returns `nil` if it does not exist, has no tables yet, or was created by another
    /// version or program, in which case the writer will replace it.
    func openForReading() throws(StoreError) -> StoreIndex? {
        guard try indexExists() else { return nil }
        do throws(StoreError) {
            return try file.whileLocked { () throws(StoreError) in
                let connection = try file.connect(creates: false)
                let isOurs = try file.owner(of: connection) == .this
                return isOurs ? StoreIndex(connection) : nil
            }
        } catch  where !FileSystem.exists(layout.directory) {
            return nil
        } catch  where error.code == .directoryUnusable && !FileSystem.isWritable(layout.directory) {
            return try openReadOnly()
        }
    }

    /// Opens the index in a read-only directory, where neither the lock nor SQLite's files can be created.
    ///
    /// Another process with write access may replace the index at the same time. This reader changes nothing, and
    /// trusts only bytes with valid checksums.
    private func openReadOnly() throws(StoreError) -> StoreIndex? {
        // SQLite ignores the log of an immutable database, so open the index as immutable only if it has no log.
        let isImmutable = !FileSystem.exists(layout.index + "-wal")
        let connection = try isImmutable ? SQLiteConnection(immutable: layout.index) : file.connect(creates: false)
        return try file.owner(of: connection) == .this ? StoreIndex(connection, isImmutable: isImmutable) : nil
    }

    /// Opens the index for writing. Creates a missing directory or index. Replaces an index that is damaged or was
    /// created by another version or program.
    func openForWriting(_ problems: inout [StoreProblem]) throws(StoreError) -> StoreIndex {
        do throws(StoreError) {
            return try makeAndOpen(&problems)
        } catch  where !FileSystem.exists(layout.directory) {
            return try makeAndOpen(&problems)
        }
    }

    private func makeAndOpen(_ problems: inout [StoreProblem]) throws(StoreError) -> StoreIndex {
        try FileSystem.makeDirectory(layout.directory)
        var found: [StoreProblem] = []
        let index = try file.whileLocked { () throws(StoreError) in
            try moveObstaclesAside(&found)
            do throws(StoreError) {
                if let index = try openOurs() { return index }
                found.append(StoreProblem(.otherVersion, "the index had another version and was replaced"))
            } catch  where error.code == .indexDamaged {
                found.append(StoreProblem(.damagedIndex, "the index was replaced: \(error)"))
            }
            discardAll()
            return try openNew(file.connect(creates: true))
        }
        problems += found
        // Ignores an error: entries are worth more than the note, and the next write meets the same problem.
        if !options.adoptsLimit { try? index.note(limit: options.byteLimit) }
        return index
    }

    /// Replaces a damaged index, unless another process has done so already.
    func replace(_ damaged: consuming StoreIndex, because reason: StoreError) throws(StoreError) -> StoreProblem? {
        let index = Optional(damaged)
        return try file.whileLocked { () throws(StoreError) in
            guard let index, !index.hasMoved else { return nil }
            discardAll()
            return StoreProblem(.damagedIndex, "the index was replaced: \(reason)")
        }
    }

    /// Deletes the index, and moves the bodies aside for later deletion.
    func discard() throws(StoreError) {
        try file.whileLocked { () throws(StoreError) in
            discardAll()
            guard FileSystem.exists(layout.index) else { return }
            throw StoreError(.directoryUnusable, "\(layout.index) cannot be deleted")
        }
    }

    private func indexExists() throws(StoreError) -> Bool {
        if FileSystem.exists(layout.index) { return true }
        let number = errno
        if number == ENOENT { return false }
        throw StoreError(errno: number, doing: "opening", path: layout.index)
    }

    /// Opens or creates the index. Returns `nil` if another version or another program created it.
    private func openOurs() throws(StoreError) -> StoreIndex? {
        let connection = try file.connect(creates: true)
        switch try file.owner(of: connection) {
        case .other: return nil
        case .nobody: return try openNew(connection)
        case .this:
            let index = StoreIndex(connection)
            do throws(StoreError) { _ = try index.totals() } catch  where error.code == .indexFailed {
                throw StoreError(.indexDamaged, error.message)
            }
            try connection.script(IndexSchema.additions)
            return index
        }
    }

    /// Creates the tables. Moves existing files of bodies aside: they belong to an earlier index, because this one has
    /// no entries.
    private func openNew(_ connection: SQLiteConnection) throws(StoreError) -> StoreIndex {
        discardBlobs()
        try connection.script(IndexSchema.creation)
        try connection.script(IndexSchema.additions)
        return StoreIndex(connection)
    }

    /// Moves aside a directory in place of an index file, and a file in place of the directory `temp`.
    private func moveObstaclesAside(_ found: inout [StoreProblem]) throws(StoreError) {
        for suffix in SQLiteFile.suffixes where FileSystem.isDirectory(layout.index + suffix) {
            try FileSystem.move(layout.index + suffix, to: layout.newDiscarded())
            found.append(StoreProblem(.damagedIndex, "the index was replaced: a directory was in its place"))
        }
        if FileSystem.exists(layout.temp), !FileSystem.isDirectory(layout.temp) {
            try FileSystem.move(layout.temp, to: layout.newDiscarded())
        }
    }

    private func discardAll() {
        file.remove()
        discardBlobs()
    }

    /// Moves all blobs aside at once, however many there are. The next sweep deletes them.
    private func discardBlobs() { try? FileSystem.move(layout.blobs, to: layout.newDiscarded()) }
}
