#if canImport(Darwin)
    /// 128 bits that differ from process to process, so that collisions cannot be prepared: twice Swift's own SipHash.
    enum TextHash {
        static func of(_ text: UnsafeRawBufferPointer) -> (high: UInt64, low: UInt64) {
            var first = Hasher()
            first.combine(bytes: text)
            var second = first
            second.combine(1 as UInt8)
            return (UInt64(bitPattern: Int64(first.finalize())), UInt64(bitPattern: Int64(second.finalize())))
        }
    }
#endif
