import CIsal
package import Foundation

/// Damage of a file that its structure shows, whether its image decodes nevertheless or not.
package enum FileDamage {
    /// Returns whether a file lacks its end, or is a raw file whose preview lacks it, or a PNG with a wrong checksum in a chunk.
    ///
    /// Reads no pixels: the checksum of a stream of zlib, and damage that only a decoder finds, stay unknown.
    package static func isPresent(in data: Data) -> Bool {
        data.reading { bytes in
            let file = ByteReader(bytes)
            if FileEnd.isMissing(in: file) { return true }
            if let preview = try? CameraRaw(file)?.preview() { return FileEnd.isMissing(in: file.slice(preview.range)) }
            guard file.isPNG else { return false }
            return PNGChunks(file).contains { $0.end <= bytes.count && !PNGChunks.hasRightSum($0.content, in: bytes) }
        }
    }
}

extension PNGChunks {
    /// Returns whether the checksum of the complete chunk with this content is correct.
    static func hasRightSum(_ content: Range<Int>, in file: UnsafeRawBufferPointer) -> Bool {
        let checked = UnsafeRawBufferPointer(rebasing: file[content.lowerBound - 4..<content.upperBound])
        let sum = calotype_crc32(0, checked.baseAddress?.assumingMemoryBound(to: UInt8.self), checked.count)
        return ByteReader(file).uint32(at: content.upperBound) == Int(sum)
    }
}
