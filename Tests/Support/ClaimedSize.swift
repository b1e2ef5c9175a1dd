package import Foundation

// Images whose header states a wrong size.

extension Data {
    /// Returns this JPEG with another size in its frame header, of at most 65,535 pixels a side.
    package func claimingJPEGSize(_ width: Int, _ height: Int) -> Data {
        var copy = self
        guard let frame = range(of: Data([0xFF, 0xC0])) else { return copy }
        let size = Data(bigEndian: height).suffix(2) + Data(bigEndian: width).suffix(2)
        copy.replaceSubrange(frame.upperBound + 3..<frame.upperBound + 7, with: size)
        return copy
    }

    /// Returns this PNG with another size in its header, and the right checksum.
    package func claimingPNGSize(_ width: Int, _ height: Int) -> Data {
        var copy = self
        copy.replaceSubrange(16..<24, with: Data(bigEndian: width) + Data(bigEndian: height))
        let sum = ~copy[12..<29].reduce(~UInt32(0)) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        copy.replaceSubrange(29..<33, with: Data(bigEndian: Int(sum)))
        return copy
    }

    private init(bigEndian number: Int) {
        self.init([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) })
    }
}
