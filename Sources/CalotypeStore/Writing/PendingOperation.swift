import Foundation

/// An entry that waits to be written.
struct NewEntry: Sendable {
    let key: StoreKey
    let body: Data
    let metadata: Data
    let storedAt: Double
    let expires: Double?
    let version: StoredEntry.Version
    /// The time of the last use, in microseconds since 1970.
    var lastUsed: Int64

    var cost: Int { key.text.count + body.count + metadata.count + DiskStoreOptions.entryOverhead }

    /// - Parameter isInline: Whether the body is in the index, and not in a file.
    func row(isInline: Bool) -> NewRow {
        NewRow(
            key: key, metadata: metadata, storedAt: storedAt, expires: expires, version: version, lastUsed: lastUsed,
            size: body.count, checksum: Checksum.of(body), inlineBody: isInline ? body : nil,
            sums: isInline ? nil : BlockSums(body)?.bytes)
    }

    var stored: StoredEntry {
        StoredEntry(
            key: key.text, body: body, metadata: metadata, storedAt: storedAt, expires: expires, version: version)
    }

    func applying(_ change: MetadataChange) -> NewEntry {
        guard change.version == version else { return self }
        return NewEntry(
            key: key, body: body, metadata: change.metadata, storedAt: storedAt, expires: change.expires,
            version: version, lastUsed: lastUsed)
    }
}

/// A row of the index for a new entry.
struct NewRow: Sendable {
    let key: StoreKey
    let metadata: Data
    let storedAt: Double
    let expires: Double?
    let version: StoredEntry.Version
    /// The time of the last use, in microseconds since 1970.
    let lastUsed: Int64
    /// The size of the body, in bytes.
    let size: Int
    /// The checksum of the body.
    let checksum: UInt64
    /// The body, or `nil` if it is in a file.
    let inlineBody: Data?
    /// The checksums of the blocks of a body in a file, or `nil` for one block.
    let sums: Data?

    var cost: Int { key.text.count + size + metadata.count + DiskStoreOptions.entryOverhead }
    var name: BlobName { BlobName(hash: key.hash, version: version) }
}

/// New metadata and a new expiry for one version of an entry.
struct MetadataChange: Sendable {
    let version: StoredEntry.Version
    let metadata: Data
    let expires: Double?
}

/// The latest operation on a key.
enum PendingOperation: Sendable {
    case store(NewEntry)
    case remove
    case changeMetadata(MetadataChange)

    func cost(for key: StoreKey) -> Int {
        switch self {
        case .store(let entry): entry.cost
        case .remove: key.text.count + DiskStoreOptions.entryOverhead
        case .changeMetadata(let change): key.text.count + change.metadata.count + DiskStoreOptions.entryOverhead
        }
    }
}

/// The operations of one transaction. The writer removes all entries if `removesAll` is `true`, and then performs
/// `discards`, `operations` and `touches`, in this order.
struct WriteBatch: Sendable {
    var removesAll = false
    /// The damaged or expired versions of entries to delete.
    var discards: Set<BlobName> = []
    var operations: [StoreKey: PendingOperation] = [:]
    /// The keys of `operations` in the order of the calls. Filled when the writer takes the batch.
    var keys: [StoreKey] = []
    /// The times of entries' last uses, in microseconds since 1970.
    var touches: [KeyHash: Int64] = [:]
    /// `true` if a reader found the database damaged. The writer checks and repairs it before it writes the batch.
    var repairs = false
    /// The costs of the operations, in bytes.
    var cost = 0

    var isEmpty: Bool { !removesAll && !repairs && discards.isEmpty && operations.isEmpty && touches.isEmpty }

    /// The removals to perform if the batch fails, including those of entries that the batch was to replace or change.
    var removals: WriteBatch {
        guard !removesAll else { return WriteBatch(removesAll: true) }
        return WriteBatch(operations: operations.mapValues { _ in .remove }, keys: keys)
    }

    /// Adds each removal of an older batch, unless this batch contains an operation on the same key.
    mutating func add(older removals: WriteBatch) {
        // This batch begins with a removal of all entries, which includes the older removals.
        if removesAll { return }
        removesAll = removals.removesAll
        for key in removals.keys {
            switch operations[key] {
            case .store, .remove: continue
            case nil: keys.append(key)
            // The removal makes the new metadata obsolete.
            case .changeMetadata: break
            }
            operations[key] = .remove
        }
    }
}
