public import CalotypeBase
public import Foundation

/// The entry under one key: the bytes as they came, and the caller's metadata.
public struct StoredEntry: Sendable {
    /// The key of the entry.
    public let key: ByteString
    /// The bytes of the entry.
    public let body: Data
    /// Opaque to the store: encode in it what you like.
    public let metadata: Data
    /// When the body was stored; seconds since 1970.
    public let storedAt: Double
    /// From when on the entry counts as absent; seconds since 1970. Nil: only the store's own age limit applies.
    public let expires: Double?

    /// Tells this entry from any other that was ever stored under the key.
    let version: Version

    typealias Version = Int64
}

/// An entry whose body may still be on the disk: ``DiskStore/body(of:)`` reads it.
package struct EntryHead: Sendable {
    package let key: ByteString
    /// Opaque to the store.
    package let metadata: Data
    /// Bytes of the body.
    package let size: Int
    /// When the body was stored; seconds since 1970.
    package let storedAt: Double
    /// From when on the entry counts as absent; seconds since 1970. If `nil`, only the store's own age limit applies.
    package let expires: Double?
    /// The body, if it came along: it does up to `DiskStoreOptions.inlineLimit`, and while it waits to be written.
    package let body: Data?

    let version: StoredEntry.Version
    let checksum: UInt64

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

    private init(
        key: ByteString, metadata: Data, size: Int, storedAt: Double, expires: Double?, body: Data?,
        version: StoredEntry.Version, checksum: UInt64
    ) {
        self.key = key
        self.metadata = metadata
        self.size = size
        self.storedAt = storedAt
        self.expires = expires
        self.body = body
        self.version = version
        self.checksum = checksum
    }

    func applying(_ change: MetadataChange) -> EntryHead {
        guard change.version == version else { return self }
        return EntryHead(
            key: key, metadata: change.metadata, size: size, storedAt: storedAt, expires: change.expires, body: body,
            version: version, checksum: checksum)
    }

    /// The whole entry, if the body came along.
    var entry: StoredEntry? {
        body.map {
            StoredEntry(key: key, body: $0, metadata: metadata, storedAt: storedAt, expires: expires, version: version)
        }
    }
}

/// A line in the list of what the store holds.
package struct EntrySummary: Sendable {
    package let key: ByteString
    /// Bytes of the body.
    package let size: Int
    package let metadata: Data
    /// Seconds since 1970, like the other two.
    package let storedAt: Double
    package let lastUsed: Double
    package let expires: Double?
    /// Where the entry stands in the list: hand the last one you got to `list(limit:after:)` for the next page.
    package let position: Int64
}
