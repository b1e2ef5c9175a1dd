import CSpng

/// The bytes of a PNG as input for libspng, which reads another file than the one in memory:
///
/// - Its IDAT chunks are inflated already. libspng finds the rows in stored blocks, one in each of many small IDAT chunks,
///   made as it asks for them. Their checksums are 0, since `InflatedPixels` checks the file's own.
/// - It lacks needless chunks: libspng keeps every chunk and fails if these are too large or too many. Others are replaced.
/// - It has an end: libspng also fails without one if no pixel is missing.
final class PNGSource {
    /// The reason for which a read failed, or `nil` if the file ends before the pixels do, or after them.
    private(set) var failure: spng_errno?
    /// The file up to its end.
    private let file: UnsafeRawBufferPointer
    private let isClosed: Bool
    private let checksSums: Bool
    /// The content of the first IDAT chunk, or `nil` if libspng is to find the damage in front of the pixels.
    private let pixelContent: Range<Int>?
    private var pixels: InflatedPixels?
    /// Whether libspng does not read the pixels.
    private var isReadElsewhere = false
    /// The number of inflated bytes that libspng has not read yet.
    private var remaining = 0
    private var stage = Stage.start
    /// The range of the file that is to be read before anything else.
    private var part: Range<Int>
    /// The chunks after the part, up to the next stage.
    private var chunks: Range<Int>
    private let replacement: (PNGChunks.Chunk) -> [UInt8]?
    /// The bytes in place of a chunk, to be read after the part.
    private var inserted: ArraySlice<UInt8> = []
    /// The bytes to be read after the chunks.
    private var made: [UInt8] = []
    private var unread = 0..<0

    /// What follows the chunks and the made bytes.
    private enum Stage { case start, pixels, tail(from: Int), end, nothing }

    /// - Parameters:
    ///   - file: The file. It must stay at its address for the lifetime of this object.
    ///   - end: The place at which an IEND chunk replaces the rest of the file. If `nil`, the rest is kept.
    ///   - checksSums: Whether a wrong checksum in front of the last row is a failure.
    ///   - replacement: Returns the bytes in place of a chunk other than those of pixels, or `nil` to keep it.
    init(
        _ file: UnsafeRawBufferPointer, closedAt end: Int?, checksSums: Bool,
        replacing replacement: @escaping (PNGChunks.Chunk) -> [UInt8]?
    ) {
        let file = UnsafeRawBufferPointer(rebasing: file.prefix(end ?? file.count))
        self.file = file
        (isClosed, self.checksSums, self.replacement) = (end != nil, checksSums, replacement)
        let first = PNGChunks(ByteReader(file)).first { $0.name == PNGChunks.Chunk.pixels || $0.end > file.count }
        let content = first.flatMap { $0.name == PNGChunks.Chunk.pixels ? $0.content : nil }
        pixelContent = content.flatMap { $0.count <= Int(Int32.max) ? $0 : nil }
        part = 0..<min(8, file.count)
        chunks = part.upperBound..<(pixelContent.map { $0.lowerBound - 8 } ?? file.count)
    }

    /// Prepares the inflated rows, which take `count` bytes with their filters.
    func startPixels(_ count: Int) throws(CodecError) {
        guard let pixelContent, pixels == nil else { return }
        pixels = try InflatedPixels(file, firstChunk: pixelContent, isClosed: isClosed, checksSums: checksSums)
        remaining = count
    }

    /// Returns the inflated rows for another reader than libspng, or `nil` if libspng is to find the damage in front of them.
    func inflatedPixels() throws(CodecError) -> InflatedPixels? {
        try startPixels(0)
        isReadElsewhere = true
        return pixels
    }

    /// Returns a source with the chunks after the pixels, behind a pixel of its own: libspng reads them after pixels alone.
    /// Returns `nil` if libspng has read the pixels.
    func end() throws(CodecError) -> PNGSource? {
        guard isReadElsewhere, let pixels else { return nil }
        if pixels.isCutShort { throw SpngReader.failure(SPNG_IO_EOF.rawValue) }
        return PNGSource(after: pixels.endOfChunk, of: self)
    }

    private init(after place: Int, of source: PNGSource) {
        (file, isClosed, checksSums) = (source.file, source.isClosed, source.checksSums)
        (pixelContent, replacement, part, chunks) = (nil, source.replacement, 0..<0, 0..<0)
        stage = .tail(from: place)
        put(Self.onePixel)
    }

