enum IndexSchema {
    /// Incremented with each change of the tables or their contents. An index of another version is replaced, not
    /// migrated: it is only a cache.
    static let version = 1

    /// The application ID in the header of the database file: "Calo" in ASCII.
    static let applicationID = 0x4361_6C6F

    /// The statements that create the index.
    ///
    /// Triggers update the row of `totals` in every transaction that changes entries, so that no process has to count
    /// them.
    ///
    /// Bodies are in a separate table, so that lists, records of uses, and trims read only small rows.
    static let creation = """
        PRAGMA auto_vacuum = INCREMENTAL;
        PRAGMA journal_mode = WAL;
        BEGIN IMMEDIATE;
        CREATE TABLE entries (
            id INTEGER PRIMARY KEY,
            hash_high INTEGER NOT NULL,
            hash_low INTEGER NOT NULL,
            key TEXT NOT NULL,
            version INTEGER NOT NULL,
            is_inline INTEGER NOT NULL,
            size INTEGER NOT NULL,
            cost INTEGER NOT NULL,
            checksum INTEGER NOT NULL,
            metadata BLOB NOT NULL,
            metadata_checksum INTEGER NOT NULL,
            stored_at REAL NOT NULL,
            last_used INTEGER NOT NULL,
            expires REAL
        );
        CREATE UNIQUE INDEX entries_by_hash ON entries (hash_high, hash_low);
        CREATE INDEX entries_by_use ON entries (last_used);
        CREATE INDEX entries_by_age ON entries (stored_at);
        CREATE INDEX entries_by_expiry ON entries (expires) WHERE expires IS NOT NULL;
        CREATE TABLE bodies (id INTEGER PRIMARY KEY, body BLOB NOT NULL);
        CREATE TABLE totals (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            entries INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            body_bytes INTEGER NOT NULL,
            swept_at REAL NOT NULL
        );
        INSERT INTO totals VALUES (1, 0, 0, 0, 0);
        \(triggers)
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(version);
        COMMIT;
        """

    /// Later additions to the schema, created in an index that lacks them. Older versions of the library ignore them.
    static let additions = """
        CREATE TABLE IF NOT EXISTS block_sums (id INTEGER PRIMARY KEY, sums BLOB NOT NULL);
        CREATE TRIGGER IF NOT EXISTS sums_removed AFTER DELETE ON entries BEGIN
            DELETE FROM block_sums WHERE id = old.id;
        END;
        CREATE TABLE IF NOT EXISTS limits (id INTEGER PRIMARY KEY CHECK (id = 1), bytes INTEGER NOT NULL);
        """

    static let triggers = """
        CREATE TRIGGER entry_added AFTER INSERT ON entries BEGIN
            UPDATE totals SET entries = entries + 1, bytes = bytes + new.cost, body_bytes = body_bytes + new.size;
        END;
        CREATE TRIGGER entry_removed AFTER DELETE ON entries BEGIN
            UPDATE totals SET entries = entries - 1, bytes = bytes - old.cost, body_bytes = body_bytes - old.size;
            DELETE FROM bodies WHERE id = old.id;
        END;
        CREATE TRIGGER entry_changed AFTER UPDATE OF cost ON entries BEGIN
            UPDATE totals SET bytes = bytes - old.cost + new.cost;
        END;
        """

    /// The statements that remove all entries. They drop the triggers first: without triggers, SQLite empties a table
    /// by dropping its pages, regardless of the number of rows.
    static let clearing = """
        DROP TRIGGER entry_removed;
        DROP TRIGGER entry_added;
        DROP TRIGGER entry_changed;
        DROP TRIGGER sums_removed;
        DELETE FROM entries;
        DELETE FROM bodies;
        DELETE FROM block_sums;
        UPDATE totals SET entries = 0, bytes = 0, body_bytes = 0;
        \(triggers)
        \(additions)
        """
}
