/// A 128-bit hash that differs per process, so that collisions cannot be precomputed: Swift's SipHash, twice.
enum TextHash {
    static func of(_ text: UnsafeRawBufferPointer) -> (high: UInt64, low: UInt64) {
        var first = Hasher()
        first.combine(bytes: text)
        var second = first
        second.combine(1 as UInt8)
        return (UInt64(bitPattern: Int64(first.finalize())), UInt64(bitPattern: Int64(second.finalize())))
    }
}
