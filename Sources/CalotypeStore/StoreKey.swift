import CalotypeBase
import Foundation

struct StoreKey: Hashable, Sendable {
    let text: ByteString
    let hash: KeyHash

    /// Computes the hash of a key. Returns `nil` for the empty key, which is invalid.
    init?(_ text: ByteString) {
        guard !text.isEmpty else { return nil }
        self.text = text
        hash = text.withBytes(KeyHash.init)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

/// A 128-bit hash of a key or a body. Files are named after the hash of a key, but lookups compare the whole key, too.
package struct KeyHash: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    /// The hash in 32 hexadecimal digits.
    package var text: String { hex(high, digits: 16) + hex(low, digits: 16) }
}

extension KeyHash {
    package init(of bytes: UnsafeRawBufferPointer) { (high, low) = ByteHash.long(bytes) }
}
