import CCrypto
package import CalotypeBase
package import Foundation

/// An algorithm for the digest of its source that a URL may specify.
package enum SourceDigest: String, CaseIterable, Sendable {
    case md5, sha1, sha256, sha512

    package var byteCount: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha256: 32
        case .sha512: 64
        }
    }

    /// Returns the digest in lower-case hexadecimal, or `nil` if libcrypto lacks the algorithm (MD5 in FIPS mode).
    package func hexadecimal(of data: Data) -> ByteString? {
        var code = [UInt8](repeating: 0, count: byteCount)
        let isDone = data.withUnsafeBytes { bytes in
            EVP_Q_digest(nil, rawValue, nil, bytes.baseAddress, bytes.count, &code, nil) == 1
        }
        return isDone ? ByteString(hexadecimal: code) : nil
    }
}
