public import Foundation
public import ResourceProvider

/// What the store keeps under one key: the bytes as they came, and what the caller wants to know about them.
public struct StoredEntry: Sendable {
    public let key: ByteString
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

/// What the store knows of an entry whose body may still be on the disk: ``DiskStore/body(of:)`` reads it.
public struct EntryHead: Sendable {
    public let key: ByteString
    /// Opaque to the store.
    public let metadata: Data
    /// Bytes of the body.
    public let size: Int
    /// When the body was stored; seconds since 1970.
    public let storedAt: Double
    /// From when on the entry counts as absent; seconds since 1970. If `nil`, only the store's own age limit applies.
    public let expires: Double?
    /// The body, if it came along: it does up to `DiskStoreOptions.inlineLimit`, and while it waits to be written.
    public let body: Data?

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
public struct EntrySummary: Sendable {
    public let key: ByteString
    /// Bytes of the body.
    public let size: Int
    public let metadata: Data
    /// Seconds since 1970, like the other two.
    public let storedAt: Double
    public let lastUsed: Double
    public let expires: Double?
    /// Where the entry stands in the list: hand the last one you got to `list(limit:after:)` for the next page.
    public let position: Int64
}
