import CXXHash

/// A 128-bit hash with a random seed per process, so that collisions cannot be precomputed.
enum TextHash {
    private static let seed = UInt64.random(in: .min ... .max)

    static func of(_ text: UnsafeRawBufferPointer) -> (high: UInt64, low: UInt64) {
        let hash = XXH3_128bits_withSeed(text.baseAddress, text.count, seed)
        return (hash.high64, hash.low64)
    }
}
