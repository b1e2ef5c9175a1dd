package import CalotypeBase
package import CalotypeURLs
import Foundation

/// The buckets of a server, and the objects in them that are permitted as sources.
package struct ObjectSources: Hashable, Sendable {
    /// Part of a bucket: the objects whose keys begin with these components.
    private struct Prefix: Hashable {
        let bucket: ByteString
        let components: [ByteString]
    }

    private(set) var buckets: [S3Bucket] = []
    private var prefixes: [Prefix] = []
    /// The words that describe the buckets without a description of their own, after a name.
    private var wordsOfOthers: [ByteString] = []
    /// Whether the objects of all buckets are permitted.
    private(set) var permitsAnyBucket = false
    private var refusedBuckets: Set<ByteString> = []

    package init() {}

    /// Adds a bucket, from words such as `photos endpoint=https://objects.example.com`. The name `*` stands for all buckets
    /// that are not added by their names; its words may be added one after the other, but before such buckets are allowed.
    ///
    /// - Throws: 400 for wrong words, and for a bucket that was added before.
    package mutating func add(_ words: ByteString) throws(RenditionError) {
        let parts = words.split(separator: UInt8(ascii: " ")).filter { !$0.isEmpty }
        if parts.first == "*" {
            let words = wordsOfOthers + parts.dropFirst()
            _ = try S3Bucket("any \(words.joined(separator: " "))")
            return wordsOfOthers = words
        }
        let bucket = try S3Bucket(words)
        guard !buckets.contains(where: { $0.name == bucket.name }) else {
            throw .malformed("the bucket \(bucket.name.quoted) is given twice")
        }
        buckets.append(bucket)
    }

    /// Permits a bucket, or the objects below a path in it, from a text such as "s3://photos/public". A bucket that was
    /// not added is one of AWS, unless the bucket `*` was. "s3://*" permits all objects of all buckets.
    package mutating func allow(_ url: ByteString) throws(RenditionError) {
        guard !["s3://*", "s3://*/"].contains(url.lowercasedASCII) else { return permitsAnyBucket = true }
        let (name, path) = try Self.parts(of: url)
        var components = path.split(separator: UInt8(ascii: "/"))
        if components.last == "" { components.removeLast() }
        prefixes.append(Prefix(bucket: name, components: components))
        if !buckets.contains(where: { $0.name == name }) { buckets.append(try described(name)) }
    }

    /// Refuses all objects of a bucket, from a text such as "s3://photos", whatever permits them.
    package mutating func refuse(_ url: ByteString) throws(RenditionError) {
        guard url.isObjectSource else { throw .malformed("expected a bucket, such as s3://photos") }
        let (name, path) = try Self.parts(of: url)
        guard path.isEmpty else { throw .malformed("buckets are refused as a whole, such as s3://photos") }
        refusedBuckets.insert(name)
    }

    /// Returns a bucket as it was added, or as all others are.
    func described(_ name: ByteString) throws(RenditionError) -> S3Bucket {
        if let known = buckets.first(where: { $0.name == name }) { return known }
        return try S3Bucket(([name] + wordsOfOthers).joined(separator: " "))
    }

    /// Returns a bucket of permitted objects, or `nil`.
    func bucket(named name: ByteString) -> S3Bucket? {
        guard !refusedBuckets.contains(name) else { return nil }
        return buckets.first { $0.name == name } ?? (permitsAnyBucket ? try? described(name) : nil)
    }

    /// Returns the object of a source, or `nil` unless the source begins with "s3://".
    ///
    /// - Throws: 400 for a URL without a bucket or a key, 403 for an object that is not permitted.
    func object(of source: ByteString) throws(RenditionError) -> S3Object? {
        guard source.isObjectSource else { return nil }
        let (name, key) = try Self.parts(of: source)
        guard !key.isEmpty else { throw .malformed("a source in a bucket is s3://bucket/key") }
        guard let bucket = bucket(named: name), permits(key, in: bucket) else {
            throw RenditionError(403, "the source is not one that the server loads")
        }
        guard !key.lowercasedASCII.contains("?versionid=") else {
            throw .malformed("versions of objects are not supported: the source ends with the key")
        }
        return try S3Object(bucket, key: key)
    }

    private func permits(_ key: ByteString, in bucket: S3Bucket) -> Bool {
        let components = key.split(separator: UInt8(ascii: "/"))
        // A store, or a gateway in front of it, that resolves them would answer with an object outside of the prefix or
        // of the bucket.
        let mayLeave = key.hasDotParts
        if permitsAnyBucket, !mayLeave || bucket.isInHost { return true }
        return prefixes.contains { prefix in
            prefix.bucket == bucket.name && components.starts(with: prefix.components)
                && components.count > prefix.components.count
                && !(mayLeave && (!prefix.components.isEmpty || !bucket.isInHost))
        }
    }

    /// Returns the name of the bucket and the bytes after its slash.
    ///
    /// - Throws: 400 unless the URL names a bucket.
    static func parts(of url: ByteString) throws(RenditionError) -> (name: ByteString, rest: ByteString) {
        let parts = url.dropFirst(S3Object.scheme.count).split(separator: UInt8(ascii: "/"), maxSplits: 1)
        guard let name = parts.first, !name.isEmpty else {
            throw .malformed("the URL names no bucket: expected s3://bucket/key")
        }
        try S3Bucket.check(name)
        return (name, parts.count == 2 ? parts[1] : "")
    }
}

extension ByteString {
    /// Whether the URL is that of an object in a bucket.
    package var isObjectSource: Bool { hasPrefix("s3://") || hasPrefix("S3://") }
}
