import CalotypeBase
import CalotypeHTTP
import CalotypeURLs
import Foundation

/// An object in a bucket, as a source.
struct S3Object: Hashable, Sendable {
    let bucket: S3Bucket
    let key: ByteString
    let url: URL
    /// The object's key in the cache of sources: "s3://", the bucket, and the path of the URL. A request with this name
    /// is signed; a URL of the web that leads to the same place is not.
    let name: ByteString

    /// - Throws: 400 for an empty key, and for one of more than 1,024 bytes.
    init(_ bucket: S3Bucket, key: ByteString) throws(RenditionError) {
        let path = try S3Bucket.path(ofKey: key)
        guard let url = URL(text: "\(bucket.root)/\(path)") else {
            throw .malformed("the key of the object is no part of a URL")
        }
        (self.bucket, self.key, self.url) = (bucket, key, url)
        name = "\(Self.scheme)\(bucket.name)/\(path)"
    }

    static let scheme: ByteString = "s3://"
}

extension S3Bucket {
    /// Whether a request is for an object that is a source in this bucket: after a redirect, it no longer is.
    func covers(_ request: HTTPRequest) -> Bool {
        let start: ByteString = "\(S3Object.scheme)\(name)/"
        guard let key = request.cacheKey, key.hasPrefix(start) else { return false }
        return ByteString(request.url.absoluteString) == "\(root)/\(key.dropFirst(start.count))"
    }
}
