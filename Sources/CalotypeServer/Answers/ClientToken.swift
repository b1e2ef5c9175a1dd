package import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeURLs

/// A secret without which no request for a rendition is answered, such as one that a CDN adds to its requests.
package struct ClientToken: Hashable, Sendable {
    /// The digest of the secret: all have one length.
    private let digest: ByteString

    /// Returns `nil` if a header field cannot have the secret.
    package init?(_ secret: ByteString) {
        guard !secret.isEmpty, secret.withBytes({ $0.allSatisfy { $0 > 0x20 && $0 < 0x7F } }) else { return nil }
        digest = Self.digest(of: secret)
    }

    /// Throws 403 unless the field Authorization is `Bearer` with the secret.
    func check(_ fields: HTTPFields) throws(RenditionError) {
        let given = fields.values(of: "Authorization")
        let words = given.first?.split(separator: 0x20, maxSplits: 1) ?? []
        guard given.count == 1, words.count == 2, words[0].lowercasedASCII == "bearer", isEqual(to: words[1].trimmed)
        else { throw RenditionError(403, "the request lacks the server's token in Authorization") }
    }

    /// Compares in a time that does not depend on the bytes.
    func isEqual(to secret: ByteString) -> Bool {
        zip(Self.digest(of: secret).bytes, digest.bytes).reduce(into: UInt8(0)) { $0 |= $1.0 ^ $1.1 } == 0
    }

    private static func digest(of secret: ByteString) -> ByteString {
        ByteString(secret.withBytes { KeyDigest.hex(of: $0) })
    }
}
