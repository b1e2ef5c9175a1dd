package import Foundation

/// 64-bit checksums of stored bytes. They reveal damage by disks, crashes and flipped bits, but not attacks.
package enum Checksum {
    package static func of(_ data: Data) -> UInt64 { data.withUnsafeBytes { of($0) } }

    package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 { ByteHash.short(bytes) }
}

extension Data {
    package mutating func append(littleEndian number: UInt64) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}

/// The 128-bit hash of a body that arrives in pieces, in hexadecimal. It reveals that a URL's body has changed, but does
/// not resist attacks.
package final class BodyDigest {
    private let hash = RunningHash(isLong: true)

    package init() {}

    package func add(_ bytes: Data) { bytes.withUnsafeBytes { hash.add($0) } }

    package func text() -> String {
        let (high, low) = hash.long
        return KeyHash(high: high, low: low).text
    }
}
