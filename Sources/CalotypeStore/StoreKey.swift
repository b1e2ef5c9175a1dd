import Foundation

/// A key with its hash.
///
/// Two keys are the same when their UTF-8 is: `String`'s own `==` calls "é" in its two spellings equal, and the database
/// does not.
struct StoreKey: Hashable, Sendable {
    let text: String
    let hash: KeyHash

    /// Nil for the empty key, under which nothing is ever stored.
    init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        var text = text
        self.hash = text.withUTF8 { KeyHash(of: UnsafeRawBufferPointer($0)) }
        self.text = text
    }

    var byteCount: Int { text.utf8.count }

    func isSpelled(_ bytes: UnsafeRawBufferPointer) -> Bool {
        text.utf8.count == bytes.count && text.utf8.elementsEqual(bytes)
    }

    static func == (left: Self, right: Self) -> Bool {
        left.hash == right.hash && left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

/// A hash of 128 bits of a key. Files are named after it; it never stands for the key itself, which is compared in full.
struct KeyHash: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    init(of bytes: UnsafeRawBufferPointer) {
        (high, low) = ByteHash.long(bytes)
    }

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}
