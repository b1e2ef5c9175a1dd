import CalotypeBase
import CalotypeHTTP
import CalotypeTransport

extension RenditionServer.Options {
    /// Makes the signers of buckets. Those with one profile share its credentials.
    func makeSigners(of buckets: [S3Bucket]) -> [ObjectSigner] {
        guard !buckets.isEmpty else { return [] }
        var known: [ByteString?: RenewedCredentials] = [:]
        return buckets.map { bucket in
            let credentials = known[bucket.profile] ?? makeCredentials(of: bucket.profile)
            known[bucket.profile] = credentials
            return ObjectSigner(bucket, credentials, region: region, wallClock)
        }
    }

    /// Makes the signer of one bucket, with credentials of its own.
    func makeSigner(of bucket: S3Bucket) -> ObjectSigner {
        ObjectSigner(bucket, makeCredentials(of: bucket.profile), region: region, wallClock)
    }

    private func makeCredentials(of profile: ByteString?) -> RenewedCredentials {
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
