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

/// 128-bit hashes of bodies, in hexadecimal. They reveal that a URL's body has changed, but do not resist attacks.
package enum BodyDigest {
    package static func text(of body: Data) -> String { body.withUnsafeBytes { KeyHash(of: $0).text } }
}
