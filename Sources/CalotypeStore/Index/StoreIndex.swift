import Foundation

/// The index: a row for each entry, with everything but large bodies. Not thread-safe.
///
/// Removals return the files of the removed entries, so that the caller can delete them after the transaction.
final class StoreIndex {
    let connection: SQLiteConnection
    /// Whether SQLite treats the file as immutable. The index must then be opened again for each use, because SQLite
    /// does not notice changes by other processes.
    let isImmutable: Bool

    init(_ connection: SQLiteConnection, isImmutable: Bool = false) {
        self.connection = connection
        self.isImmutable = isImmutable
    }

    /// `true` if the file has been deleted or replaced: this index must not be used any more.
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
            row.withBytes(12) { bytes in key.text.withBytes { $0.elementsEqual(bytes) } } ? EntryRow(row) : nil
        }
        return row ?? nil
    }

    /// Returns the checksums of a body's blocks, or `nil` if the body has one block or was stored by an older version
    /// of the library.
    func blockSums(of name: BlobName) throws(StoreError) -> Data? {
        do throws(StoreError) {
            return try connection.first(
                """
                SELECT s.sums FROM block_sums s JOIN entries e ON e.id = s.id
                WHERE e.hash_high = ? AND e.hash_low = ? AND e.version = ?
                """, .bits(name.hash.high), .bits(name.hash.low), .integer(name.version)
            ) { $0.data(0) }
        } catch  where error.code == .indexFailed {
            // The table is missing: so far, only an older version of the library has written to this index.
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

    /// Returns at most `limit` entries after a position, oldest first.
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

    func contains(_ name: BlobName) throws(StoreError) -> Bool {
        try connection.first(
            "SELECT 1 FROM entries WHERE hash_high = ? AND hash_low = ? AND version = ? AND NOT is_inline",
            .bits(name.hash.high), .bits(name.hash.low), .integer(name.version)
        ) { _ in true } ?? false
    }
}
