/// The chunks before the pixels that libspng does not get as they are: those that nothing here needs, and those for which it
/// refuses an image that browsers show.
struct PNGChunkRules {
    /// Whether to leave out the profile, because it is too large.
    var leavesOutProfile = false
    private let colorType: PNGColorType
    /// The number of colors that an index can name.
    private let mostColors: Int
    /// The number of colors of the palette, as far as an index can name them; 0 without a palette.
    private let colorCount: Int

    init(_ file: ByteReader) {
        // IHDR comes first.
        colorType = PNGColorType(rawValue: UInt8(file.uint8(at: 25) ?? 0))
        let most = 1 << min(file.uint8(at: 24) ?? 8, 8)
        let palette = PNGChunks(file).first { [PNGChunks.Chunk.palette, PNGChunks.Chunk.pixels].contains($0.name) }
        let count = palette.map { $0.name == PNGChunks.Chunk.palette ? $0.content.count / 3 : 0 } ?? 0
        (mostColors, colorCount) = (most, min(count, most))
    }

    /// Returns the bytes in place of a chunk: none to leave it out, `nil` to keep it.
    func replacement(of chunk: PNGChunks.Chunk) -> [UInt8]? {
        typealias Chunk = PNGChunks.Chunk
        switch chunk.name {
        // libspng would inflate and keep up to 16 MB of text.
        case Chunk.text, Chunk.compressedText, Chunk.internationalText, Chunk.suggestedPalette: return []
        case Chunk.profile: return leavesOutProfile ? [] : nil
        case Chunk.exif: return Self.isUsableEXIF(chunk) ? nil : []
        case Chunk.transparency: return isUsableTransparency(chunk) ? nil : []
        case Chunk.palette where colorType.isIndexed && chunk.content.count > 3 * mostColors:
            return chunk.shortened(to: 3 * mostColors)
        default: return nil
        }
    }

    /// EXIF of more than 1 MiB contains more than an orientation.
    private static func isUsableEXIF(_ chunk: PNGChunks.Chunk) -> Bool {
        chunk.content.count <= 1 << 20 && (chunk.bytes.has("II*\0", at: 0) || chunk.bytes.has("MM\0*", at: 0))
    }

    /// Whether a tRNS chunk has the length of its color type (PNG, third edition, 11.3.1.1). Browsers ignore others.
    private func isUsableTransparency(_ chunk: PNGChunks.Chunk) -> Bool {
        if colorType.isIndexed { return (1...max(1, colorCount)).contains(chunk.content.count) }
        return !colorType.hasAlphaChannel && chunk.content.count == (colorType.isGray ? 2 : 6)
    }
}

extension PNGColorType {
    fileprivate var isIndexed: Bool { rawValue == 3 }
}
