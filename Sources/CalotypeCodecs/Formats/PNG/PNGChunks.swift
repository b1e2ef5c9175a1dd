/// The chunks of a PNG in order (PNG specification, section 5.3), each with a length, name, content and checksum. The
/// last chunk may extend beyond the end of a truncated file.
struct PNGChunks: Sequence, IteratorProtocol {
    struct Chunk {
        /// The four letters of the name as a big-endian number.
        let name: Int
        let content: Range<Int>
        fileprivate let file: ByteReader

        /// The offset after the checksum, which ends the chunk.
        var end: Int { content.upperBound + 4 }

        var bytes: ByteReader { file.slice(content) }

        static let header = 0x4948_4452  // IHDR
        static let exif = 0x6558_4966  // eXIf
        static let credentials = 0x6361_4258  // caBX
        static let animation = 0x6163_544C  // acTL
        static let frame = 0x6663_544C  // fcTL
        static let framePixels = 0x6664_4154  // fdAT
        static let colors = 0x6349_4350  // cICP
        static let contentLight = 0x634C_4C49  // cLLI
        static let masteringDisplay = 0x6D44_4356  // mDCV
        static let palette = 0x504C_5445  // PLTE
        static let transparency = 0x7452_4E53  // tRNS
        static let profile = 0x6943_4350  // iCCP
        static let text = 0x7445_5874  // tEXt
        static let compressedText = 0x7A54_5874  // zTXt
        static let internationalText = 0x6954_5874  // iTXt
        static let suggestedPalette = 0x7350_4C54  // sPLT
        static let pixels = 0x4944_4154  // IDAT
        static let last = 0x4945_4E44  // IEND

        /// Returns the content if it is complete and its checksum is correct. Slow: use it for small chunks only.
        func intactContent() -> [UInt8]? {
            guard let sum = file.uint32(at: content.upperBound) else { return nil }
            let checked = file.slice(content.lowerBound - 4..<content.upperBound).copy()
            return Self.checksum(checked) == sum ? Array(checked.dropFirst(4)) : nil
        }

        /// Returns the whole chunk with the first `count` bytes of its content.
        func shortened(to count: Int) -> [UInt8] {
            let named = file.slice(content.lowerBound - 4..<content.lowerBound + count).copy()
            func number(_ value: Int) -> [UInt8] {
                stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
            }
            return number(count) + named + number(Self.checksum(named))
        }

        /// Returns the CRC-32 of ISO 3309.
        static func checksum(_ bytes: some Sequence<UInt8>) -> Int {
            let sum = bytes.reduce(~UInt32(0)) { sum, byte in
                (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
            }
            return Int(~sum)
        }
    }

    private let file: ByteReader
    private var offset: Int

    /// - Parameter offset: The offset of the first chunk. The default is the place after the signature.
    init(_ file: ByteReader, from offset: Int = 8) { (self.file, self.offset) = (file, offset) }

    /// Returns the end of the last complete IDAT chunk if no intact IEND follows it. Returns `nil` for a file with its end,
    /// and for one without such a chunk.
    static func endOfPixels(ifEndIsMissingIn file: ByteReader) -> Int? {
        var end: Int?
        for chunk in PNGChunks(file) where chunk.end <= file.count {
            if chunk.name == Chunk.pixels { end = chunk.end }
            if chunk.name == Chunk.last, chunk.content.isEmpty, chunk.intactContent() != nil { return nil }
        }
        return end
    }

    mutating func next() -> Chunk? {
        guard let length = file.uint32(at: offset), let name = file.uint32(at: offset + 4) else { return nil }
        let chunk = Chunk(name: name, content: offset + 8..<offset + 8 + length, file: file)
        offset = chunk.end
        return chunk
    }
}
