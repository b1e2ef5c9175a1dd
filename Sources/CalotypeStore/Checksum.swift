import CXXHash
import Foundation

/// XXH3 of 64 bits, which finds what disks, crashes and stray bits do to bytes. It resists no attacker.
enum Checksum {
    static func of(_ data: Data) -> UInt64 {
        data.withUnsafeBytes { of($0) }
    }

    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        calotype_xxh3_64(bytes.baseAddress, bytes.count)
    }
}
