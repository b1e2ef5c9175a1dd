import Foundation

/// 64 bits over a body, which find what disks, crashes and stray bits do to bytes. Meant for no attacker.
enum Checksum {
    static func of(_ data: Data) -> UInt64 {
        data.withUnsafeBytes { of($0) }
    }

    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 { ByteHash.short(bytes) }
}
