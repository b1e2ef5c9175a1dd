/// The brightest light of an image in PQ, as its file states it, in cd/m².
///
/// That of its content (MaxCLL, CTA-861.3) counts before that of the display on which it was made (SMPTE ST 2086). Values outside 1
/// to 10,000 count as missing; zero means unknown.
enum SourcePeak {
    /// The peak of a source that states none.
    static let standard = 1000.0

    /// Returns the peak by the chunks cLLI and mDCV of a PNG (third edition, 11.3.2), or `nil` if it states none.
    static func ofPNG(_ file: ByteReader) -> Double? {
        var (content, display): (Double?, Double?)
        for chunk in PNGChunks(file) {
            switch chunk.name {
            case PNGChunks.Chunk.pixels: return content ?? display
            case PNGChunks.Chunk.contentLight where chunk.content.count == 8 && chunk.intactContent() != nil:
                content = valid(chunk.bytes.uint32(at: 0).map { Double($0) / 10_000 })
            case PNGChunks.Chunk.masteringDisplay where chunk.content.count == 24 && chunk.intactContent() != nil:
                display = valid(chunk.bytes.uint32(at: 16).map { Double($0) / 10_000 })
            default: continue
            }
        }
        return content ?? display
    }

    /// Returns the peak by the properties `clli` and `mdcv` of an AVIF or HEIC (ISO/IEC 23008-12, 6.5.40), or `nil` if it states
    /// none, or has several of one kind: which item they belong to is not looked up.
    static func ofItems(_ file: ByteReader) -> Double? {
        guard let meta = file.boxes("meta", from: 0).first, let properties = meta.boxes("iprp", from: 4).first,
            let list = properties.boxes("ipco", from: 0).first
        else { return nil }
        let (content, display) = (list.boxes("clli", from: 0), list.boxes("mdcv", from: 0))
        if content.count == 1, let light = valid(content[0].uint16(at: 0).map(Double.init)) { return light }
        guard display.count == 1 else { return nil }
        return valid(display[0].uint32(at: 16).map { Double($0) / 10_000 })
    }

    /// Returns `nil` for a peak that counts as missing.
    static func valid(_ light: Double?) -> Double? { light.flatMap { (1...10_000).contains($0) ? $0 : nil } }
}
