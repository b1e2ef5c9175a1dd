public import CalotypeBase
public import Foundation

/// A stored entry: the bytes and the caller's metadata.
public struct StoredEntry: Sendable {
    /// The key of the entry.
    public let key: ByteString
    /// The stored bytes.
    public let body: Data
    /// The caller's metadata, opaque to the store.
    public let metadata: Data
    /// The time of storing, in seconds since 1970.
    public let storedAt: Double
    /// The time from which the entry is absent, in seconds since 1970. If `nil`, only the store's age limit applies.
    public let expires: Double?

    /// A random number, which distinguishes this entry from all others ever stored under the key.
    let version: Version

    typealias Version = Int64
}

/// An entry whose body may still be on the disk; ``DiskStore/body(of:)`` reads it.
package struct EntryHead: Sendable {
    package let key: ByteString
    package let metadata: Data
    /// The size of the body, in bytes.
    package let size: Int
    let storedAt: Double
    let expires: Double?
    /// The body, or `nil` if it is in a file that the lookup did not read.
    package let body: Data?

    let version: StoredEntry.Version
    let checksum: UInt64
}

extension EntryHead {
    init(_ entry: StoredEntry) {
        self.init(
            key: entry.key, metadata: entry.metadata, size: entry.body.count, storedAt: entry.storedAt,
            expires: entry.expires, body: entry.body, version: entry.version, checksum: 0)
    }

    init(_ key: StoreKey, _ row: EntryRow, body: Data?) {
        self.init(
            key: key.text, metadata: row.metadata, size: row.size, storedAt: row.storedAt, expires: row.expires,
            body: body, version: row.name.version, checksum: row.checksum)
    }

    func applying(_ change: MetadataChange) -> EntryHead {
        guard change.version == version else { return self }
        return EntryHead(
            key: key, metadata: change.metadata, size: size, storedAt: storedAt, expires: change.expires, body: body,
            version: version, checksum: checksum)
    }

    var entry: StoredEntry? {
        body.map {
            StoredEntry(key: key, body: $0, metadata: metadata, storedAt: storedAt, expires: expires, version: version)
        }
    }
}

/// An entry in the list of the store's contents.
package struct EntrySummary: Sendable {
    package let key: ByteString
    /// The size of the body, in bytes.
    package let size: Int
    package let metadata: Data
    /// The time of storing, in seconds since 1970, like `lastUsed` and `expires`.
    package let storedAt: Double
    package let lastUsed: Double
    package let expires: Double?
    /// The entry's position in the list. Pass the position of the last entry to `list(limit:after:)` for the next page.
    package let position: Int64
}
