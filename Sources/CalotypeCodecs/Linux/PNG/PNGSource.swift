/// The bytes of a PNG without unneeded chunks, as input for libspng, which keeps every chunk before the image, and
/// fails if these chunks are too large.
final class PNGSource {
    private let file: UnsafeRawBufferPointer
    /// The ranges of the file that are still to be read, in order.
    private var parts: ArraySlice<Range<Int>>

    /// - Parameters:
    ///   - file: The file. It must stay at its address for the lifetime of this object.
    ///   - isLeftOut: Whether to omit a chunk. Called for each chunk before the image.
    init(_ file: UnsafeRawBufferPointer, without isLeftOut: (PNGChunks.Chunk) -> Bool) {
        self.file = file
        var (kept, start): ([Range<Int>], Int) = ([], 0)
        for chunk in PNGChunks(ByteReader(file)) {
            if chunk.name == PNGChunks.Chunk.pixels || chunk.end > file.count { break }
            guard isLeftOut(chunk) else { continue }
            kept.append(start..<chunk.content.lowerBound - 8)
            start = chunk.end
        }
        parts = (kept + [start..<file.count])[...]
    }

    /// Fills `target` with the next bytes. Returns `false` if fewer bytes remain.
    func read(into target: UnsafeMutableRawBufferPointer) -> Bool {
        var rest = target
        while rest.count > 0 {
            guard let part = parts.first else { return false }
            let count = min(part.count, rest.count)
            rest.copyMemory(from: UnsafeRawBufferPointer(rebasing: file[part.prefix(count)]))
            rest = UnsafeMutableRawBufferPointer(rebasing: rest.dropFirst(count))
            parts = count == part.count ? parts.dropFirst() : [part.dropFirst(count)] + parts.dropFirst()
        }
        return true
    }
}
