package import Foundation

/// 64 bits over a body, which find what disks, crashes and stray bits do to bytes. Meant for no attacker.
enum Checksum {
    static func of(_ data: Data) -> UInt64 {
        data.withUnsafeBytes { of($0) }
    }

    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 { ByteHash.short(bytes) }
}

/// 128 bits over a body, in hexadecimal: tells two bodies of one entry apart. Meant for no attacker.
package enum BodyDigest {
    package static func text(of body: Data) -> String {
        let (high, low) = body.withUnsafeBytes { ByteHash.long($0) }
        return [high, low].map { String(repeating: "0", count: $0.leadingZeroBitCount / 4) + String($0, radix: 16) }
            .joined()
    }
}
