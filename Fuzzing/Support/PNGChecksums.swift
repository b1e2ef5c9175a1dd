public import Foundation

/// Corrects the checksums of a PNG's chunks, which mutations almost never get right. Otherwise, the decoder would
/// reject nearly every input at the first chunk, and the code for the other chunks would remain untested.
public enum PNGChecksums {
    public static func mended(_ data: Data) -> Data {
        var bytes = [UInt8](data)
        var chunk = 8
        while chunk + 12 <= bytes.count {
            let length = bytes[chunk..<(chunk + 4)].reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - chunk - 12 else { break }
            let end = chunk + 8 + length
            let checksum = crc(bytes[(chunk + 4)..<end])
            for index in 0..<4 { bytes[end + index] = UInt8(truncatingIfNeeded: checksum >> (24 - 8 * index)) }
            chunk = end + 4
        }
        return Data(bytes)
    }

    /// Computes CRC-32 bit by bit, as the PNG specification defines it, because the inputs are small.
    private static func crc(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}
