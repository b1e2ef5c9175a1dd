import CalotypeBase
import Foundation

/// Trims, expiry and other upkeep, in small transactions so that no other process waits long for the database.
extension StoreIndex {
    /// The result of one transaction. `isDone` is `true` if no more entries have to be removed.
    struct Removal {
        var count = 0
        var files: [BlobName] = []
        var isDone = true
    }

    /// Removes the least recently used entries until `target` bytes are left, but at most `limit` entries.
    func removeLeastRecentlyUsed(leaving target: Int, limit: Int = 256) throws(StoreError) -> Removal {
        try transaction { () throws(StoreError) in
            var removal = Removal()
            var excess = try totals().bytes - target
            guard excess > 0 else { return removal }
            let oldest = try connection.all(
                "SELECT id, cost FROM entries ORDER BY last_used, id LIMIT ?", .integer(limit)
            ) { (id: $0.integer(0), cost: $0.int(1)) }
            for entry in oldest where excess > 0 {
                removal.files += try removed("DELETE FROM entries WHERE id = ?", .integer(entry.id))
                removal.count += 1
                excess -= entry.cost
            }
            removal.isDone = excess <= 0 || oldest.isEmpty
            return removal
        }
    }

    /// Returns the files of the least recently used entries that have one.
    func oldestFiles(limit: Int) throws(StoreError) -> [BlobName] {
        try connection.all(
            "SELECT hash_high, hash_low, version FROM entries WHERE NOT is_inline ORDER BY last_used, id LIMIT ?",
            .integer(limit)
        ) { BlobName(hash: KeyHash(high: $0.bits(0), low: $0.bits(1)), version: $0.integer(2)) }
    }

    /// Removes entries past their expiry and entries past the store's age limit, at most `limit` of each kind.
    func removeExpired(now: Double, options: DiskStoreOptions, limit: Int = 256) throws(StoreError) -> Removal {
        try transaction { () throws(StoreError) in
            let before = try totals().entries
            var removal = Removal()
            removal.files += try removeExpired("expires IS NOT NULL AND expires <= ?", .real(now), limit)
            if let age = options.maximumAge.map({ $0 / .seconds(1) }) {
                let oldest = now - age
                removal.files +=
                    options.renewsAgeOnRead
                    ? try removeExpired("last_used <= ?", .integer(microseconds(oldest)), limit)
                    : try removeExpired("stored_at <= ?", .real(oldest), limit)
            }
            removal.count = try before - totals().entries
            removal.isDone = removal.count < limit
            return removal
        }
    }

    private func removeExpired(_ condition: String, _ value: SQLiteValue, _ limit: Int) throws(StoreError) -> [BlobName]
    {
        try removed(
            "DELETE FROM entries WHERE id IN (SELECT id FROM entries WHERE \(condition) LIMIT ?)", value,
            .integer(limit))
    }

    /// Claims the next sweep for the caller. Returns `false` if this or another process has claimed one within the last
    /// `interval` seconds, so that processes do not sweep at the same time.
    func claimSweep(now: Double, interval: Double) throws(StoreError) -> Bool {
        try connection.first(
            "UPDATE totals SET swept_at = ?1 WHERE swept_at <= ?1 - ?2 OR swept_at > ?1 RETURNING 1",
            .real(now), .real(interval)
        ) { _ in true } ?? false
    }

    /// The size limit of the program that wrote last; `nil` if that has an older version of the library.
    var notedLimit: Int? { try? connection.first("SELECT bytes FROM limits WHERE id = 1") { $0.int(0) } }

    /// Notes the size limit of this program, for programs that only look after the store.
    func note(limit: Int) throws(StoreError) {
        guard notedLimit != limit else { return }
        try connection.run(
            "INSERT INTO limits VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes", .integer(limit))
    }

    /// Returns up to 4,096 unused pages to the file system.
    func shrink() throws(StoreError) { try connection.script("PRAGMA incremental_vacuum(4096)") }

    /// Recounts the totals. Returns `true` if they were wrong.
    func correctTotals() throws(StoreError) -> Bool {
        try transaction { () throws(StoreError) in
            let counted = try connection.first("SELECT count(*), total(cost), total(size) FROM entries") {
                StoreTotals(entries: $0.int(0), bytes: $0.int(1), bodyBytes: $0.int(2))
            }
            guard let counted, counted != (try totals()) else { return false }
            try connection.run(
                "UPDATE totals SET entries = ?, bytes = ?, body_bytes = ?", .integer(counted.entries),
                .integer(counted.bytes), .integer(counted.bodyBytes))
            return true
        }
    }

    /// Returns at most `limit` rows after a position, for `verify()`. The rows contain the inline bodies, so the limit
    /// should be small.
    func rows(after position: Int64, limit: Int) throws(StoreError) -> [(
        position: Int64, key: ByteString, row: EntryRow
    )] {
        try connection.all(
            """
            SELECT \(EntryRow.columns), e.id, e.key FROM entries e LEFT JOIN bodies b ON b.id = e.id
            WHERE e.id > ? ORDER BY e.id LIMIT ?
            """, .integer(position), .integer(limit)
        ) { ($0.integer(12), $0.text(13), EntryRow($0)) }
    }

    /// Returns the first structural error that SQLite finds in the database file, or `nil` if the file is intact.
    func structuralDamage() throws(StoreError) -> String? {
        let finding = try connection.first("PRAGMA quick_check(1)") { $0.text(0) }
        return finding == "ok" ? nil : finding?.string ?? "no answer"
    }
}

/// Converts seconds to whole microseconds, the unit of `last_used`.
func microseconds(_ seconds: Double) -> Int64 {
    let whole = (seconds * 1e6).rounded()
    guard whole.isFinite, abs(whole) < 9e18 else { return whole > 0 ? .max : .min }
    return Int64(whole)
}
