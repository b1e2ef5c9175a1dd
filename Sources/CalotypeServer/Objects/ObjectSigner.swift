import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import Foundation

/// Signs the requests for the objects of one bucket, and learns what its store expects: the region and the time.
final class ObjectSigner: Sendable {
    private struct Learned {
        var region: ByteString
        /// The store's time minus ours, in seconds.
        var offset = 0.0
    }

    let bucket: S3Bucket
    private let credentials: RenewedCredentials
    private let wallClock: WallClock
    private let learned: Locked<Learned>

    /// - Parameter region: The region until the store names another one.
    init(_ bucket: S3Bucket, _ credentials: RenewedCredentials, region: ByteString, _ wallClock: WallClock) {
        (self.bucket, self.credentials, self.wallClock) = (bucket, credentials, wallClock)
        learned = Locked(Learned(region: bucket.region ?? region))
    }

    /// A signed request, and the values that it was signed with.
    struct Signed: Sendable {
        let request: HTTPRequest
        fileprivate let credentials: SigV4.Credentials
        fileprivate let region: ByteString
    }

    /// Signs a request of any method for a URL that begins with the bucket's. Its query is sent as it is signed.
    ///
    /// - Throws: `malformedRequest` for a streaming body, and the error of credentials that cannot be found.
    func signed(_ request: HTTPRequest) async throws(TransportError) -> Signed {
        guard request.upload == nil else {
            throw TransportError(.malformedRequest, "a streaming body has no digest to sign")
        }
        let credentials = try await credentials.current()
        let (region, now) = learned.withLock { ($0.region, wallClock.now + $0.offset) }
        var place = bucket
        place.region = region
        var request = request
        let target = Self.target(of: request.url)
        // AWS has a host for each region. The URL of the request, which is the key in the cache, names none.
        request.url = URL(text: "\(place.base)/") ?? request.url
        request.rawTarget = target
        request.trustsHost = true
        var subject = SigV4.Subject(method: request.method, host: place.host, target: target, fields: request.fields)
        if let body = request.body { subject.bodyDigest = body.withUnsafeBytes { ByteString(KeyDigest.hex(of: $0)) } }
        for field in SigV4(region: region).fields(for: subject, by: credentials, at: now) {
            request.fields[field.name] = field.value
        }
        return Signed(request: request, credentials: credentials, region: region)
    }

    private static func target(of url: URL) -> ByteString {
        let path = S3Bucket.target(ofPath: ByteString(url.path(percentEncoded: true)))
        guard let query = url.query(percentEncoded: true), !query.isEmpty else { return path }
        return "\(path)?\(SigV4.canonicalQuery(ByteString(query)))"
    }

    /// The lesson of a response, after which another attempt may succeed.
    enum Lesson: Hashable, Sendable { case region, time, credentials }

    /// The codes after which other credentials may be found at the same places.
    private static let codesOfOldCredentials: Set<ByteString> = [
        "ExpiredToken", "InvalidAccessKeyId", "InvalidToken", "TokenRefreshRequired",
    ]

    /// Takes the lesson of a refusal, or returns `nil` if it has none.
    func learn(from response: HTTPResponse, _ failure: S3Failure, _ sent: Signed) -> Lesson? {
        if failure.code == "RequestTimeTooSkewed" {
            guard let date = response.fields["Date"].flatMap({ HTTPDate.parse($0) }) else { return nil }
            learned.withLock { $0.offset = date - wallClock.now }
            return .time
        }
        if let code = failure.code, Self.codesOfOldCredentials.contains(code) {
            return credentials.drop(sent.credentials) ? .credentials : nil
        }
        guard let region = response.fields["x-amz-bucket-region"] ?? failure.region, region != sent.region,
            S3Bucket.isRegion(region)
        else { return nil }
        learned.withLock { $0.region = region }
        return .region
    }
}
