import CCrypto
import Foundation

extension Digest {
    /// SHA-256 by libcrypto.
    static func digest(_ data: Data) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 32
        _ = data.withUnsafeBytes { EVP_Digest($0.baseAddress, $0.count, &digest, &length, EVP_sha256(), nil) }
        return digest
    }
}
