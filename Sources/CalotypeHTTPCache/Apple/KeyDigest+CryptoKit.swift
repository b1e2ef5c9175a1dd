#if canImport(CryptoKit)
    import CryptoKit

    extension KeyDigest {
        static func digest(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
            var hash = SHA256()
            hash.update(bufferPointer: bytes)
            return Array(hash.finalize())
        }
    }
#endif
