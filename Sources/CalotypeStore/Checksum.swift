package import Foundation

/// A 64-bit checksum of a body. It detects damage by disks, crashes and flipped bits, but not attacks.
enum Checksum {
    static func of(_ data: Data) -> UInt64 {
        data.withUnsafeBytes { of($0) }
    }

    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 { ByteHash.short(bytes) }
}

extension Data {
    mutating func append(littleEndian number: UInt64) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}

/// A 128-bit hash of a body in hexadecimal. It distinguishes bodies of one entry, but does not resist attacks.
package enum BodyDigest {
    package static func text(of body: Data) -> String {
        body.withUnsafeBytes { KeyHash(of: $0).text }
    }
}
