import Foundation

/// The index: which entries there are, and everything about them but large bodies. For one thread at a time.
///
/// What it removes it names, so that the caller can delete the files once the transaction is safe.
final class StoreIndex {
    let connection: SQLiteConnection
    /// A Boolean value indicating whether SQLite takes the file for one that nobody changes. It must be opened again for the
    /// next look.
    let isImmutable: Bool

    init(_ connection: SQLiteConnection, isImmutable: Bool = false) {
        self.connection = connection
        self.isImmutable = isImmutable
    }

    /// Somebody deleted or replaced the file: this index must not be used any more.
    var hasMoved: Bool { connection.hasMoved }

    func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try connection.transaction(body)
    }

    func row(for key: StoreKey) throws(StoreError) -> EntryRow? {
        let row = try connection.first(
            """
            SELECT \(EntryRow.columns), e.key FROM entries e LEFT JOIN bodies b ON b.id = e.id
            WHERE e.hash_high = ? AND e.hash_low = ?
            """, .bits(key.hash.high), .bits(key.hash.low)
        ) { row in
            row.withBytes(12) { key.isSpelled($0) } ? EntryRow(row) : nil
        }
        return row ?? nil
    }

    /// The checksums of a body's blocks. `nil` if none are stored: the body is small, or was stored by a version that made
    /// none.
    func blockSums(of name: BlobName) throws(StoreError) -> Data? {
        do throws(StoreError) {
            return try connection.first(
                """
                SELECT s.sums FROM block_sums s JOIN entries e ON e.id = s.id
                WHERE e.hash_high = ? AND e.hash_low = ? AND e.version = ?
                """, .bits(name.hash.high), .bits(name.hash.low), .integer(name.version)
            ) { $0.data(0) }
        } catch  where error.code == .indexFailed {
            // Such a version made the index, and nothing was written since.
            return nil
        }
    }

    func totals() throws(StoreError) -> StoreTotals {
        let totals = try connection.first("SELECT entries, bytes, body_bytes FROM totals WHERE id = 1") {
            StoreTotals(entries: $0.int(0), bytes: $0.int(1), bodyBytes: $0.int(2))
        }
        guard let totals else { throw StoreError(.indexDamaged, "the index has lost its totals") }
        return totals
    }

    /// Entries in the order in which they were stored.
    func summaries(limit: Int, after position: Int64) throws(StoreError) -> [EntrySummary] {
        try connection.all(
            """
            SELECT key, size, metadata, stored_at, last_used, expires, id FROM entries
            WHERE id > ? ORDER BY id LIMIT ?
            """, .integer(position), .integer(limit)
        ) { row in
            EntrySummary(
                key: row.text(0), size: row.int(1), metadata: row.data(2), storedAt: row.real(3),
                lastUsed: Double(row.integer(4)) / 1e6, expires: row.optionalReal(5), position: row.integer(6))
        }
    }

    /// Returns whether the entry that this file belongs to is still there.
    func contains(_ name: BlobName) throws(StoreError) -> Bool {
        try connection.first(
            "SELECT 1 FROM entries WHERE hash_high = ? AND hash_low = ? AND version = ? AND NOT is_inline",
            .bits(name.hash.high), .bits(name.hash.low), .integer(name.version)
        ) { _ in true } ?? false
    }
}
