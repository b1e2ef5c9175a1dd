package import Foundation

/// Content credentials (C2PA) without a claim in them, where each format has them.
package enum SampleCredentials {
    /// A superbox of JUMBF with C2PA's type and label.
    package static let store: Data = {
        let kind: [UInt8] = [0, 0x11, 0, 0x10, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
        let description = box("jumd", Data("c2pa".utf8) + kind + [3] + Data("c2pa\0".utf8))
        return box("jumb", description + box("free", Data("SIGNED CLAIMS".utf8)))
    }()

    /// A text that lies in each of the files.
    package static let mark = Data("SIGNED CLAIMS".utf8)

    /// Returns the JPEG with a store in front of its other segments.
    package static func jpeg(_ file: Data, with store: Data = store) -> Data {
        let content = Data("JP".utf8) + [0, 1] + number(1) + store
        let length = content.count + 2
        return file.prefix(2) + [0xFF, 0xEB, UInt8(length >> 8), UInt8(length & 255)] + content + file.dropFirst(2)
    }

    /// Returns the PNG with a store behind its header.
    package static func png(_ file: Data, with store: Data = store) -> Data {
        let named = Data("caBX".utf8) + store
        return file.prefix(33) + number(store.count) + named + number(checksum(named)) + file.dropFirst(33)
    }

    /// Returns the WebP, which has a header of 8 bytes behind "RIFF" and its size, with a store at its end.
    package static func webp(_ file: Data, with store: Data = store) -> Data {
        var padded = store
        if padded.count % 2 == 1 { padded.append(0) }
        let size = file.count + 8 + padded.count - 8
        let little = Data([0, 8, 16, 24].map { UInt8(truncatingIfNeeded: size >> $0) })
        let length = Data([0, 8, 16, 24].map { UInt8(truncatingIfNeeded: store.count >> $0) })
        return Data("RIFF".utf8) + little + file.dropFirst(8) + Data("C2PA".utf8) + length + padded
    }

    /// Returns the AVIF or HEIC with a box of the type of C2PA at its end.
    package static func boxed(_ file: Data) -> Data {
        let kind: [UInt8] = [
            0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81,
        ]
        return file + box("uuid", kind + Data(count: 4) + Data("manifest\0".utf8) + Data(count: 8) + store)
    }

    private static func box(_ name: String, _ content: Data) -> Data {
        number(content.count + 8) + Data(name.utf8) + content
    }

    private static func number(_ number: Int) -> Data {
        Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) })
    }

    /// The CRC-32 of ISO 3309.
    private static func checksum(_ bytes: Data) -> Int {
        let sum = bytes.reduce(~UInt32(0)) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return Int(~sum)
    }
}
