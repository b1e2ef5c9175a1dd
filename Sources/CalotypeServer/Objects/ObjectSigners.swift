import CalotypeBase
import CalotypeHTTP
import CalotypeTransport

/// Makes the signers of buckets, with credentials from the places that the environment names.
struct ObjectSigners: Sendable {
    /// The variables of the environment.
    let environment: [String: String]
    let wallClock: WallClock

    /// Returns the signers of the buckets of sources. Those with one profile share its credentials.
    func signers(of sources: ObjectSources) -> SourceSigners { SourceSigners(sources, self) }

    /// Returns the signer of one bucket, with credentials of its own.
    func signer(of bucket: S3Bucket) -> ObjectSigner {
        ObjectSigner(bucket, credentials(of: bucket.profile), region: region, wallClock)
    }

    fileprivate func signer(of bucket: S3Bucket, _ credentials: RenewedCredentials) -> ObjectSigner {
        ObjectSigner(bucket, credentials, region: region, wallClock)
    }

    fileprivate func credentials(of profile: ByteString?) -> RenewedCredentials {
        // Its few requests, each with a deadline, need no place among those for sources.
        let reader = CredentialReader(transport: SystemTransport())
        return RenewedCredentials(CredentialPlace.all(in: environment, profile: profile), reader, wallClock)
    }

    /// The region of buckets that name none.
    private var region: ByteString {
        let variables = Variables(values: environment)
        let text = variables["AWS_REGION"] ?? variables["AWS_DEFAULT_REGION"] ?? ""
        return S3Bucket.isRegion(ByteString(text)) ? ByteString(text) : "us-east-1"
    }
}

/// The signers of requests for objects that are sources, one for each bucket. Each is made for the first request: where all
/// buckets are permitted, URLs name them.
final class SourceSigners: Sendable {
    /// The maximum number of signers. Beyond it all are made again, without what they have learnt.
    private static let limit = 1024

    private let sources: ObjectSources
    private let signers: ObjectSigners
    private let made = Locked<(signers: [ByteString: ObjectSigner], credentials: [ByteString?: RenewedCredentials])>(
        ([:], [:]))

    fileprivate init(_ sources: ObjectSources, _ signers: ObjectSigners) {
        (self.sources, self.signers) = (sources, signers)
    }

    /// Returns the signer of a request for an object of a permitted bucket; otherwise `nil`.
    func signer(for request: HTTPRequest) -> ObjectSigner? {
        guard let name = request.cacheKey, name.isObjectSource, let parts = try? ObjectSources.parts(of: name),
            let bucket = sources.bucket(named: parts.name), bucket.covers(request)
        else { return nil }
        return made.withLock { made in
            if let known = made.signers[bucket.name] { return known }
            if made.signers.count >= Self.limit { made.signers = [:] }
            let credentials = made.credentials[bucket.profile] ?? signers.credentials(of: bucket.profile)
            let signer = signers.signer(of: bucket, credentials)
            (made.signers[bucket.name], made.credentials[bucket.profile]) = (signer, credentials)
            return signer
        }
    }
}
