import CalotypeBase
import CalotypeHTTP
import CalotypeTransport

/// Makes the signers of buckets, with credentials from the places that the environment names.
struct ObjectSigners: Sendable {
    /// The variables of the environment.
    let environment: [String: String]
    let wallClock: WallClock

    /// Returns the signers of buckets. Those with one profile share its credentials.
    func signers(of buckets: [S3Bucket]) -> [ObjectSigner] {
        var known: [ByteString?: RenewedCredentials] = [:]
        return buckets.map { bucket in
            let credentials = known[bucket.profile] ?? credentials(of: bucket.profile)
            known[bucket.profile] = credentials
            return ObjectSigner(bucket, credentials, region: region, wallClock)
        }
    }

    /// Returns the signer of one bucket, with credentials of its own.
    func signer(of bucket: S3Bucket) -> ObjectSigner {
        ObjectSigner(bucket, credentials(of: bucket.profile), region: region, wallClock)
    }

    private func credentials(of profile: ByteString?) -> RenewedCredentials {
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