    /// Fills `target` with the next bytes. Returns `false` if fewer bytes remain.
    func read(into target: UnsafeMutableRawBufferPointer) -> Bool {
        var rest = target
        while rest.count > 0 {
            let count: Int
            if !part.isEmpty {
                count = min(part.count, rest.count)
                rest.copyMemory(from: UnsafeRawBufferPointer(rebasing: file[part.prefix(count)]))
                part = part.dropFirst(count)
            } else if !inserted.isEmpty {
                count = min(inserted.count, rest.count)
                inserted.prefix(count).withUnsafeBytes { rest.copyMemory(from: $0) }
                inserted = inserted.dropFirst(count)
            } else if !chunks.isEmpty {
                nextPart()
                continue
            } else if !unread.isEmpty {
                count = min(unread.count, rest.count)
                made.withUnsafeBytes {
                    rest.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[unread.prefix(count)]))
                }
                unread = unread.dropFirst(count)
            } else {
                guard makeMore() else { return false }
                continue
            }
            rest = UnsafeMutableRawBufferPointer(rebasing: rest.dropFirst(count))
        }
        return true
    }

    /// Takes the chunks up to the next one that is left out or replaced.
    private func nextPart() {
        let start = chunks.lowerBound
        for chunk in PNGChunks(ByteReader(file), from: start) {
            // Of an incomplete chunk, libspng finds the end of the file.
            guard chunk.content.lowerBound < chunks.upperBound, chunk.end <= file.count else { break }
            guard let bytes = replacement(chunk) else { continue }
            inserted = bytes[...]
            part = start..<chunk.content.lowerBound - 8
            chunks = min(chunk.end, chunks.upperBound)..<chunks.upperBound
            return
        }
        (part, chunks) = (chunks, chunks.upperBound..<chunks.upperBound)
    }

    /// Makes the next chunks or bytes. Returns `false` at the end, or with a failure.
    private func makeMore() -> Bool {
        guard failure == nil else { return false }
        switch stage {
        case .start where pixelContent != nil:
            // The head of a stream, alone in its chunk: the rows are not known yet.
            put([0, 0, 0, 2] + Self.pixelName + [0x78, 0x01])
            stage = .pixels
            return true
        case .pixels where remaining > 0: return makeBlock()
        case .pixels: return endPixels()
        case .tail(let place):
            (chunks, stage) = (place..<max(place, file.count), .end)
            return true
        case .start, .end:
            stage = .nothing
            guard isClosed else { return false }
            put([0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82])
            return true
        case .nothing: return false
        }
    }

    private func put(_ bytes: [UInt8]) {
        made = bytes
        unread = bytes.indices
    }

    /// The signature, the header of an image with one gray pixel, and that pixel.
    private static let onePixel: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A,
        0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 0x3A, 0x7E, 0x9B, 0x55,
        0, 0, 0, 13, 0x49, 0x44, 0x41, 0x54, 0x78, 1, 1, 2, 0, 0xFD, 0xFF, 0, 0, 0, 2, 0, 1, 0x7E, 0x05, 0x0D, 0xD2,
    ]

    // MARK: - Pixels

    /// The memory for a block, here and in libspng.
    static let workingBytes = 2 * (headCount + blockCount)
    private static let pixelName = Array("IDAT".utf8)
    /// The bytes in front of a block's rows: the checksum of the chunk before, the head of a chunk, the head of a block.
    private static let headCount = 4 + 8 + 5
    /// libspng reads at most 8 KB of a chunk at once.
    private static let blockCount = 8192 - 5

    /// Makes a chunk with the next rows in a stored block (RFC 1951, 3.2.4).
    private func makeBlock() -> Bool {
        guard let pixels else { return false }
        if made.count < Self.headCount + Self.blockCount {
            made = [UInt8](repeating: 0, count: Self.headCount + Self.blockCount)
        }
        let wanted = min(remaining, Self.blockCount)
        var count = made.withUnsafeMutableBytes {
            pixels.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[Self.headCount...].prefix(wanted)))
        }
        remaining -= count
        failure = pixels.failure
        if remaining == 0, let wrongEnd = pixels.failureAfterLastRow() {
            // Without its last byte, the last row is missing.
            (failure, count) = (wrongEnd, count - 1)
        }
        guard count > 0 else { return false }
        let (length, size) = (UInt16(count + 5), UInt16(count))
        let head: [UInt8] =
            [0, 0, 0, 0] + [0, 0, UInt8(length >> 8), UInt8(length & 0xFF)] + Self.pixelName
            + [0, UInt8(size & 0xFF), UInt8(size >> 8), UInt8(~size & 0xFF), UInt8(~size >> 8)]
        made.replaceSubrange(..<Self.headCount, with: head)
        unread = 0..<Self.headCount + count
        return true
    }

    /// Continues with the file's next chunk.
    private func endPixels() -> Bool {
        guard let pixels else { return false }
        failure = pixels.isCutShort ? SPNG_IO_EOF : nil
        guard failure == nil else { return false }
        // The last block takes the file's own checksum for its own, which libspng skips.
        part = pixels.endOfChunk - 4..<pixels.endOfChunk
        (chunks, stage) = (pixels.endOfChunk..<file.count, .end)
        return true
    }
}
