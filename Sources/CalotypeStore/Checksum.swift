package import Foundation

/// A 64-bit checksum of a body. It detects damage by disks, crashes and flipped bits, but no attacks.
enum Checksum {
    static func of(_ data: Data) -> UInt64 {
        data.withUnsafeBytes { of($0) }
    }

    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 { ByteHash.short(bytes) }
}

/// A 128-bit hash of a body in hexadecimal. It distinguishes bodies of one entry, but resists no attacks.
package enum BodyDigest {
    package static func text(of body: Data) -> String {
        let (high, low) = body.withUnsafeBytes { ByteHash.long($0) }
        return [high, low].map { String(repeating: "0", count: $0.leadingZeroBitCount / 4) + String($0, radix: 16) }
            .joined()
    }
}
