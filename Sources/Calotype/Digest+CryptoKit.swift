#if canImport(CryptoKit)
    import CryptoKit
    import Foundation

    extension Digest {
        /// SHA-256 by CryptoKit.
        static func digest(_ data: Data) -> [UInt8] { Array(SHA256.hash(data: data)) }
    }
#endif
