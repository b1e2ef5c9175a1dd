import CalotypeTesting
import Foundation

/// A PNG made of its filtered rows and its chunks, valid or not.
struct PNGStreamFile {
    var width: Int
    var height: Int
    var bitDepth = 8
    /// 0 for gray, 2 for color, 3 for a palette, 4 and 6 for gray and color with alpha.
    var colorType: Int
    var isInterlaced = false
    /// The chunks between the header and the pixels.
    var extra: [(name: String, content: Data)] = []

    /// The number of bytes of a row that is not interlaced, without its filter.
    var rowBytes: Int { (width * bitDepth * [1, 0, 3, 1, 2, 0, 4][colorType] + 7) / 8 }

    /// Returns rows of random filters and samples. All are valid: a sample means a difference.
    func randomRows(seed: UInt64) -> Data {
        var random = SplitMix(seed: seed)
        var rows = Data()
        for _ in 0..<height {
            rows.append(UInt8.random(in: 0...4, using: &random))
            rows.append(contentsOf: (0..<rowBytes).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
        return rows
    }

    /// Returns the file with the parts of a stream, each in a chunk of its own.
    func file(_ parts: [Data]) -> Data {
        let size = Data().bigEndian(width, bytes: 4).bigEndian(height, bytes: 4)
        var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        file += PNGFile.chunk("IHDR", size + [UInt8(bitDepth), UInt8(colorType), 0, 0, isInterlaced ? 1 : 0])
        for chunk in extra { file += PNGFile.chunk(chunk.name, chunk.content) }
        for part in parts { file += PNGFile.chunk("IDAT", part) }
        return file + PNGFile.chunk("IEND", Data())
    }

    /// Returns a stream of zlib with the bytes in stored blocks.
    static func stored(_ bytes: Data, blockSize: Int = 65535) -> Data {
        var stream = Data([0x78, 0x01])
        for start in stride(from: 0, to: bytes.count, by: blockSize) {
            let block = bytes.dropFirst(start).prefix(blockSize)
            stream.append(start + block.count == bytes.count ? 1 : 0)
            stream = stream.littleEndian(block.count, bytes: 2).littleEndian(~block.count, bytes: 2) + block
        }
        return stream.bigEndian(adler(bytes), bytes: 4)
    }

    /// Returns Adler's checksum (RFC 1950, 9).
    static func adler(_ bytes: Data) -> Int {
        let (low, high) = bytes.reduce((1, 0)) { sums, byte in
            let low = (sums.0 + Int(byte)) % 65521
            return (low, (sums.1 + low) % 65521)
        }
        return high << 16 | low
    }
}

extension Data {
    /// The stream of a PNG's pixels: its IDAT chunks together.
    var pngStream: Data {
        var (stream, offset) = (Data(), startIndex + 8)
        while offset + 12 <= endIndex {
            let length = self[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            if self[offset + 4..<offset + 8].elementsEqual("IDAT".utf8) {
                stream += self[(offset + 8)...].prefix(length)
            }
            offset += 12 + length
        }
        return stream
    }

    /// Returns the data in parts of this size.
    func parts(of size: Int) -> [Data] {
        Swift.stride(from: startIndex, to: endIndex, by: size).map { Data(self[$0..<Swift.min($0 + size, endIndex)]) }
    }
}
