import CXXHash

/// Hashes that are the same in every process on this machine, for the store's files: XXH3, which is fast, but does not
/// resist attacks.
enum ByteHash {
    static func short(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        calotype_xxh3_64(bytes.baseAddress, bytes.count)
    }

    static func long(_ bytes: UnsafeRawBufferPointer) -> (high: UInt64, low: UInt64) {
        let hash = XXH3_128bits(bytes.baseAddress, bytes.count)
        return (hash.high64, hash.low64)
    }
}
