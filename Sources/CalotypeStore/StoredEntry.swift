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

    func with(metadata: Data, expires: Double?) -> StoredEntry {
        StoredEntry(
            key: key, body: body, metadata: metadata, storedAt: storedAt, expires: expires, version: version)
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
