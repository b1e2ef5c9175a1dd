import Foundation

/// An entry's row in the index, with its body if that is small.
struct EntryRow {
    let name: BlobName
    let size: Int
    let checksum: UInt64
    let metadata: Data
    let metadataChecksum: UInt64
    let storedAt: Double
    let lastUsed: Double
    let expires: Double?
    /// The inline body. `nil` if the body is in a file, or if `isInline` is `true` but the table `bodies` lacks the row
    /// (a damaged database).
    let inlineBody: Data?
    let isInline: Bool

    var isMetadataIntact: Bool { Checksum.of(metadata) == metadataChecksum }

    static let columns = """
        e.hash_high, e.hash_low, e.version, e.is_inline, e.size, e.checksum, e.metadata, e.metadata_checksum,
        e.stored_at, e.last_used, e.expires, b.body
        """

    init(_ row: SQLiteRow) {
        name = BlobName(hash: KeyHash(high: row.bits(0), low: row.bits(1)), version: row.integer(2))
        isInline = row.integer(3) != 0
        size = row.int(4)
        checksum = row.bits(5)
        metadata = row.data(6)
        metadataChecksum = row.bits(7)
        storedAt = row.real(8)
        lastUsed = Double(row.integer(9)) / 1e6
        expires = row.optionalReal(10)
        inlineBody = isInline && !row.isNull(11) ? row.data(11) : nil
    }
}

/// The totals over all entries: the only row of the table `totals`.
struct StoreTotals: Hashable {
    var entries: Int
    var bytes: Int
    var bodyBytes: Int
}
