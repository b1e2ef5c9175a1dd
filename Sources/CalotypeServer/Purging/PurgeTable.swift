package import CalotypeBase
import CalotypeStore
import Foundation

/// The purges of a store, in a database beside it that the store's processes share. Its calls block, one at a time.
///
/// A database that is damaged or lost may have had any purge: another one takes its place, with the purges that this
/// process knows and a hard purge of everything. Purges are a set, so that each process can add what it knows.
package final class PurgeTable: Sendable {
    /// The database as this process has not seen it yet.
    struct Changes: Sendable {
        /// The new and changed purges, in their order.
        fileprivate(set) var purges: [Purge] = []
        /// The time at which the last complete sweep of any process began, in seconds since 1970; 0 before the first.
        fileprivate(set) var swept = 0.0
    }

    private struct State {
        var connection: SQLiteConnection?
        /// The number of the last row that this process has read.
        var seen: Int64 = 0
        /// SQLite's number of the changes by other processes, when this process read the rows.
        var version: Int64?
        var swept = 0.0
        /// Whether the database has been open. A file that is gone then lacks no purge but those that this process knows.
        var isKnown = false
    }

    private let folder: String
    private let file: SQLiteFile
    private let isNewStore: Bool
    private let wallClock: WallClock
    private let known: @Sendable () -> [Purge]
    private let report: @Sendable (String) -> Void
    private let state = Locked(State())
    // One thread: the calls block, and would wait for each other anyway.
    private let thread = BlockingPool(threads: 1, queueLimit: 256)

    /// - Parameters:
    ///   - folder: The folder of the store.
    ///   - isNewStore: Whether the store has no results yet, which a lost purge could cover. The default is `false`.
    ///   - patience: The longest wait for another process. The default is 5 seconds.
    ///   - known: Returns the purges that this process knows. By default it knows none.
    package init(
        inStore folder: String, isNewStore: Bool = false, patience: Duration = .seconds(5),
        wallClock: WallClock = .system, known: @escaping @Sendable () -> [Purge] = { [] },
        report: @escaping @Sendable (String) -> Void
    ) {
        (self.folder, self.isNewStore) = (folder, isNewStore)
        (self.wallClock, self.known, self.report) = (wallClock, known, report)
        file = SQLiteFile(
            Self.path(inStore: folder), lock: "\(folder)/purges.lock", patience: patience, name: "the purges",
            settings: "PRAGMA journal_size_limit = 1048576; PRAGMA synchronous = FULL", version: Self.version)
    }

    static func path(inStore folder: String) -> String { "\(folder)/purges.sqlite" }

    /// Runs calls on the table's own thread.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable (PurgeTable) throws(ServerError) -> Result
    ) async throws(ServerError) -> Result {
        try await thread.run { [self] () throws(ServerError) in try body(self) }
    }

    // MARK: Reading and writing

    /// Returns what other processes have changed since the last call.
    ///
    /// - Throws: 500 if the database cannot be read, 503 if another process keeps it busy.
    func look() throws(ServerError) -> Changes {
        try perform("the purges cannot be read") { connection, state throws(StoreError) in
            let version = try connection.first("PRAGMA data_version") { $0.integer(0) }
            guard version != state.version else { return Changes(swept: state.swept) }
            defer { state.version = version }
            return try unseen(connection, &state)
        }
    }

    /// Changes purges, all of them or none. When the call returns, they survive a loss of power.
    ///
    /// - Parameters:
    ///   - new: Purges that are left as they are if the database has them.
    ///   - changed: Purges that take the places of those with their identities.
    ///   - gone: Purges to remove.
    /// - Returns: The new purges, those of other processes among them.
    /// - Throws: 500 if they cannot be written, 503 if another process keeps the database busy.
    func write(
        new: [Purge] = [], changed: [Purge] = [], gone: [PurgeID] = []
    ) throws(ServerError) -> Changes {
        try perform("the purge is not recorded") { connection, state throws(StoreError) in
            try connection.transaction { () throws(StoreError) in
                for purge in new { try insert(purge, replaces: false, connection) }
                for purge in changed { try insert(purge, replaces: true, connection) }
                for id in gone { try connection.run("DELETE FROM purges WHERE id = ?", .text(id.text)) }
                let changes = try unseen(connection, &state)
                let added = Set(changes.purges.map(\.id))
                for purge in new where !added.contains(purge.id) { try checkRow(of: purge.id, connection) }
                return changes
            }
        }
    }

    /// Puts a purge into the database, for a process that is no server.
    package func take(_ target: PurgeTarget, isHard: Bool) throws(ServerError) -> Purge {
        let purge = Purge(target, isHard: isHard, at: wallClock.now)
        _ = try write(new: [purge])
        return purge
    }

    /// Returns the purges of a store whose database can be read.
    static func purges(inStore folder: String) -> [Purge] {
        let table = PurgeTable(inStore: folder, report: { _ in })
        guard FileSystem.exists(table.file.path), let connection = try? table.connected() else { return [] }
        return (try? table.rows(after: 0, connection).map(\.purge)) ?? []
    }

    // MARK: Sweeps, and the purges of other nodes

    /// Removes the purges that were learnt until a time, after a sweep.
    func noteSweep(begunAt begun: Double, droppingUntil end: Double) throws(ServerError) {
        try perform("the purges are not changed") { connection, state throws(StoreError) in
            try connection.transaction { () throws(StoreError) in
                try connection.run("DELETE FROM purges WHERE learnt <= ?", .real(end))
                try set("swept", begun, connection)
            }
            state.swept = begun
        }
    }

    /// Runs `body` unless another process sweeps the store now.
    func sweeping(_ body: () async -> Void) async {
        guard let lock = try? FileLock(trying: "\(folder)/purges.sweep.lock") else { return }
        await body()
        _ = consume lock
    }

    /// The time until which the store has the purges of all nodes, in seconds since 1970; 0 if it is unknown.
    var heard: Double { (try? perform("") { connection, _ throws(StoreError) in try fact("heard", connection) }) ?? 0 }

    func note(heard time: Double) throws(ServerError) {
        try perform("the purges are not changed") { connection, _ throws(StoreError) in
            try set("heard", time, connection)
        }
    }

    // MARK: Rows

    private func unseen(_ connection: SQLiteConnection, _ state: inout State) throws(StoreError) -> Changes {
        let rows = try rows(after: state.seen, connection)
        if let last = rows.last { state.seen = last.number }
        state.swept = try fact("swept", connection)
        return Changes(purges: rows.map(\.purge), swept: state.swept)
    }

    private func rows(
        after number: Int64, _ connection: SQLiteConnection
    ) throws(StoreError) -> [(number: Int64, purge: Purge)] {
        let rows = try connection.all(
            "SELECT seq, id, kind, url, hard, learnt, owed, sum FROM purges WHERE seq > ? ORDER BY seq",
            .integer(number)
        ) { row in Self.purge(row).map { (row.integer(0), $0) } }
        let intact = rows.compactMap(\.self)
        guard intact.count == rows.count else { throw StoreError(.indexDamaged, "a purge fails its checksum") }
        return intact
    }

    private static func purge(_ row: SQLiteRow) -> Purge? {
        guard let id = PurgeID(row.text(1)), let kind = PurgeTarget.Kind(rawValue: row.text(2).string),
            let target = PurgeTarget(kind: kind, url: row.text(3))
        else { return nil }
        var purge = Purge(target, isHard: row.integer(4) != 0, id: id, learnt: row.real(5))
        purge.isOwed = row.integer(6) != 0
        return row.bits(7) == sum(of: purge) ? purge : nil
    }

    private func insert(
        _ purge: Purge, replaces: Bool, _ connection: SQLiteConnection
    ) throws(StoreError) {
        // A replaced row gets a new number, by which other processes find it.
        try connection.run(
            "INSERT OR \(replaces ? "REPLACE" : "IGNORE") INTO purges (id, kind, url, hard, learnt, owed, sum) "
                + "VALUES (?, ?, ?, ?, ?, ?, ?)",
            .text(purge.id.text), .text(ByteString(purge.target.kind.rawValue)), .text(purge.target.url),
            .integer(purge.isHard ? 1 : 0), .real(purge.learnt), .integer(purge.isOwed ? 1 : 0),
            .bits(Self.sum(of: purge)))
    }

    /// Throws `indexDamaged` unless there is a row with the identity, which SQLite's index has.
    private func checkRow(of id: PurgeID, _ connection: SQLiteConnection) throws(StoreError) {
        guard try connection.first("SELECT url FROM purges WHERE id = ?", .text(id.text), read: { _ in true }) == nil
        else { return }
        throw StoreError(.indexDamaged, "a purge is in the index alone")
    }

    /// Returns the checksum of a row, which SQLite's pages lack.
    private static func sum(of purge: Purge) -> UInt64 {
        let (id, target) = (purge.id.text, purge.target)
        let text: ByteString =
            "\(id) \(target.kind.rawValue) \(purge.isHard) \(purge.learnt.bitPattern) \(purge.isOwed) \(target.url)"
        return text.withBytes { Checksum.of($0) }
    }

    private func fact(_ name: String, _ connection: SQLiteConnection) throws(StoreError) -> Double {
        let value = try connection.first("SELECT value FROM facts WHERE name = ?", .text(ByteString(name))) {
            $0.real(0)
        }
        // A time ahead of the clock is damaged, or older than the clock, which has been set back.
        return value.map { $0 <= wallClock.now + Purge.clockReach ? $0 : 0 } ?? 0
    }

    private func set(_ name: String, _ value: Double, _ connection: SQLiteConnection) throws(StoreError) {
        try connection.run("INSERT OR REPLACE INTO facts VALUES (?, ?)", .text(ByteString(name)), .real(value))
    }

    // MARK: The file

    private func perform<Result>(
        _ failure: String, _ body: (SQLiteConnection, inout State) throws(StoreError) -> Result
    ) throws(ServerError) -> Result {
        do throws(StoreError) {
            return try state.withLock { state throws(StoreError) in
                do throws(StoreError) { return try body(opened(&state), &state) } catch
                    where error.code == .indexDamaged
                {
                    try replace(&state)
                    return try body(opened(&state), &state)
                }
            }
        } catch {
            throw error.code == .busy
                ? ServerError(
                    503, "another process keeps the purges busy", reason: "\(failure): \(error)", retryAfter: 1)
                : ServerError(500, failure, reason: "\(failure): \(error)")
        }
    }

    private func opened(_ state: inout State) throws(StoreError) -> SQLiteConnection {
        if let connection = state.connection, !connection.hasMoved { return connection }
        (state.connection, state.seen, state.version) = (nil, 0, nil)
        let isKnown = state.isKnown
        let connection = try file.whileLocked { () throws(StoreError) in
            FileSystem.exists(file.path) ? try connected() : try make(isLost: !isNewStore && !isKnown)
        }
        // A file in place of another one lacks what this process alone knows.
        if isKnown {
            let known = known()
            try connection.transaction { () throws(StoreError) in
                for purge in known { try insert(purge, replaces: false, connection) }
            }
        }
        (state.connection, state.isKnown) = (connection, true)
        return connection
    }

    /// Replaces a damaged database, unless another process has done so.
    private func replace(_ state: inout State) throws(StoreError) {
        let wasOpen = state.connection.map { !$0.hasMoved } ?? false
        state.connection = nil
        try file.whileLocked { () throws(StoreError) in
            if !wasOpen, let other = try? connected(), (try? rows(after: 0, other)) != nil { return }
            _ = try make(isLost: true)
        }
    }

    private func connected() throws(StoreError) -> SQLiteConnection {
        let connection = try file.connect(creates: false)
        guard try file.owner(of: connection) == .this else {
            throw StoreError(.indexDamaged, "the tables are missing, or of another version")
        }
        return connection
    }

    /// Makes a database, in one step: one without its version counts as damaged.
    ///
    /// - Parameter isLost: Whether it takes the place of one with unknown purges.
    private func make(isLost: Bool) throws(StoreError) -> SQLiteConnection {
        file.remove()
        let connection = try file.connect(creates: true)
        // The table of a server remains its own if an administrator makes it.
        FileSystem.giveToOwner(of: folder, file.path)
        try connection.script("PRAGMA journal_mode = WAL")
        try connection.transaction { () throws(StoreError) in
            try connection.script(Self.schema)
            if isLost { try insert(Purge(.all, isHard: true, at: wallClock.now), replaces: false, connection) }
            // A new store has nothing that an earlier purge could cover.
            if isNewStore { try set("heard", wallClock.now, connection) }
        }
        if isLost {
            report("\(file.path) was damaged, lost or of another version, which counts as a hard purge of all sources")
        }
        // The file of version 0.1, and those beside it.
        for suffix in ["", ".far", ".swept", ".swept.lock", ".new"] { FileSystem.remove("\(folder)/purges\(suffix)") }
        return connection
    }

    private static let version = 1

    private static let schema = """
        CREATE TABLE purges (
            seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, url TEXT NOT NULL,
            hard INTEGER NOT NULL, learnt REAL NOT NULL, owed INTEGER NOT NULL, sum INTEGER NOT NULL
        );
        CREATE TABLE facts (name TEXT PRIMARY KEY, value REAL NOT NULL) WITHOUT ROWID;
        PRAGMA user_version = \(version);
        """
}
