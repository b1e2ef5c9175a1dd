/// The bytes of a PNG as input for libspng: without unneeded chunks, because libspng keeps every chunk before the image
/// and fails if these chunks are too large, or with another end, because libspng also fails if no pixel is missing.
final class PNGSource {
    private let file: UnsafeRawBufferPointer
    /// The ranges of the file that are still to be read, in order.
    private var parts: ArraySlice<Range<Int>>
    /// The bytes to read after the last part.
    private var closing: ArraySlice<UInt8> = []
    private static let lastChunk: [UInt8] = [0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]

    /// - Parameters:
    ///   - file: The file. It must stay at its address for the lifetime of this object.
    ///   - end: The place at which an IEND chunk replaces the rest of the file. If `nil`, the rest is kept.
    ///   - isLeftOut: Whether to omit a chunk. Called for each chunk before the image. By default, none is omitted.
    init(
        _ file: UnsafeRawBufferPointer, closedAt end: Int?,
        without isLeftOut: (PNGChunks.Chunk) -> Bool = { _ in false }
    ) {
        self.file = file
        var (kept, start): ([Range<Int>], Int) = ([], 0)
        for chunk in PNGChunks(ByteReader(file)) {
            if chunk.name == PNGChunks.Chunk.pixels || chunk.end > file.count { break }
            guard isLeftOut(chunk) else { continue }
            kept.append(start..<chunk.content.lowerBound - 8)
            start = chunk.end
        }
        parts = (kept + [start..<(end ?? file.count)])[...]
        if end != nil { closing = Self.lastChunk[...] }
    }

    /// Fills `target` with the next bytes. Returns `false` if fewer bytes remain.
    func read(into target: UnsafeMutableRawBufferPointer) -> Bool {
        var rest = target
        while rest.count > 0 {
            guard let part = parts.first else { return close(rest) }
            let count = min(part.count, rest.count)
            rest.copyMemory(from: UnsafeRawBufferPointer(rebasing: file[part.prefix(count)]))
            rest = UnsafeMutableRawBufferPointer(rebasing: rest.dropFirst(count))
            parts = count == part.count ? parts.dropFirst() : [part.dropFirst(count)] + parts.dropFirst()
        }
        return true
    }

    private func close(_ target: UnsafeMutableRawBufferPointer) -> Bool {
        guard closing.count >= target.count else { return false }
        target.copyBytes(from: closing.prefix(target.count))
        closing = closing.dropFirst(target.count)
        return true
    }
}
