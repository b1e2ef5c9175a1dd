/// The bytes of a PNG without chunks that nobody asked for, for libspng to read: it keeps what stands in front of the image,
/// and gives the image up where that is too much.
final class PNGSource {
    private let file: UnsafeRawBufferPointer
    /// The parts that are left, in order.
    private var parts: ArraySlice<Range<Int>>

    /// - Parameters:
    ///   - file: must stay where it is while this lives.
    ///   - isLeftOut: called for each chunk in front of the image.
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

    /// Returns whether there were as many bytes.
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
