import Foundation

/// Changes of entries. The caller runs them within a transaction.
extension StoreIndex {
    /// Inserts an entry, and returns the file of the entry that it replaces, if any.
    func insert(_ row: NewRow) throws(StoreError) -> [BlobName] {
        let replaced = try remove(row.key.hash)
        try connection.run(
            """
            INSERT INTO entries (
                hash_high, hash_low, key, version, is_inline, size, cost, checksum, metadata, metadata_checksum,
                stored_at, last_used, expires
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .bits(row.key.hash.high), .bits(row.key.hash.low), .text(row.key.text), .integer(row.version),
            .integer(row.inlineBody != nil ? 1 : 0), .integer(row.size), .integer(row.cost), .bits(row.checksum),
            .blob(row.metadata), .bits(Checksum.of(row.metadata)), .real(row.storedAt), .integer(row.lastUsed),
            .real(row.expires))
        if let body = row.inlineBody {
            try connection.run("INSERT INTO bodies VALUES (last_insert_rowid(), ?)", .blob(body))
        } else if let sums = row.sums {
            try connection.run("INSERT INTO block_sums VALUES (last_insert_rowid(), ?)", .blob(sums))
        }
        return replaced
    }

    func remove(_ hash: KeyHash) throws(StoreError) -> [BlobName] {
        try removed(
            "DELETE FROM entries WHERE hash_high = ? AND hash_low = ?", .bits(hash.high), .bits(hash.low))
    }

    /// Removes this version of the entry, but not a newer one.
    func remove(_ name: BlobName) throws(StoreError) -> [BlobName] {
        try removed(
            "DELETE FROM entries WHERE hash_high = ? AND hash_low = ? AND version = ?",
            .bits(name.hash.high), .bits(name.hash.low), .integer(name.version))
    }

    func removeAll() throws(StoreError) { try connection.script(IndexSchema.clearing) }

    /// Changes the metadata of this version of the entry, but not of a newer one.
    func setMetadata(_ change: MetadataChange, of key: StoreKey) throws(StoreError) {
        try connection.run(
            """
            UPDATE entries SET metadata = ?, metadata_checksum = ?, expires = ?, cost = cost - length(metadata) + ?
            WHERE hash_high = ? AND hash_low = ? AND version = ?
            """,
            .blob(change.metadata), .bits(Checksum.of(change.metadata)), .real(change.expires),
            .integer(change.metadata.count), .bits(key.hash.high), .bits(key.hash.low), .integer(change.version))
    }

    /// Records a use of an entry, unless a later one is recorded.
    ///
    /// - Parameter time: The time of use, in microseconds since 1970.
    func touch(_ hash: KeyHash, at time: Int64) throws(StoreError) {
        try connection.run(
            "UPDATE entries SET last_used = ?1 WHERE hash_high = ?2 AND hash_low = ?3 AND last_used < ?1",
            .integer(time), .bits(hash.high), .bits(hash.low))
    }

    func removed(_ deletion: String, _ values: SQLiteValue...) throws(StoreError) -> [BlobName] {
        var names: [BlobName] = []
        try connection.statement(deletion + " RETURNING is_inline, hash_high, hash_low, version").forEachRow(values) {
            guard $0.integer(0) == 0 else { return }
            names.append(BlobName(hash: KeyHash(high: $0.bits(1), low: $0.bits(2)), version: $0.integer(3)))
        }
        return names
    }
}
