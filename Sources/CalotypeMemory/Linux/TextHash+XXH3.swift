import CXXHash

/// 128 bits that differ from process to process, so that collisions cannot be prepared.
enum TextHash {
    private static let seed = UInt64.random(in: .min ... .max)

    static func of(_ text: UnsafeRawBufferPointer) -> (high: UInt64, low: UInt64) {
        let hash = XXH3_128bits_withSeed(text.baseAddress, text.count, seed)
        return (hash.high64, hash.low64)
    }
}
