/// SHA-256 digests for keys: they distinguish texts without revealing them. Collisions of a weaker hash can be
/// constructed, and a client that chooses a header or a body must not reach another client's entry.
package enum KeyDigest {
    /// Returns the digest as 64 hexadecimal digits.
    package static func hex(of bytes: UnsafeRawBufferPointer) -> String {
        let digest = digest(bytes)
        // Written for speed, because it runs at every memory lookup for a request with header fields.
        return String(unsafeUninitializedCapacity: 2 * digest.count) { text in
            for (index, byte) in digest.enumerated() {
                text[2 * index] = (byte >> 4).hexadecimalDigit
                text[2 * index + 1] = (byte & 15).hexadecimalDigit
            }
            return 2 * digest.count
        }
    }
}
