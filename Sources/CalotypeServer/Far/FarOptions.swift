package import CalotypeBase
package import CalotypeURLs

/// The far store of results, and its limits.
package struct FarOptions: Sendable {
    /// The results that are written to the far store.
    package enum Writes: String, CaseIterable, Sendable {
        /// Those that the near store answers a second time.
        case used
        case all
        case none
    }

    /// The name of the bucket.
    let bucket: ByteString
    /// The beginning of the names of objects, without a slash at its end; empty for the bucket as a whole.
    let prefix: ByteString
    /// The time limit for a lookup, which is a miss afterwards. The default is 250 ms.
    package var timeout = Duration.milliseconds(250)
    /// The results that are written. The default is `used`.
    package var writes = Writes.used
    /// The age at which the store deletes pages, in seconds. A page in use is written again at half of it. The default
    /// is 30 days.
    package var age = 30 * 86_400.0

    /// - Parameter url: The bucket and the prefix, such as "s3://results/thumbnails".
    /// - Throws: 400 for a text that names no bucket, and for a prefix of more than 512 bytes.
    package init(_ url: ByteString) throws(RenditionError) {
        let parts = url.dropFirst(5).split(separator: UInt8(ascii: "/"), maxSplits: 1)
        guard url.isObjectSource, let name = parts.first, !name.isEmpty else {
            throw .malformed("\(url.quoted) names no bucket: expected s3://bucket/prefix")
        }
        try S3Bucket.check(name)
        bucket = name
        let rest = parts.count == 2 ? parts[1] : ""
        prefix = rest.split(separator: UInt8(ascii: "/")).filter { !$0.isEmpty }.joined(separator: "/")
        guard prefix.count <= 512 else { throw .malformed("the prefix of the far store has more than 512 bytes") }
    }
}
