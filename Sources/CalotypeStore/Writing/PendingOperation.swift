import Foundation

/// An entry on its way to the disk.
struct NewEntry: Sendable {
    let key: StoreKey
    let body: Data
    let metadata: Data
    let storedAt: Double
    let expires: Double?
    let version: StoredEntry.Version
    /// Microseconds since 1970.
    let lastUsed: Int64

    var cost: Int { key.byteCount + body.count + metadata.count + DiskStoreOptions.entryOverhead }

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

/// New metadata for one version of an entry.
struct MetadataChange: Sendable {
    let version: StoredEntry.Version
    let metadata: Data
    let expires: Double?
}

/// The last thing that was asked for a key.
enum PendingOperation: Sendable {
    case store(NewEntry)
    case remove
    case changeMetadata(MetadataChange)

    /// Returns the share of the memory for pending writes that it takes.
    func cost(for key: StoreKey) -> Int {
        switch self {
        case .store(let entry): entry.cost
        case .remove: key.byteCount + DiskStoreOptions.entryOverhead
        case .changeMetadata(let change): key.byteCount + change.metadata.count + DiskStoreOptions.entryOverhead
        }
    }
}

/// The operations of one transaction, in this order.
struct WriteBatch: Sendable {
    var removesAll = false
    /// Versions found damaged or expired.
    var discards: Set<BlobName> = []
    var operations: [StoreKey: PendingOperation] = [:]
    /// The keys of `operations` in the order of asking. Filled in when the writer takes the batch.
    var keys: [StoreKey] = []
    /// When entries were last read, in microseconds since 1970.
    var touches: [KeyHash: Int64] = [:]
    /// The readers saw a broken database.
    var repairs = false
    /// The bytes that its operations hold in memory.
    var cost = 0

    var isEmpty: Bool { !removesAll && !repairs && discards.isEmpty && operations.isEmpty && touches.isEmpty }

    /// The removals among its operations. A write that fails is one of them: its predecessor must not be taken for it.
    var removals: WriteBatch {
        guard !removesAll else { return WriteBatch(removesAll: true) }
        return WriteBatch(operations: operations.mapValues { _ in .remove }, keys: keys)
    }

    /// Adds removals that are older than its operations.
    mutating func add(older removals: WriteBatch) {
        // It removes everything first.
        if removesAll { return }
        removesAll = removals.removesAll
        for key in removals.keys {
            switch operations[key] {
            case .store, .remove: continue
            case nil: keys.append(key)
            // Of an entry that is to go.
            case .changeMetadata: break
            }
            operations[key] = .remove
        }
    }
}
